import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type DefaultTheme } from "vitepress";

const DOCS = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** The pages of a folder under their own titles: those named first, then the others by name. */
function pages(folder: string, first: readonly string[] = []): DefaultTheme.SidebarItem[] {
  const names = readdirSync(`${DOCS}/${folder}`)
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.slice(0, -".md".length));
  const others = names.filter((name) => !first.includes(name)).sort();
  return [...first.filter((name) => existsSync(`${DOCS}/${folder}/${name}.md`)), ...others].map((name) => {
    const [, title = name] = /^# (.+)$/m.exec(readFileSync(`${DOCS}/${folder}/${name}.md`, "utf8")) ?? [];
    return { text: title.replaceAll("`", ""), link: `/${folder}/${name}` };
  });
}

/** Made by `npm run docs`. Each page lists its exports; all of them here would be in the HTML of every page. */
const API: DefaultTheme.SidebarItem[] = ["flower-agent", "flower-agent/testing", "flower-agent/stores"].map(
  (entry) => ({ text: `API: ${entry}`, link: `/reference/api/${entry}/` }),
);

export default defineConfig({
  title: "flower",
  description:
    "Leave a coding agent alone for hours and come back to work that is right, finished and explainable.",
  cacheDir: "../node_modules/.cache/vitepress",
  outDir: "../site",
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [
      { text: "Start in five minutes", link: "/start" },
      { text: "Concepts", link: "/concepts" },
      {
        text: "Guides",
        items: pages("guides", [
          "how-it-runs",
          "clarify",
          "goal",
          "context-economy",
          "handoff",
          "continuity",
          "resilience",
          "permissions",
          "isolation",
          "interaction",
          "workflows",
        ]),
      },
      {
        text: "Reference",
        items: [...pages("reference", ["cli", "exit-codes", "events", "files", "documents"]), ...API],
      },
      { text: "Decisions", collapsed: true, items: pages("decisions") },
      { text: "From the Python flower", link: "/from-python" },
      { text: "Glossary", link: "/glossary" },
    ],
  },
});
