// Links to headings that are not there. VitePress itself looks for pages only.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** `page -> link` for each link of the built site whose page or place on the page does not exist. */
export function deadAnchors(site) {
  const pages = new Map(
    readdirSync(site, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".html"))
      .map((name) => [join(site, name), readFileSync(join(site, name), "utf8")]),
  );
  const ids = new Map([...pages].map(([page, html]) => [page, idsOf(html)]));
  return [...pages].flatMap(([page, html]) =>
    hashLinksOf(html)
      .filter(({ path, hash }) => !ids.get(targetOf(site, page, path))?.has(hash))
      .map(({ path, hash }) => `${page.slice(site.length + 1)} -> ${path}#${hash}`),
  );
}

const idsOf = (html) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => decode(id)));

const hashLinksOf = (html) =>
  [...html.matchAll(/<a [^>]*href="([^":#]*)#([^"]+)"/g)].map(([, path, hash]) => ({
    path,
    hash: decodeURIComponent(decode(hash)),
  }));

const decode = (text) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');

function targetOf(site, page, path) {
  if (path === "") return page;
  const place = path.startsWith("/") ? join(site, path) : resolve(dirname(page), path);
  if (place.endsWith(".html")) return place;
  return path.endsWith("/") ? join(place, "index.html") : `${place}.html`;
}
