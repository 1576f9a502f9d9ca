import { refuse, TOO_WIDE, type GlanceRule } from "./glance-rule.ts";
import type { ShellWord } from "./shell-word.ts";

/* A thousand characters and more, or as many as another word says. `date` has further flags, zsh numbers its words. */
const PADDED = /%(?:\d+\$)?[-+ #'0^_:]*(?:\d*\.)?(?:\d{4}|\*)/;
/* `%<(N)`, `%>|(N)`, `%w(N,N,N)` and `%(align:N)` of git. */
const PADDED_BY_GIT = /%(?:[-+ ]?[<>]+\|?\(|w\(|\(align:)[^)]*\d{4}/;
/* `--date=format:%d`, `auto:format-local:%d`, `%(authordate:format:%d)`: the system's own formats of dates. */
const DATE_OF_GIT = /\bformat(?:-local)?:/;

/** Whether a text holds a format that pads to 1,000 characters and more. */
export const isWide = (text: string): boolean => PADDED.test(text);

const isWideInGit = (text: string): boolean =>
  PADDED_BY_GIT.test(text) || (DATE_OF_GIT.test(text) && isWide(text));

/** The rule of a program that takes formats: it refuses those that pad far. */
export const narrow = (rule: GlanceRule): GlanceRule => narrowBy(isWide, rule);

/** {@link narrow} for git's formats. */
export const narrowFormats = (rule: GlanceRule): GlanceRule => narrowBy(isWideInGit, rule);

function narrowBy(isTooWide: (text: string) => boolean, rule: GlanceRule): GlanceRule {
  // `%{1000,}d` becomes the format only when the shell has made two words of it.
  const mayBeWide = ({ value, braces }: ShellWord): boolean =>
    isTooWide(value) || (braces && value.includes("%"));
  return (args) => (args.some(mayBeWide) ? refuse(TOO_WIDE) : rule(args));
}
