import { VERDICT_WORDS } from "./wording.ts";

/** A judge's ruling on a round. */
export type Conclusion = keyof typeof VERDICT_WORDS;

const any = (...patterns: string[]): RegExp => new RegExp(patterns.join("|"), "i");

/** What can be done with a goal, as stems; all locales. */
const MET = {
  en: "(?:achieved|met|reached|fulfilled|satisfied|done|completed?|pass(?:ed|es)?)\\b",
  zh: "(?:达成|达到|满足|通过|完成|实现)",
  pt: "(?:alcançad|atingid|cumprid|satisfeit|aprovad|conclu[ií]d)\\w*",
  de: "(?:erreicht|erfüllt|bestanden|abgeschlossen)",
};

/** Up to here a negation reaches: the same clause. */
const CLAUSE = "[^.;。;\\n]{0,40}?";

/** What cannot be verified here is never a pass; neither is what cannot be reached at all. */
const UNREACHABLE = any(
  "\\bunreachable|\\bunattainable|\\bimpossible|\\b(?:un|not )verifiable|\\bnot (?:achievable|reachable|attainable)",
  `\\bcan(?:not|'t|’t| not) (?:ever )?be (?:verified|checked|${MET.en})`,
  "\\b(?:cannot|can't|can’t|unable to) (?:verify|check)",
  `无法${CLAUSE}(?:验证|核实|确认|${MET.zh})|不可能|不能验证`,
  `inalcanç|inating|impossível|não (?:pode|é possível)${CLAUSE}(?:verifica|${MET.pt})`,
  `unerreichbar|unmöglich|nicht (?:über)?prüfbar|kann${CLAUSE}nicht${CLAUSE}(?:geprüft|verifiziert|${MET.de})`,
);

/** That nothing failed says nothing against a pass. */
const NOTHING_FAILED = new RegExp(
  any(
    `\\b(?:no|none|not a single|nothing|without|zero|0)\\b${CLAUSE}\\bfail(?:ed|s|ures?|ing)?\\b`,
    "(?:没有|无)任何?(?:检查)?(?:失败|未通过)的?(?:项|检查)?",
    `(?:nenhum\\w*|sem|nada)\\s${CLAUSE}(?:falh|reprovad)\\w*`,
    `(?:kein\\w*|ohne|nichts)\\s${CLAUSE}(?:fehlgeschlagen|fehler\\w*|durchgefallen)`,
  ).source,
  "gi",
);

/** A met goal that is negated, e.g. "the goal has not been met". */
const NEGATED = any(
  `\\b(?:not|never|no|none|nothing|neither|\\w+n['’]t)\\b${CLAUSE}\\b${MET.en}`,
  `[未没不]${CLAUSE}${MET.zh}`,
  `(?:não|nunca|nenhum\\w*|nem)\\s${CLAUSE}${MET.pt}`,
  `(?:nicht|nie|niemals|kein\\w*)\\s${CLAUSE}${MET.de}`,
  "\\bnot yet\\b|ainda não|noch nicht|尚未|还没",
);

/** Anything that takes from a pass. Portuguese "no" is a preposition, so the English one needs an end behind it. */
const DOUBT = any(
  "\\b(?:not|never|none|nothing|neither|nor|cannot|\\w+n['’]t|fail(?:ed|s|ures?|ing)?|but|however|except)\\b",
  "\\bno\\b\\s*(?:[.,;:!)]|$)|\\b(?:un|in)(?:met|achieved|fulfilled|satisfied|clear|sure|certain|complete)\\b",
  "\\b(?:partial(?:ly)?|partly|half|almost|nearly|most(?:ly)?|some|maybe|perhaps|probably|likely|if|would|should)\\b",
  "\\b(?:yet|until|unless|once)\\b|\\bto be\\b|\\bonly (?:\\d|one|two|three|four)",
  "[未没不无]|部分|基本上?|几乎|可能|大概|但",
  "não|nunca|nenhum|\\bnem\\b|\\bsem\\b|\\bainda\\b|\\bmas\\b|parcial|quase|talvez|exceto|falh|reprovad",
  "nicht|\\bnie\\b|niemals|\\bkein|\\bnoch\\b|\\baber\\b|teilweise|\\bfast\\b|beinahe|vielleicht|wahrscheinlich|unklar",
  "unerreicht|unerfüllt|außer|fehlgeschlagen|durchgefallen|[?\\uff1f]",
);

const ACHIEVED = any(`\\b${MET.en}`, MET.zh, MET.pt, MET.de);

const BY_WORD: ReadonlyMap<string, Conclusion> = new Map(
  (Object.keys(VERDICT_WORDS) as Conclusion[]).flatMap((conclusion) =>
    Object.values(VERDICT_WORDS[conclusion]).map((word) => [word, conclusion] as const),
  ),
);

/** The verdict word that is all of some line, in any locale; undefined when there is none or when lines disagree. */
function wordAlone(text: string): Conclusion | undefined {
  const words = text.split("\n").map((line) =>
    line
      .normalize("NFKC")
      .replace(/^\s*[-*+>#]+\s|[*_`"“”.!。]/g, "")
      .trim()
      .toLowerCase(),
  );
  const found = new Set(words.flatMap((word) => BY_WORD.get(word) ?? []));
  return found.size === 1 ? [...found][0] : undefined;
}

/** "4 of 5 checks passed" has no word of doubt, yet one check is open. */
function countsShort(text: string): boolean {
  const counts = text.matchAll(/(\d+)\s*(?:\/|(?:out )?of(?: the)?|von|de|中)\s*(\d+)/gi);
  return [...counts].some(([, passed, all]) => Number(passed) < Number(all));
}

/**
 * What the text of a conclusion says. The verdict word alone decides; in a sentence negation is looked for first,
 * and whatever is unclear counts as not yet: a wrong "achieved" ends the work.
 */
export function readConclusion(text: string): Conclusion {
  const alone = wordAlone(text);
  if (alone !== undefined) return alone;
  const words = text.replace(NOTHING_FAILED, "");
  if (/\bnot yet\b|ainda não|noch nicht|尚未|未达成/i.test(text.slice(0, 12))) return "notYet";
  if (UNREACHABLE.test(words)) return "unreachable";
  return ACHIEVED.test(words) && !DOUBT.test(words) && !countsShort(words) ? "achieved" : "notYet";
}

/**
 * A verdict in an answer without headings: the word alone, or a plain statement that the goal is not met. Prose is
 * never read as a pass: "I reached the server" is none.
 */
export function readBareConclusion(text: string): Conclusion | undefined {
  return wordAlone(text) ?? (NEGATED.test(text.replace(NOTHING_FAILED, "")) ? "notYet" : undefined);
}
