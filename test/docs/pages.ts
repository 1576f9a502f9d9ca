import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Nodes as Node } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

/** The repository, without a slash at its end. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** A fenced block of a page. */
export interface Block {
  /** Path of the page from the repository's root. */
  page: string;
  /** Line of its first line of text, from 1. */
  line: number;
  /** First word behind the fence; empty when there is none. */
  language: string;
  /** What follows that word. */
  meta: string;
  text: string;
}

/** Text of a page by its path from the repository's root. */
export const pageText = (page: string): string => readFileSync(`${ROOT}/${page}`, "utf8");

/** What a reader sees who wants to use flower: the README, and docs/ without what is made from doc comments. */
export function pages(): string[] {
  const docs = readdirSync(`${ROOT}/docs`, { recursive: true, encoding: "utf8" });
  return [
    "README.md",
    ...docs
      .filter((path) => path.endsWith(".md") && !path.startsWith("reference/api/"))
      .map((path) => `docs/${path}`)
      .sort(),
  ];
}

/** The fenced blocks of a page, also those in lists. */
export function blocksOf(page: string): Block[] {
  return nodesOf(page).flatMap((node) =>
    node.type === "code" && node.position !== undefined
      ? [
          {
            page,
            line: node.position.start.line + 1,
            language: node.lang ?? "",
            meta: node.meta ?? "",
            text: node.value,
          },
        ]
      : [],
  );
}

/** Commands of flower within sentences and tables, as blocks; without bare names, and those with a place to be filled. */
export function inlineCommandsOf(page: string): Block[] {
  return nodesOf(page).flatMap((node) =>
    node.type === "inlineCode" && /^(npx )?flower \S+ [^<[]*$/.test(node.value) && node.position !== undefined
      ? [{ page, line: node.position.start.line, language: "sh", meta: "", text: node.value }]
      : [],
  );
}

function nodesOf(page: string): Node[] {
  const below = (node: Node): Node[] => [node, ...("children" in node ? node.children.flatMap(below) : [])];
  return below(fromMarkdown(pageText(page)));
}

/** The rows of all tables of a page as their cells, without heads. */
export function tableRows(page: string): string[][] {
  const lines = pageText(page).split("\n");
  return lines
    .filter((line, i) => line.startsWith("|") && !isRule(line) && !isRule(lines[i + 1] ?? ""))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const isRule = (line: string): boolean => /^\|[ :|-]+$/.test(line);
