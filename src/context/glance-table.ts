import { awk } from "./glance-awk.ts";
import { git } from "./glance-git.ts";
import { allow, anyOptions, isPattern, listed, never, sortWords, type GlanceRule } from "./glance-rule.ts";
import { jq } from "./glance-jq.ts";
import { sed } from "./glance-sed.ts";
import * as special from "./glance-special.ts";
import { narrow, narrowFormats } from "./glance-widths.ts";
import type { ShellWord } from "./shell-word.ts";

const anyFiles = anyOptions();
const anyText = anyOptions("text");
const filesInOptions = anyOptions("paths", "paths");

const RG = {
  short: "n N i s S w F l c o v U P x a I H L u p q 0 A: B: C: m: g: t: T: r: e: M: d:",
  long:
    "line-number no-line-number ignore-case case-sensitive smart-case word-regexp line-regexp fixed-strings " +
    "files-with-matches files-without-match count count-matches only-matching invert-match multiline pcre2 hidden " +
    "no-ignore no-ignore-vcs text follow unrestricted heading no-heading with-filename no-filename no-messages json " +
    "stats files column trim vimgrep null quiet type-list color= sort= sortr= glob= iglob= type= type-not= " +
    "after-context= before-context= context= max-count= max-depth= max-columns= max-filesize= replace= regexp=",
};

/** `rg` of listed options: --pre, --hostname-bin and --search-zip run programs. */
const rg: GlanceRule = (args) => {
  const sorted = sortWords(args, RG);
  if (sorted.trouble !== undefined) return sorted;
  const noPattern = ["-e", "--regexp", "--files", "--type-list"].some((name) => sorted.options.has(name));
  return allow(noPattern ? sorted.operands : sorted.operands.slice(1));
};

/** Options of `grep` whose value may be the next word, by what that is. */
const GREP_VALUES: ReadonlyMap<string, "text" | "file" | "other"> = new Map([
  ...["e", "regexp", "include", "exclude", "exclude-dir", "label", "group-separator"].map(
    (name) => [name, "text"] as const,
  ),
  ...["f", "file", "exclude-from"].map((name) => [name, "file"] as const),
  ...["m", "A", "B", "C", "d", "D", "max-count", "after-context", "before-context", "context"].map(
    (name) => [name, "other"] as const,
  ),
  ...["directories", "devices", "binary-files"].map((name) => [name, "other"] as const),
]);

/** `grep`: no option of it writes or runs. The first operand is the pattern unless an option brought one. */
const grep: GlanceRule = (args) => {
  const files: ShellWord[] = [];
  const operands: ShellWord[] = [];
  let broughtPattern = false;
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i];
    if (word === undefined) break;
    const { value } = word;
    if (value === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (value === "-" || !value.startsWith("-")) {
      operands.push(word);
      continue;
    }
    const name = value.startsWith("--") ? longOf(value.slice(2)) : shortOf(value.slice(1));
    if (name === undefined) continue;
    broughtPattern ||= ["e", "f", "regexp", "file"].includes(name.option);
    const text = GREP_VALUES.get(name.option) === "text" && name.isExact;
    if (name.attached !== undefined) {
      if (!text) files.push({ ...word, value: name.attached, tilde: false });
      continue;
    }
    i += 1;
    const next = args[i];
    const isFile = GREP_VALUES.get(name.option) === "file" || !/^\w+$/.test(next?.value ?? "");
    if (next !== undefined && (text ? isPattern(next) : isFile)) files.push(next);
  }
  // A pattern of the shell becomes several words, and only the first of them is the pattern of grep.
  const read = operands.filter((word, i) => broughtPattern || i > 0 || isPattern(word));
  return allow([...read, ...files]);
};

interface ValuedOption {
  readonly option: string;
  readonly isExact: boolean;
  /** Its value, where that stands in the same word. */
  readonly attached: string | undefined;
}

/** A long option that takes a value; it may be abbreviated. */
function longOf(text: string): ValuedOption | undefined {
  const cut = text.indexOf("=");
  const name = cut === -1 ? text : text.slice(0, cut);
  const option = [...GREP_VALUES.keys()].find((known) => known.length > 1 && known.startsWith(name));
  const attached = cut === -1 ? undefined : text.slice(cut + 1);
  // Of one that is not known the value is taken for a file.
  if (option === undefined)
    return attached === undefined ? undefined : { option: name, isExact: false, attached };
  return { option: GREP_VALUES.has(name) ? name : option, isExact: GREP_VALUES.has(name), attached };
}

/** The first of several letters that takes a value: the rest of the word is that, or the next word. */
function shortOf(letters: string): ValuedOption | undefined {
  const at = letters.search(/[efmABCdD]/);
  if (at === -1) return undefined;
  const rest = letters.slice(at + 1);
  return { option: letters.charAt(at), isExact: true, attached: rest === "" ? undefined : rest };
}

const named = (names: string, rule: GlanceRule): [string, GlanceRule][] =>
  names.split(" ").map((name) => [name, rule]);

/**
 * Programs of which only the version may be asked, each by the spellings that print it and do nothing else: with the
 * others `yarn -V` installs, `python -v` waits for a program, and `make -v` builds where make is BSD's.
 */
const VERSION_ONLY: ReadonlyMap<string, GlanceRule> = new Map<string, GlanceRule>([
  ...named("node npm bun tsc ruby perl php docker", special.versionOnly("--version", "-v")),
  ...named("python python3 pip pip3 cargo rustc rustup deno uv", special.versionOnly("--version", "-V")),
  ...named("make gcc g++ cc c++ clang clang++ cmake bash gh", special.versionOnly("--version")),
  ...named("javac java", special.versionOnly("--version", "-version")),
  ["kubectl", special.versionOnly("version --client")],
  ["go", special.versionOnly("version")],
]);

/** Programs that are refused with a word of what to do instead. */
const NEVER: ReadonlyMap<string, GlanceRule> = new Map<string, GlanceRule>([
  ...named("cd pushd popd", never("a directory does not last: write it into the command, or `git -C dir`")),
  ...named("env printenv export", never("the environment may hold credentials")),
  ...named("xargs parallel", never("what it runs on is not known before it runs: name the files")),
  ...named("less more man", never("it waits for keys: `head -n 50`, `sed -n '10,20p'`")),
  // `.yarnrc` and `.poetry/plugins`; pnpm 10 also installs itself anew. terraform notes in the home directory that it asked.
  ...named("yarn pnpm poetry", never("it runs files of the project even when it is asked for its version")),
  ...named("terraform", never("it asks the network for news and writes that down, whatever it is asked")),
]);

/**
 * Programs that a coordinator may run itself, each with its harmless forms.
 * Under `anyFiles`, `anyText` and `filesInOptions` stand programs of which no option writes, runs or sends.
 */
export const GLANCE_TABLE: ReadonlyMap<string, GlanceRule> = new Map<string, GlanceRule>([
  ["git", narrowFormats(git)],
  ...named("cat head df realpath readlink cmp comm tac fold rev", anyFiles),
  ...named("ls stat", narrow(anyFiles)),
  [
    "nl",
    listed({
      short: "b: d: f: h: i: l: n: p s: v: w:",
      long:
        "body-numbering= section-delimiter= footer-numbering= header-numbering= line-increment= join-blank-lines= " +
        "number-format= no-renumber number-separator= starting-line-number= number-width=",
      widths: ["-w", "--number-width"],
    }),
  ],
  [
    "od",
    listed({
      short: "a b B c d D e f F h H i I l L o O s x X v A: j: N: S: t: w?",
      long: "address-radix= endian= format= output-duplicates read-bytes= skip-bytes= strings? traditional width?",
      widths: ["-w", "--width"],
    }),
  ],
  // Formats of one's own repeat as often as they say.
  [
    "hexdump",
    listed({
      short: "b c C d o v x X n: s:",
      long:
        "canonical length= no-squeezing one-byte-char one-byte-hex one-byte-octal skip= two-bytes-decimal " +
        "two-bytes-hex two-bytes-octal",
    }),
  ],
  ...named("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum", anyFiles),
  ["wc", filesInOptions],
  ["du", narrow(filesInOptions)],
  // macOS: -o writes.
  ["base64", listed({ short: "d w:", long: "decode wrap=" })],
  ...named("pwd echo true false which type basename dirname tr uname whoami id nproc uptime pgrep", anyText),
  ...named("grep egrep fgrep", grep),
  ["rg", rg],
  ["seq", narrow(special.seq)],
  [
    "cut",
    listed({
      short: "s n z b: c: d: f:",
      long: "bytes= characters= delimiter= fields= only-delimited complement zero-terminated output-delimiter=",
    }),
  ],
  ["paste", listed({ short: "s z d:", long: "serial zero-terminated delimiters=" })],
  ["find", narrow(special.find)],
  ["sed", sed],
  ["awk", awk],
  ["jq", jq],
  ["test", special.test],
  ["[", special.bracket],
  ["printf", narrow(special.printf)],
  ["date", narrow(special.date)],
  ["command", special.command],
  ["tar", special.tar],
  ["timeout", special.timeout((name) => GLANCE_TABLE.get(name))],
  ["xxd", special.xxd],
  ["ps", special.ps],
  ["tail", special.tail],
  ["tree", special.tree],
  // -o, --output and -T write; --compress-program runs.
  [
    "sort",
    listed({
      short: "n r u h V f b d g i M R s z c C k: t:",
      long:
        "numeric-sort reverse unique human-numeric-sort version-sort ignore-case ignore-leading-blanks " +
        "dictionary-order general-numeric-sort month-sort stable zero-terminated check? key= field-separator=",
    }),
  ],
  [
    "uniq",
    listed({
      short: "c d D u i z f: s: w:",
      long: "count repeated unique ignore-case skip-fields= skip-chars= check-chars=",
      maxOperands: 1,
      maxReason: "the second operand is the file that it writes",
    }),
  ],
  // -C writes a compiled magic file, -z runs decompressors.
  [
    "file",
    listed({
      short: "b i I L h k N r 0",
      long: "brief mime mime-type mime-encoding dereference no-dereference keep-going raw",
    }),
  ],
  // -l pages through pr.
  [
    "diff",
    listed({
      short: "u r q N w b B i y c a s U: C: x: W:",
      long:
        "brief unified? recursive new-file ignore-all-space ignore-space-change ignore-blank-lines ignore-case " +
        "side-by-side text report-identical-files color? exclude= width= suppress-common-lines",
      digits: true,
      widths: ["-W", "--width"],
    }),
  ],
  // With an operand it would set the name.
  [
    "hostname",
    listed({ short: "s f i I d A", long: "short fqdn long ip-address all-ip-addresses", maxOperands: 0 }),
  ],
  // -s and -c go on.
  [
    "free",
    listed({
      short: "b k m g h l t w v",
      long: "bytes kibi mebi gibi human lohi total wide",
      maxOperands: 0,
    }),
  ],
  ["lscpu", listed({ short: "a b e? J p?", long: "all extended? json online parse?", maxOperands: 0 })],
  // -K closes connections, -D writes, -E goes on, -r asks other machines.
  [
    "ss",
    listed({
      short: "4 6 a e H i l m n o p s t u x",
      long: "all listening no-header numeric processes summary tcp udp unix",
      maxOperands: 0,
    }),
  ],
  ["unzip", special.unzip],
  ...VERSION_ONLY,
  ...NEVER,
]);

const VERSION = /^(?:--?)?[vV](?:ersion)?$/;

/** False when nothing behind these two words could make a glance of them; true when the rest decides. */
export function mayBeginGlance(program: string, firstArg: string | undefined): boolean {
  if (VERSION_ONLY.has(program)) return firstArg === undefined || VERSION.test(firstArg);
  return GLANCE_TABLE.has(program) && !NEVER.has(program);
}
