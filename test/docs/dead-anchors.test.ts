import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../support/rehearse.ts";
import { ROOT } from "./pages.ts";

const { deadAnchors } = (await import(`${ROOT}/scripts/docs/dead-anchors.mjs`)) as {
  deadAnchors(site: string): string[];
};

it("links to headings that are not there are found", async () => {
  const site = await tempDir();
  await mkdir(join(site, "guides"));
  await writeFile(join(site, "index.html"), '<h2 id="top">x</h2><a href="/guides/a.html#über">1</a>');
  await writeFile(
    join(site, "guides/a.html"),
    [
      '<h2 id="über">x</h2><a class="y" href="/#top">1</a><a href="#%C3%BCber">2</a><a href="./../index.html#top">3</a>',
      '<a href="#gone">4</a><a href="/guides/b.html#top">5</a><a href="https://example.org/#elsewhere">6</a>',
    ].join("\n"),
  );
  expect(deadAnchors(site)).toEqual(["guides/a.html -> #gone", "guides/a.html -> /guides/b.html#top"]);
});
