// `npm run docs`: API pages from the doc comments, then the whole site, into site/. Offline.
import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { writeApiPages } from "./api-pages.mjs";
import { deadLinks } from "./dead-links.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const site = `${root}/site`;

await writeApiPages(root);
rmSync(site, { recursive: true, force: true });
// Fails on links to pages that do not exist.
await build(`${root}/docs`);

// Pages link to it; VitePress takes along what it turns into pages only.
const SCHEMA = "reference/events.schema.json";
cpSync(`${root}/docs/${SCHEMA}`, `${site}/${SCHEMA}`);

const dead = deadLinks(site);
for (const line of dead) console.error(`dead link: ${line}`);
if (dead.length > 0) process.exit(1);
console.error(`the site is in ${site}: any web server shows it, for example npx vitepress preview docs`);
