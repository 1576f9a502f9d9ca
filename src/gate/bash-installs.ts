import type { Arg } from "./bash-words.ts";
import { grammar, readOptions, type Grammar } from "./options.ts";
import type { Refusal } from "./policy.ts";

/** A program's verbs that install for the person's account or the whole machine. */
interface Installer {
  readonly options: Grammar;
  readonly verbs: RegExp;
  /** Only with one of these options; undefined = always. */
  readonly when?: readonly string[];
  /** Not with any of these. */
  readonly unless?: readonly string[];
}

const NODE_OPTIONS = "g|global prefix= C|dir= w|workspace= registry= location= D|save-dev";
const SYSTEM = {
  options: grammar("y|yes q|quiet s|simulate dry-run S|sync U|upgrade R|remove"),
  unless: ["s", "dry-run"],
};

const INSTALLERS: ReadonlyArray<readonly [string, Installer]> = [
  [
    "npm pnpm bun",
    {
      options: grammar(NODE_OPTIONS),
      verbs: /^(i|in|install|add|ci|rm|remove|un|uninstall|up|update|upgrade|link|rebuild)\b/,
      when: ["g", "location=global"],
    },
  ],
  ["npm pnpm", { options: grammar(NODE_OPTIONS), verbs: /^(link|ln)$/ }],
  ["yarn", { options: grammar("cwd="), verbs: /^(global (add|remove|upgrade)|link)/ }],
  [
    "pip pip3",
    { options: grammar("user t|target= r|requirement= prefix= root="), verbs: /^install/, when: ["user"] },
  ],
  ["pipx", { options: grammar(""), verbs: /^(install|inject|upgrade|uninstall)/ }],
  ["uv", { options: grammar(""), verbs: /^(tool (install|upgrade|uninstall)|python install)/ }],
  ["cargo", { options: grammar("root= path= git= version="), verbs: /^(un)?install\b/, unless: ["root"] }],
  [
    "apt apt-get aptitude dnf yum zypper apk brew port snap",
    { ...SYSTEM, verbs: /^(\w*install|add|del|remove|purge|\w*upgrade|update)\b/ },
  ],
  ["rustup", { options: grammar(""), verbs: /^(install|update|default|toolchain|component add|target add)/ }],
];

/** Why a command is refused that installs outside of the workspace; the sandbox would let it fail half-way. */
export function installRefusal(name: string, args: readonly Arg[]): Refusal | undefined {
  const outside = INSTALLERS.some(([names, { options: known, verbs, when, unless = [] }]) => {
    if (!names.split(" ").includes(name)) return false;
    const { operands, has, values } = readOptions(args, known);
    const isSet = (option: string): boolean => {
      const [key = "", value] = option.split("=");
      return value === undefined ? has(key) : values(key).some(({ text }) => text === value);
    };
    return (
      verbs.test(operands.map(({ text }) => text ?? "").join(" ")) &&
      (when === undefined || when.some(isSet)) &&
      !unless.some(isSet)
    );
  });
  return outside ? INSTALL : undefined;
}

/** Programs that leave a job for later, with the options that only show what there is. */
const SCHEDULERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["crontab", ["l", "V"]],
  ["at", ["l", "c", "V"]],
  ["atrm", ["V"]],
  ["batch", ["V"]],
]);

/** Why a command is refused that changes what the person's account runs later. */
export function scheduleRefusal(name: string, args: readonly Arg[]): Refusal | undefined {
  const shows = SCHEDULERS.get(name);
  if (shows === undefined || readOptions(args, grammar("u= f= q= t=")).has(...shows)) return undefined;
  return SCHEDULE;
}

const SCHEDULE: Refusal = {
  rule: "write-outside",
  reason:
    "This changes what the person's account runs later, when nobody looks after it. " +
    "Run the command now, or say in your report what should run when.",
};
const INSTALL: Refusal = {
  rule: "write-outside",
  reason:
    "This installs for the person's account or the whole machine, outside of workspace, workbench and temp directory. " +
    "Install into the project (a plain `npm install`, a virtual environment, `cargo install --root` under the temp " +
    "directory), or say in your report what the person has to install.",
};
