import { refuse, type GlanceRule } from "./glance-rule.ts";
import type { ShellWord } from "./shell-word.ts";

/* A thousand characters and more, or as many as another word says. `date` has further flags. */
const PADDED = /%[-+ #'0^_:]*(?:\d*\.)?(?:\d{4}|\*)/;
/* `%<(N)`, `%>|(N)`, `%w(N,N,N)` and `%(align:N)` of git. */
const PADDED_BY_GIT = /%(?:[-+ ]?[<>]+\|?\(|w\(|\(align:)[^)]*\d{4}/;
/* Of options that are widths, with the value behind them or attached. */
const PADDED_BY_OPTION = /(?:^| )(?:-[a-zA-Z]*[wW]|--[a-z-]*wi?d?t?h?)[= ]*\d{4}/;

/** Whether a text holds a format that pads to 1,000 characters and more. */
export const isWide = (text: string): boolean => PADDED.test(text);

/** The rule of a program that takes formats: it refuses those that pad far. */
export function narrow(rule: GlanceRule): GlanceRule {
  return narrowBy((args) => args.some(({ value }) => isWide(value)), rule);
}

/** {@link narrow} for git's formats. */
export function narrowFormats(rule: GlanceRule): GlanceRule {
  return narrowBy((args) => args.some(({ value }) => PADDED_BY_GIT.test(value)), rule);
}

/** {@link narrow} for programs with an option that is a width. */
export function narrowOptions(rule: GlanceRule): GlanceRule {
  return narrowBy((args) => PADDED_BY_OPTION.test(args.map(({ value }) => value).join(" ")), rule);
}

const narrowBy =
  (isTooWide: (args: readonly ShellWord[]) => boolean, rule: GlanceRule): GlanceRule =>
  (args) =>
    isTooWide(args) ? refuse("its output would be too wide: at most 999 characters a field") : rule(args);
