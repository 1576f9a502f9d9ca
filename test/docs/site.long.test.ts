import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { pages, ROOT } from "./pages.ts";

// Takes half a minute: with `npm run test:long` only.
it("the site is built, without dead links and anchors, and has every page", async () => {
  await promisify(execFile)(process.execPath, ["scripts/docs/build.mjs"], { cwd: ROOT });
  const built = pages().filter((page) => page.startsWith("docs/"));
  const missing = built
    .map((page) => page.replace(/^docs/, "site").replace(/\.md$/, ".html"))
    .filter((file) => !existsSync(`${ROOT}/${file}`));
  expect(missing).toEqual([]);
  expect(existsSync(`${ROOT}/site/reference/api/flower-agent/classes/Runtime.html`)).toBe(true);
}, 300_000);
