// Links to files and headings that are not there. VitePress itself looks for pages only.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** `page -> link` for each link of the built site whose file, or place in it, does not exist. */
export function deadLinks(site) {
  const pages = new Map(
    readdirSync(site, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".html"))
      .map((name) => [join(site, name), readFileSync(join(site, name), "utf8")]),
  );
  const ids = new Map([...pages].map(([page, html]) => [page, idsOf(html)]));
  const isThere = (target, hash) =>
    hash === undefined ? existsSync(target) : ids.get(target)?.has(hash) === true;
  return [...pages].flatMap(([page, html]) =>
    linksOf(html)
      .filter(({ path, hash }) => !isThere(targetOf(site, page, path), hash))
      .map(
        ({ path, hash }) =>
          `${page.slice(site.length + 1)} -> ${path}${hash === undefined ? "" : `#${hash}`}`,
      ),
  );
}

const idsOf = (html) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => decode(id)));

/** Those within the site. */
const linksOf = (html) =>
  [...html.matchAll(/<a [^>]*href="([^":#]*)(?:#([^"]+))?"/g)].map(([, path, hash]) => ({
    path: decodeURIComponent(decode(path)),
    hash: hash === undefined ? undefined : decodeURIComponent(decode(hash)),
  }));

const decode = (text) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');

function targetOf(site, page, path) {
  if (path === "") return page;
  const place = path.startsWith("/") ? join(site, path) : resolve(dirname(page), path);
  if (path.endsWith("/")) return join(place, "index.html");
  return /\.\w+$/.test(place) ? place : `${place}.html`;
}
