// `npm run docs`: API pages from the doc comments, then the whole site, into site/. Offline.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { writeApiPages } from "./api-pages.mjs";
import { deadAnchors } from "./dead-anchors.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const site = `${root}/site`;

await writeApiPages(root);
rmSync(site, { recursive: true, force: true });
// Fails on links to pages that do not exist.
await build(`${root}/docs`);

const dead = deadAnchors(site);
for (const line of dead) console.error(`dead anchor: ${line}`);
if (dead.length > 0) process.exit(1);
console.error(`the site is in ${site}: any web server shows it, for example npx vitepress preview docs`);
