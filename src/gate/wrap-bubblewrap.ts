import { freeWord, quote } from "./shell-text.ts";

/** What a command may change in its sandbox. Paths are absolute, real and there. */
export interface SandboxMounts {
  /** Directories that can be written. */
  readonly writable: readonly string[];
  /** Directories in them that must keep their place: they cannot be renamed or removed. */
  readonly pinned: readonly string[];
  /** Files and directories in them that cannot be written after all. */
  readonly readOnly: readonly string[];
  /** Directories in those that can be written all the same. Default: none. */
  readonly reopened?: readonly string[];
  /** Environment variables that are set inside. */
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox is started by root. */
  readonly asRoot: boolean;
}

/** How a command is wrapped. */
export interface BubblewrapWrap {
  /** Absolute path of bubblewrap: a name could be answered by a program that a worker put into `PATH`. */
  readonly program: string;
  /** From {@link sandboxArgs}. */
  readonly args: readonly string[];
  /** Environment variables that neither the command nor bubblewrap itself gets. */
  readonly hidden: readonly string[];
}

/**
 * Root in the sandbox keeps what files, users and low ports need. With more of it, above all CAP_SYS_ADMIN, it could
 * undo the mounts: bubblewrap started by root keeps every capability by default (0.8.0).
 */
const ROOT_KEEPS = [
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "NET_BIND_SERVICE",
  "SETGID",
  "SETUID",
];

/** Settings of the whole machine: root needs no capability to write them, and `--proc` leaves them open (0.8.0). */
const MACHINE_SETTINGS = ["/proc/sys", "/proc/sysrq-trigger", "/proc/fs"];

/** Bubblewrap's arguments up to the `--` before the program: everything can be read, little can be written. */
export function sandboxArgs(mounts: SandboxMounts): string[] {
  const { writable, pinned, readOnly, reopened = [], env, asRoot } = mounts;
  const bind = (how: string) => (path: string) => [how, path, path];
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev"],
    // With a pid namespace of its own: the harness's and flower's environment is out of sight.
    ...["--proc", "/proc", "--unshare-pid", "--die-with-parent"],
    ...MACHINE_SETTINGS.flatMap(bind("--ro-bind-try")),
    ...["--cap-drop", "ALL"],
    ...(asRoot ? ROOT_KEEPS.flatMap((name) => ["--cap-add", `CAP_${name}`]) : []),
    // A place that is mounted cannot be renamed. What is read-only comes later, and the later mount wins.
    ...[...writable, ...pinned].flatMap(bind("--bind-try")),
    ...readOnly.flatMap(bind("--ro-bind-try")),
    ...reopened.flatMap(bind("--bind-try")),
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

/**
 * Rewrites a Bash command so that it runs under bubblewrap. Exit code, both streams and a change of directory come
 * through, and so do the functions and aliases of the shell around it: the harness defines `rg`, `grep` and `find` as
 * functions (0.3.332).
 *
 * The command goes in through a here-document, not as a quoted word: each quote in it would grow at every level, and
 * a word of a command line is limited to 128 KiB. The directory comes out through a pipe: a file would stay behind
 * when the command is killed.
 */
export function wrapInBubblewrap(command: string, { program, args, hidden }: BubblewrapWrap): string {
  const end = freeWord(command);
  const words = [
    ...["env", ...hidden.flatMap((name) => ["-u", name])],
    ...[program, ...args, "--"].map(quote),
    // The shell that reads this, bash or zsh.
    ...['"${BASH:-zsh}"', "-c", quote(INSIDE)],
  ];
  return [
    `{ __flower_cwd=$(command -p ${words.join(" ")} 5>&1 >&6 6>&-); } 3<<'${end}' 4< <(${DEFINITIONS}) 6>&1`,
    command,
    end,
    "__flower_status=$?",
    'if [ -n "$__flower_cwd" ]; then cd -- "$__flower_cwd" >/dev/null 2>&1; fi',
    "(exit $__flower_status)",
  ].join("\n");
}

/** Prints functions and aliases of a bash or a zsh. */
const DEFINITIONS = "declare -f; alias -L 2>/dev/null || alias -p";

/** Runs in the sandbox: 3 is the command, 4 the definitions, 5 takes the directory. */
const INSIDE = [
  // A person's functions may need extended patterns to be read; the harness's shell runs without (0.3.332).
  'shopt -s expand_aliases extglob 2>/dev/null; eval "$(cat <&4)" 2>/dev/null; shopt -u extglob 2>/dev/null',
  "__flower_command=$(cat <&3); exec 3<&- 4<&-",
  '__flower_keep() { [ -n "${__flower_kept-}" ] || { __flower_kept=1; command pwd >&5; }; }',
  // The trap serves `exit`, the line at the end a command that sets a trap of its own.
  "trap __flower_keep EXIT",
  'eval "$__flower_command"',
  "__flower_status=$?; __flower_keep; exit $__flower_status",
].join("\n");
