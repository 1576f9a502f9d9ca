import { isGlance } from "../../src/context/glance.ts";
import { ALLOWED } from "./glance-corpus.ts";
import { seeded } from "./random-transcript.ts";

/** A command that only looked, until something dangerous was put into it. */
export interface Mutation {
  how: string;
  base: string;
  command: string;
}

/** Put between two words, each does more than look, or cannot be known before it runs. */
const PIECES = [
  "; rm -rf x",
  "\nrm -rf x",
  " && touch o",
  " || touch o",
  " | sh",
  " |& sh",
  " | tee o",
  " | xargs rm",
  " & touch o",
  " > o",
  " >> o",
  " >| o",
  " &> o",
  " &>> o",
  " >& o",
  " 2> o",
  " 3> o",
  " {fd}> o",
  " <> o",
  " < /dev/tcp/x/1",
  " $(touch o)",
  ' "$(touch o)"',
  " `touch o`",
  " <(touch o)",
  " >(touch o)",
  " $HOME",
  " ${x:=y}",
  " $((x=1))",
  " &",
  " <<< x",
  "; X=1 ls",
  "; PATH=. ls",
  "; GIT_PAGER=x git log",
  "; eval ls",
  "; . ./x",
  "; f() { ls; }; f",
  "; coproc ls",
  "; for i in a; do ls; done",
  "; while true; do ls; done",
  "; timeout 5 rm x",
  "; exec ls",
  "; set -x",
  "; yarn -V",
  "; pnpm --version",
  "; printf %{9999999,}d 1",
  "; COLUMNS=9999999 git log",
];

/** Put around a whole command. */
const WRAPS: readonly ((command: string) => string)[] = [
  (c) => `PATH=. ${c}`,
  (c) => `LD_PRELOAD=./x.so ${c}`,
  (c) => `GIT_DIR=x ${c}`,
  (c) => `LC_ALL=$(touch o) ${c}`,
  (c) => `COLUMNS=99999999 ${c}`,
  (c) => `env ${c}`,
  (c) => `sudo ${c}`,
  (c) => `nohup ${c}`,
  (c) => `exec ${c}`,
  (c) => `eval ${c}`,
  (c) => `xargs ${c}`,
  (c) => `bash -c "${c}"`,
  (c) => `echo $(${c})`,
  (c) => `echo "$(${c})"`,
  (c) => `f() { ${c}; }; f`,
  (c) => `(${c}) > o`,
  (c) => `{ ${c}; } >> o`,
  (c) => `if true; then ${c}; fi`,
  (c) => `coproc ${c}`,
  (c) => `timeout 5 sudo ${c}`,
  (c) => `timeout --x=1 5 ${c}`,
];

/** Options that make a listed program write or run, right behind its name. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  sort: ["-o o", "-oo", "--output=o", "--outp o", "--compress-program=x", "-T ."],
  sed: ["-i", "-i.bak", "-ni", "--in-place", "-f script", "-e 'w o'"],
  find: [". -delete", ". -exec rm {} +", ". -fprint o", ". -ok rm {} \\;"],
  awk: ["-f prog", "-i inplace", "-l x", "-E prog"],
  git: [
    "submodule foreach",
    "config edit",
    "status --help &&",
    "-c core.pager=x",
    "-c alias.x='!touch o'",
    "--exec-path=.",
    "--git-dir=x",
    "-p",
    "--paginate",
  ],
  rg: ["--pre x", "--pre=x", "--hostname-bin=x", "-z", "--search-zip"],
  file: ["-C", "-z", "--compile", "-Cm f"],
  tree: ["-o o", "-R"],
  tail: ["-f", "-F", "--follow=name", "--retry"],
  date: ["-s now", "--set=now", "-us now"],
  printf: ["-v PATH", "-vPATH"],
  diff: ["-l", "--paginate", "-W +9999", "--width=9999"],
  ps: ["e", "eww", "-eo environ", "-eo pid:9999"],
  od: ["-w9999", "-w1M", "--width=9999", "-vw0x9999"],
  nl: ["-w 9999", "-w +9999", "--number-width=9999"],
  hexdump: ["-e '9999/1 \"%x\"'", "-f formats"],
  jq: ["-f prog", "--slurpfile x f", "--rawfile x f", "--args", "-L .", "--indent --arg"],
  free: ["-s 1", "-c 9"],
  ss: ["-K", "-E", "-D o", "-tr"],
  lscpu: ["-s /"],
  unzip: ["-o", "-p", "-d x"],
  base64: ["-o o", "--output=o"],
};

/** Stand where a program stood. Not what may be asked for its version. */
const PROGRAMS = [
  "rm",
  "tee",
  "sh",
  "mv",
  "sudo",
  "source",
  ".",
  "eval",
  "yarn",
  "./ls",
  "~/ls",
  "$x",
  "l*",
  "{rm,x}",
];

/** `length` mutations of allowed commands, the same ones for the same seed. */
export function mutations(seed: number, length: number): Mutation[] {
  const random = seeded(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  // A comment would swallow what is put behind it.
  const commands = ALLOWED.filter((command) => !command.includes("#"));

  const several = (): string => {
    const joints = [" && ", " || ", " | ", "; ", "\n"];
    const parts = Array.from({ length: 1 + below(3) }, () => pick(commands));
    // The shell takes neither in the middle of a pipe.
    const joint = (part: string): string => (/^(!|time) /.test(part) ? "; " : pick(joints));
    return parts.reduce((all, part) => all + joint(part) + part);
  };
  const put = (base: string, at: number, piece: string): string => base.slice(0, at) + piece + base.slice(at);

  const ways: Readonly<Record<string, (base: string) => string | undefined>> = {
    piece: (base) => put(base, pick(gapsOf(base)), pick(PIECES)),
    wrap: (base) => pick(WRAPS)(base),
    option: (base) => {
      const places = programsOf(base).filter(({ name }) => Object.hasOwn(OPTIONS, name));
      if (places.length === 0) return undefined;
      const { name, end } = pick(places);
      return put(base, end, ` ${pick(OPTIONS[name]!)}`);
    },
    program: (base) => {
      const places = programsOf(base);
      if (places.length === 0) return undefined;
      const { start, end } = pick(places);
      return base.slice(0, start) + pick(PROGRAMS) + base.slice(end);
    },
    // A program with a space in its name.
    quote: (base) => {
      const places = programsOf(base).filter(({ end }) => /^ [\w-]+(?= |$)/.test(base.slice(end)));
      if (places.length === 0) return undefined;
      const { start, end } = pick(places);
      const behind = end + /^ [\w-]+/.exec(base.slice(end))![0].length;
      return `${base.slice(0, start)}'${base.slice(start, behind)}'${base.slice(behind)}`;
    },
  };

  const made: Mutation[] = [];
  while (made.length < length) {
    const base = several();
    const how = pick(Object.keys(ways));
    const command = ways[how]!(base);
    if (command !== undefined) made.push({ how, base, command });
  }
  return made;
}

/** Mutations that are taken for glances; there must be none. */
export function mistakenMutations(length: number, seed = 20_260_101): Mutation[] {
  return mutations(seed, length).filter(({ command }) => isGlance(command));
}

/** A text in quotes, or the beginning of one that goes on; a quote of the other kind in it is text. */
const QUOTED = /'[^']*(?:'|$)|"(?:[^"\\]|\\[^])*(?:"|$)/g;

const isOutsideQuotes = (command: string, at: number): boolean =>
  !Array.from(command.matchAll(QUOTED)).some(({ index, 0: text }) => index < at && at < index + text.length);

/** Places between words: inside quotes a piece would be text, behind a backslash a part of a word. */
function gapsOf(command: string): number[] {
  return [...command.matchAll(/ |$/g)]
    .map(({ index }) => index)
    .filter((at) => isOutsideQuotes(command, at) && !command.slice(0, at).endsWith("\\"));
}

/** Words at the beginning of simple commands. */
function programsOf(command: string): { name: string; start: number; end: number }[] {
  return [...command.matchAll(/(?<=^|[;&|\n({] ?)\w[\w+-]*(?= |$|\n|;)/g)]
    .filter(({ index }) => isOutsideQuotes(command, index))
    .map(({ 0: name, index }) => ({ name, start: index, end: index + name.length }));
}
