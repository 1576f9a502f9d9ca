/* A comment counts as a character that nobody knows: versions differ in where it ends (jq 1.6, 1.7). */
const TOKEN =
  /\s+|\.\.|\.[A-Za-z_]\w*|\.(?=")|\$[A-Za-z_]\w*|@[a-z]\w*|(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)|([A-Za-z_]\w*)|([[({])|([\])}])|([,:;|=<>!+\-*/%?.])/y;
const PIECE_OF_STRING = /(?:[^"\\]|\\[^(])*/y;

/** A jq filter, taken apart. */
export interface JqTokens {
  /**
   * What may call something: neither names of fields (`.x`, `{x: 1}`, `{x}`) nor variables nor texts; what is put into a
   * text by `\(…)` counts.
   */
  words: readonly string[];
  /** The filter with `"` for each piece of a text. */
  bare: string;
}

/** Takes a jq filter apart; undefined when that cannot be done. */
export function jqTokens(filter: string): JqTokens | undefined {
  const words: string[] = [];
  let bare = "";
  /** Brackets that are open; `"` stands for a text that a `\(` interrupted. */
  const open: string[] = [];
  let before = "";
  let at = 0;
  /** Goes on in a text; false when it does not end. */
  const readText = (): boolean => {
    PIECE_OF_STRING.lastIndex = at;
    bare += '"';
    at += PIECE_OF_STRING.exec(filter)?.[0].length ?? 0;
    if (filter.startsWith("\\(", at)) {
      open.push('"');
      bare += "\\(";
      at += 2;
      before = "(";
      return true;
    }
    before = '"';
    at += 1;
    return filter.charAt(at - 1) === '"';
  };
  while (at < filter.length) {
    if (filter.charAt(at) === '"') {
      at += 1;
      if (!readText()) return undefined;
      continue;
    }
    TOKEN.lastIndex = at;
    const [token, , word, opening, closing] = TOKEN.exec(filter) ?? [];
    if (token === undefined) return undefined;
    at += token.length;
    bare += token;
    if (opening !== undefined) open.push(opening);
    if (closing !== undefined && open.pop() === '"') {
      if (closing !== ")" || !readText()) return undefined;
      continue;
    }
    const isKey = open.at(-1) === "{" && /^[{,]$/.test(before) && /^\s*[,:}]/.test(filter.slice(at));
    if (word !== undefined && !isKey) words.push(word);
    if (!/^\s+$/.test(token)) before = token;
  }
  return open.length === 0 ? { words, bare } : undefined;
}
