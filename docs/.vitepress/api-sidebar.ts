import { existsSync, readdirSync } from "node:fs";
import type { DefaultTheme } from "vitepress";

const PLACE = "reference/api";

/** The pages that `npm run docs` made from the doc comments: a group for each entry point, its exports by kind. */
export function apiSidebar(docs: string): DefaultTheme.SidebarItem {
  return { text: "API", link: `/${PLACE}/`, collapsed: true, items: below(docs, PLACE) };
}

function below(docs: string, folder: string): DefaultTheme.SidebarItem[] {
  if (!existsSync(`${docs}/${folder}`)) return [];
  return readdirSync(`${docs}/${folder}`, { withFileTypes: true })
    .filter(({ name }) => name !== "index.md")
    .map((entry) => {
      const link = `/${folder}/${entry.name}`;
      if (!entry.isDirectory())
        return { text: entry.name.replace(/\.md$/, ""), link: link.replace(/\.md$/, "") };
      const index = existsSync(`${docs}${link}/index.md`) ? { link: `${link}/` } : {};
      return { text: entry.name, collapsed: true, items: below(docs, link.slice(1)), ...index };
    });
}
