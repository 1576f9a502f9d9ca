import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../support/rehearse.ts";
import { ROOT } from "./pages.ts";

const { deadLinks } = (await import(`${ROOT}/scripts/docs/dead-links.mjs`)) as {
  deadLinks(site: string): string[];
};

it("links to files and headings that are not there are found", async () => {
  const site = await tempDir();
  await mkdir(join(site, "guides"));
  await writeFile(join(site, "index.html"), '<h2 id="top">x</h2><a href="/guides/a.html#über">1</a>');
  await writeFile(
    join(site, "guides/a.html"),
    [
      '<h2 id="über">x</h2><a class="y" href="/#top">1</a><a href="#%C3%BCber">2</a><a href="./../index.html#top">3</a>',
      '<a href="#gone">4</a><a href="/guides/b.html#top">5</a><a href="https://example.org/#elsewhere">6</a>',
      '<a href="../there.json">7</a><a href="../gone.json">8</a><a href="/guides/a">9</a><a href="/">10</a>',
    ].join("\n"),
  );
  await writeFile(join(site, "there.json"), "{}");
  expect(deadLinks(site)).toEqual([
    "guides/a.html -> #gone",
    "guides/a.html -> /guides/b.html#top",
    "guides/a.html -> ../gone.json",
  ]);
});
