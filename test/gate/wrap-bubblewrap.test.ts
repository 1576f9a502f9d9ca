import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  composeRewrites,
  sandboxArgs,
  spillFailingOutput,
  unsetCredentials,
  wrapInBubblewrap,
  type SandboxMounts,
} from "../../src/gate/rewrites.ts";
import { commandSandbox, startedByRoot } from "../../src/harness/sandbox.ts";
import { pidsOf } from "../support/processes.ts";
import { until } from "../support/rehearse.ts";

const NOTHING: SandboxMounts = { writable: [], pinned: [], readOnly: [], env: {}, asRoot: false };
const sandbox = commandSandbox("supervisor");
const program = sandbox.works ? sandbox.program : "";

/** Arguments after each occurrence of an option. */
const after = (args: readonly string[], option: string, count: number): string[][] =>
  args.flatMap((arg, i) => (arg === option ? [args.slice(i + 1, i + 1 + count)] : []));

describe("sandboxArgs", () => {
  it("mounts what can be written over a root that cannot, and what cannot be after all last", () => {
    const args = sandboxArgs({ ...NOTHING, writable: ["/w"], pinned: ["/w/n"], readOnly: ["/w/n/f"] });
    expect(args.slice(0, 3)).toEqual(["--ro-bind", "/", "/"]);
    expect(args.slice(-9)).toEqual([
      ...["--bind-try", "/w", "/w"],
      ...["--bind-try", "/w/n", "/w/n"],
      ...["--ro-bind-try", "/w/n/f", "/w/n/f"],
    ]);
  });

  it("shares no process with the harness", () => {
    expect(sandboxArgs(NOTHING)).toEqual(expect.arrayContaining(["--unshare-pid", "--die-with-parent"]));
  });

  it("leaves root what files need, nobody else anything", () => {
    expect(after(sandboxArgs(NOTHING), "--cap-drop", 1)).toEqual([["ALL"]]);
    expect(after(sandboxArgs(NOTHING), "--cap-add", 1)).toEqual([]);
    const kept = after(sandboxArgs({ ...NOTHING, asRoot: true }), "--cap-add", 1).flat();
    expect(kept).toContain("CAP_DAC_OVERRIDE");
    expect(kept).not.toContain("CAP_SYS_ADMIN");
    expect(kept).not.toContain("CAP_DAC_READ_SEARCH");
  });

  it("sets variables", () => {
    expect(after(sandboxArgs({ ...NOTHING, env: { A: "b c" } }), "--setenv", 2)).toEqual([["A", "b c"]]);
  });
});

describe("wrapInBubblewrap", () => {
  it("holds no command that could end its here-document early", () => {
    const wrapped = wrapInBubblewrap("cat <<FLOWER_END\nFLOWER_END_\nFLOWER_END", {
      program: "/usr/bin/bwrap",
      args: [],
      hidden: [],
    });
    const end = /3<<'(\w+)'/.exec(wrapped)?.[1];
    expect(wrapped.split("\n").filter((line) => line === end)).toHaveLength(1);
  });
});

describe.runIf(sandbox.works)("a wrapped command", () => {
  /** Has a quote, a space and CJK. */
  let dir: string;
  let inside: string;
  let outside: string;
  beforeEach(() => {
    dir = mkdtempSync(join(realpathSync(tmpdir()), "flower's 花 "));
    inside = join(dir, "in side");
    outside = join(dir, "outside");
    mkdirSync(inside);
    mkdirSync(outside);
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  const wrap =
    (mounts: Partial<SandboxMounts> = {}) =>
    (command: string): string =>
      wrapInBubblewrap(command, {
        program,
        args: sandboxArgs({ ...NOTHING, writable: [inside], asRoot: startedByRoot(), ...mounts }),
        hidden: ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"],
      });

  /** The harness's way: a shell with functions of its own evaluates the text and notes where it is. */
  const AROUND = `shopt -s extglob
helper() { case $1 in @(me|you)) ;; *) echo "helped $1" ;; esac; }
shopt -u extglob; shopt -s expand_aliases; alias shortcut='echo taken'
eval "$1" </dev/null; code=$?; pwd -P >"$2/.where"; exit $code`;

  const env = {
    PATH: process.env["PATH"],
    ANTHROPIC_AUTH_TOKEN: "planted-token",
    OTHER: "kept",
  };

  function run(command: string) {
    const { status, stdout, stderr } = spawnSync("bash", ["-c", AROUND, "-", command, dir], {
      cwd: inside,
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 1e8,
    });
    return { code: status, stdout, stderr, cwd: readFileSync(join(dir, ".where"), "utf8").trim() };
  }

  it.each<[string, string, number, string]>([
    ["a success", "echo hi", 0, "hi\n"],
    ["an exit code", "echo hi; exit 7; echo never", 7, "hi\n"],
    ["a failure", "echo hi; false", 1, "hi\n"],
    ["set -e", "set -e; echo hi; false; echo never", 1, "hi\n"],
    ["set -u", "set -u; echo hi; echo $nothing 2>/dev/null", 127, "hi\n"],
    ["exec", "exec echo hi", 0, "hi\n"],
    ["a trap of its own", "trap 'echo bye' EXIT; echo hi; exit 4", 4, "hi\nbye\n"],
    ["quotes", `echo "it's" '"x"' \\"`, 0, `it's "x" "\n`],
    ["a here-document", "cat <<'E'\na $b 'c\nE", 0, "a $b 'c\n"],
    ["options of the parser", "shopt -s extglob\ntouch a b\necho !(a)", 0, "b\n"],
    ["a brace too many", "echo hi; }", 2, ""],
    ["a backslash at the end", "echo hi \\", 0, "hi \\\n"],
    ["functions of the shell around it", "helper me", 0, "helped me\n"],
    ["aliases of the shell around it", "shortcut", 0, "taken\n"],
    ["the environment", "echo $OTHER", 0, "kept\n"],
    ["an empty input", "cat; echo done", 0, "done\n"],
    ["the code of a signal", "kill -TERM $$", 143, ""],
  ])("passes %s", (_, command, code, stdout) => {
    expect(run(wrap()(command))).toMatchObject({ code, stdout, cwd: inside });
  });

  it("passes streams apart and whole", () => {
    const { stdout, stderr } = run(wrap()("printf 'x%.0s' {1..50000}; printf 'y%.0s' {1..50000} >&2"));
    expect(stdout).toBe("x".repeat(50_000));
    expect(stderr).toBe("y".repeat(50_000));
  });

  it("takes a command with many quotes, as long as the shell takes it without", () => {
    const text = "it's ".repeat(20_000);
    expect(run(wrap()(`cat <<'E'\n${text}\nE`)).stdout).toBe(`${text}\n`);
  });

  it.each([
    "mkdir sub; cd sub",
    "mkdir sub; cd sub; exit 3",
    "mkdir sub; cd sub; false",
    "mkdir sub; cd sub; trap 'echo bye' EXIT",
    "set -C -u; mkdir sub; cd sub",
  ])("lets a change of directory through: %s", (command) => {
    expect(run(wrap()(command)).cwd).toBe(join(inside, "sub"));
  });

  it("writes where it may and nowhere else, whatever the program", () => {
    const write = (path: string) => `python3 -c 'import sys; open(sys.argv[1], "w").write("x")' "${path}"`;
    expect(run(wrap()(write(join(inside, "a.txt"))))).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(inside, "a.txt"), "utf8")).toBe("x");
    const refused = run(wrap()(write(join(outside, "a.txt"))));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("Read-only file system");
    expect(readdirSync(outside)).toEqual([]);
  });

  it("keeps what is protected where it may write, also by way of its directory", () => {
    const { stdout } = run("mkdir notes books; echo agreed >notes/brief.md; echo kept >books/row");
    expect(stdout).toBe("");
    const mounts = {
      pinned: [join(inside, "notes")],
      readOnly: [join(inside, "notes/brief.md"), join(inside, "books"), join(inside, "not there")],
    };
    const tries = [
      "echo x >notes/brief.md",
      "rm -f notes/brief.md",
      "mv notes elsewhere",
      "mv books elsewhere",
      "echo x >books/row",
      "touch books/new",
      "echo new >notes/other.md",
    ];
    const codes = run(wrap(mounts)(tries.map((line) => `${line} 2>/dev/null; echo $?`).join("\n"))).stdout;
    expect(codes).toBe("1\n1\n1\n1\n1\n1\n0\n");
    expect(readFileSync(join(inside, "notes/brief.md"), "utf8")).toBe("agreed\n");
    expect(readdirSync(join(inside, "books"))).toEqual(["row"]);
    expect(existsSync(join(inside, "not there"))).toBe(false);
  });

  it("cannot undo its mounts or set the machine's settings, also as root", () => {
    const pattern = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
    const tries = [
      "mount -o remount,bind,rw /",
      `umount "${inside}"`,
      "unshare -Urm mount -o remount,bind,rw /",
      // What stands there already, in case it goes through.
      `printf %s '${pattern.trim()}' >/proc/sys/kernel/core_pattern`,
    ];
    const { stdout } = run(
      wrap()(tries.map((line) => `{ ${line}; } 2>/dev/null && echo '${line}'`).join("\n")),
    );
    expect(stdout).toBe("");
  });

  it("sees no token in any process, and none of the processes around it", () => {
    const planted = spawn("sleep", ["60"], { env, stdio: "ignore" });
    try {
      const look = `cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c -e ANTHROPIC -e OTHER=kept; ls -d /proc/[0-9]* | wc -l`;
      const { stdout } = run(`${wrap()("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | sort -u")}; true`);
      expect(stdout).toContain("OTHER=kept");
      expect(stdout).not.toContain("planted-token");
      // Without the wrap it is there to be read.
      expect(run("cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'").stdout).toContain("planted-token");
      expect(Number(run(wrap()(look)).stdout.trim().split("\n").at(-1))).toBeLessThan(10);
    } finally {
      planted.kill("SIGKILL");
    }
  });

  it("ends with everything that it started, also in sessions of their own", async () => {
    const marker = `${4_000 + Math.floor(Math.random() * 9_000)}.${process.pid}`;
    expect(run(wrap()(`setsid sleep ${marker} & echo started`))).toMatchObject({
      code: 0,
      stdout: "started\n",
    });
    await until(() => pidsOf(`sleep\0${marker}`).length === 0);
  });

  it("ends by SIGTERM to its process group", async () => {
    const marker = `${4_000 + Math.floor(Math.random() * 9_000)}.${process.pid}`;
    const shell = spawn(
      "bash",
      ["-c", AROUND, "-", wrap()(`setsid sleep ${marker} & sleep ${marker} | cat`), dir],
      {
        cwd: inside,
        env,
        detached: true,
        stdio: "ignore",
      },
    );
    await until(() => pidsOf(`sleep\0${marker}`).length === 2);
    const ended = once(shell, "exit");
    process.kill(-(shell.pid ?? 0), "SIGTERM");
    await ended;
    await until(() => pidsOf(`sleep\0${marker}`).length === 0);
  });

  it("comes after credentials and spill", () => {
    const file = join(inside, "spill", "out.txt");
    const all = composeRewrites([
      unsetCredentials("id"),
      (command) =>
        spillFailingOutput(command, { live: `${file}.live`, file, thresholdChars: 4000, previewChars: 400 }),
      wrap(),
    ]);
    const { code, stdout, cwd } = run(all("mkdir sub; cd sub; printf 'x%.0s' {1..50000}; exit 7"));
    expect({ code, cwd }).toEqual({ code: 7, cwd: join(inside, "sub") });
    expect(stdout).toContain("50000 characters");
    expect(stdout.length).toBeLessThan(1200);
    expect(readFileSync(file, "utf8")).toBe("x".repeat(50_000));
    expect(readdirSync(join(inside, "spill"))).toEqual(["out.txt"]);
  });
});
