import { stripControl } from "../core/terminal-text.ts";

/** An address as a person may see it: it may hold a password, and a key in its query. "…" when it is no address. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return "…";
  const { origin, pathname, username, password, search } = new URL(address);
  const host = username === "" && password === "" ? origin : origin.replace("://", "://…@");
  return stripControl(`${host}${pathname === "/" ? "" : pathname}${search === "" ? "" : "?…"}`);
}
