import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../support/rehearse.ts";
import { composeRewrites, spillFailingOutput, unsetCredentials } from "../../src/gate/rewrites.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(realpathSync(tmpdir()), "flower-rewrites-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Runs a command the way a harness does: evaluated in a shell, then its directory is asked for. */
function run(command: string) {
  const result = spawnSync(
    "bash",
    ["-c", 'eval "$1"; code=$?; pwd >"$2/.where"; exit $code', "-", command, dir],
    {
      cwd: dir,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        LC_ALL: "C",
        ANTHROPIC_API_KEY: "key-1",
        ANTHROPIC_AUTH_TOKEN: "token-1",
        OTHER: "kept",
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const where = join(dir, ".where");
  const cwd = existsSync(where) ? readFileSync(where, "utf8").trim() : undefined;
  return { code: result.status, stdout: result.stdout, stderr: result.stderr, cwd };
}

const live = () => join(dir, "li ve's", "run.txt");
const file = () => join(dir, "sp ill's", "out.txt");
const places = () => ({ live: live(), file: file(), thresholdChars: 4000, previewChars: 400 });
const spill = (command: string) => spillFailingOutput(command, places());

describe("unsetCredentials", () => {
  it("leaves the rest of the environment, the exit code and the directory", () => {
    const result = run(
      unsetCredentials("id")(
        'mkdir sub; cd sub; echo "[$ANTHROPIC_API_KEY$ANTHROPIC_AUTH_TOKEN$OTHER]"; exit_code() { return 7; }; exit_code',
      ),
    );
    expect(result).toEqual({ code: 7, stdout: "[kept]\n", stderr: "", cwd: join(dir, "sub") });
  });

  it.each(["# a comment\necho hi", "\necho hi", "cat <<E\nhi\nE"])("can stand before %j", (command) => {
    expect(run(unsetCredentials("id")(command))).toMatchObject({ code: 0, stdout: "hi\n", stderr: "" });
  });
});

describe("spillFailingOutput", () => {
  it.each<[string, string, number, string]>([
    ["a success", "echo hi", 0, "hi\n"],
    ["no newline at the end", "printf hi", 0, "hi"],
    ["no output", "true", 0, ""],
    ["a small failure", "echo hi; false", 1, "hi\n"],
    ["exit", "echo hi; exit 3; echo never", 3, "hi\n"],
    ["both streams in order", "echo 1; echo 2 >&2; echo 3; echo 4 >&2", 0, "1\n2\n3\n4\n"],
    ["a here-document at the end", "cat <<'E'\na $b\nE", 0, "a $b\n"],
    ["a comment at the end", "echo hi # done", 0, "hi\n"],
    ["exec", "exec echo hi", 0, "hi\n"],
    ["exec with a redirection", "exec 2>/dev/null; echo hi; echo no >&2", 0, "hi\n"],
    ["a trap of its own", "trap 'echo bye' EXIT; echo hi; exit 4", 4, "hi\nbye\n"],
    ["set -e", "set -e; echo hi; false; echo never", 1, "hi\n"],
    ["noclobber", "set -C; echo hi", 0, "hi\n"],
    ["a trace", "set -x; echo hi; exit 0", 0, "++ echo hi\nhi\n++ exit 0\n"],
    ["a trace to the end", "set -x; true", 0, "++ true\n"],
    ["quotes", `echo "it's" '"x"'`, 0, `it's "x"\n`],
  ])("passes %s as it is", (_, command, code, stdout) => {
    const wrapped = spill(command);
    expect(wrapped).not.toBe(command);
    expect(run(wrapped)).toMatchObject({ code, stdout, stderr: "" });
    expect(readdirSync(join(dir, "li ve's"))).toEqual([]);
    expect(existsSync(join(dir, "sp ill's"))).toBe(false);
  });

  // By itself Bash ends them with 127; brackets make 1 of it, and it is a failure all the same.
  it.each(["set -u; echo $nope", "echo ${nope:?is missing}"])(
    "shows why the shell gave up: %s",
    (command) => {
      const { code, stdout } = run(spill(command));
      expect(code).toBe(1);
      expect(stdout).toMatch(/nope: (unbound variable|is missing)\n$/);
    },
  );

  it("passes long output of a success whole", () => {
    const { code, stdout } = run(spill("printf 'x%.0s' {1..50000}"));
    expect(code).toBe(0);
    expect(stdout).toBe("x".repeat(50_000));
  });

  it("keeps long output of a failure in the file and shows both ends", () => {
    const { code, stdout } = run(spill("echo first; printf 'x%.0s' {1..50000}; echo; echo last >&2; exit 5"));
    expect(code).toBe(5);
    expect(stdout.length).toBeLessThan(1200);
    expect(stdout).toContain(
      `[3 lines, 50012 characters stored in ${file()}; use Read with offset and limit, or Grep`,
    );
    expect(stdout).toContain(`its long lines are broken in ${file().replace(".txt", "-lines.txt")}`);
    expect(stdout).toContain("]\nfirst\nxxx");
    expect(stdout).toMatch(/xxx\nlast\n$/);
    expect(readFileSync(file(), "utf8")).toBe(`first\n${"x".repeat(50_000)}\nlast\n`);
    expect(readdirSync(join(dir, "sp ill's"))).toEqual(["out.txt"]);
    expect(readdirSync(join(dir, "li ve's"))).toEqual([]);
  });

  it("names no copy of lines that can be paged", () => {
    const { code, stdout } = run(spill("seq 1 12000; false"));
    expect(code).toBe(1);
    expect(stdout).toContain("[12000 lines, 60894 characters stored in ");
    expect(stdout).not.toContain("-lines.txt");
  });

  it("counts characters in any locale", () => {
    const command = "printf '花%.0s' {1..1400}; exit 3";
    expect(run(spill(command))).toMatchObject({ code: 3, stdout: "花".repeat(1_400) });
    expect(run(spill(command.replace("1400", "4000"))).stdout).toContain("4000 characters stored in ");
    const emoji = "printf '🌼%.0s' {1..2001}; exit 3";
    expect(run(spill(emoji)).stdout).toContain("4002 characters stored in ");
    expect(run(spill(emoji.replace("2001", "1999"))).stdout).toBe("🌼".repeat(1_999));
  });

  describe("with jobs in the background", () => {
    const PRINTED = "seq 1 12000";
    const JOBS: ReadonlyArray<[string, string]> = [
      ["a job", `sleep 0.2 & ${PRINTED}; wait; exit 9`],
      ["a job that prints, waited for", `(${PRINTED}; exit 9) & wait $!`],
      ["nohup", `nohup sleep 0.1 & ${PRINTED}; exit 9`],
      ["a job in brackets", `(sleep 0.1 &); ${PRINTED}; exit 9`],
      ["a coprocess", `coproc cat; ${PRINTED}; exit 9`],
    ];
    it.each(JOBS)("keeps a long failure short: %s", (_, command) => {
      const { code, stdout } = run(spill(command));
      expect(code).toBe(9);
      expect(stdout.length).toBeLessThan(4000);
      expect(stdout).toContain(`stored in ${file()}`);
      expect(readFileSync(file(), "utf8")).toContain("\n11999\n12000\n");
    });

    it("does not wait for them; what they print later goes to the same file", async () => {
      const go = join(dir, "go");
      const job = `(until [ -e '${go}' ]; do sleep 0.02; done; echo late) & echo early`;
      // Fails when the job holds the output open that the shell is waited for by: this would not come back.
      const { code, stdout } = run(spill(job));
      expect(code).toBe(0);
      expect(stdout).toBe(`early\n[what its background jobs print from here on goes to ${live()}.jobs]\n`);
      writeFileSync(go, "");
      await until(() => readFileSync(`${live()}.jobs`, "utf8") === "early\nlate\n");
    });

    it("leaves nothing behind where they end with the command", () => {
      const options = { ...places(), jobsLiveOn: false };
      expect(run(spillFailingOutput("true & echo hi; wait", options)).stdout).toBe("hi\n");
      expect(readdirSync(join(dir, "li ve's"))).toEqual([]);
    });
  });

  // What the harness does without a wrapping is the measure.
  it.each<[string, string]>([
    ["exec at the end", "seq 1 12000; exec sh -c 'seq 5 9; exit 9'"],
    ["exec of a redirection", "exec 2>&1; seq 1 12000; exit 9"],
    ["a trap of its own", "trap 'echo bye' EXIT; seq 1 12000; exit 9"],
    ["a trap that ends with another code", "trap 'exit 9' EXIT; seq 1 12000; exit 3"],
    ["a change of directory", "mkdir sub; cd sub; seq 1 12000; exit 9"],
    ["a here-document", "cat <<E\n$(seq 1 12000)\nE\n(exit 9)"],
    ["set -e", "set -e; seq 1 12000; (exit 9); echo never"],
    ["a pipe", "set -o pipefail; sh -c 'seq 1 12000; exit 9' | cat"],
    ["a timeout", "seq 1 12000; timeout 5 sh -c 'exit 9'"],
    ["an option of the shell", "shopt -s globstar; seq 1 12000; exit 9"],
    ["an alias", "shopt -s expand_aliases; alias many='seq 1'\nmany 12000; exit 9"],
    ["a pattern that an option allows", "shopt -s extglob\nls !(.w*) >/dev/null; seq 1 12000; exit 9"],
    ["an option and a trap", "shopt -s nullglob; trap 'exit 9' EXIT; seq 1 12000; exit 3"],
    ["an option and a directory", "shopt -s nullglob; mkdir sub; cd sub; seq 1 12000; exit 9"],
    ["an option and exec", "shopt -s nullglob; seq 1 12000; exec sh -c 'seq 5 9; exit 9'"],
    ["an option and set -e", "shopt -s nullglob; set -e; seq 1 12000; (exit 9); echo never"],
  ])("keeps a long failure with %s short, and its code", (_, command) => {
    const { code, stdout, stderr } = run(spill(command));
    expect(code).toBe(9);
    expect(stderr).toBe("");
    expect(stdout.length).toBeLessThan(4000);
    expect(readFileSync(file(), "utf8")).toBe(run(command.replace("mkdir sub;", "")).stdout);
  });

  describe.each(["li ve's", "sp ill's"])("where nothing can be put into %s", (taken) => {
    beforeEach(() => {
      writeFileSync(join(dir, taken), "in the way");
    });

    it.each<[string, string, number, string]>([
      ["a success", "echo hi; echo ho >&2", 0, "hi\nho\n"],
      ["a failure", "echo hi; exit 3", 3, "hi\n"],
    ])("shows %s as it is", (_, command, code, stdout) => {
      expect(run(spill(command))).toMatchObject({ code, stdout, stderr: "" });
    });

    it("lets a change of directory through", () => {
      expect(run(spill("mkdir sub; cd sub")).cwd).toBe(join(dir, "sub"));
      expect(readdirSync(dir)).toContain(taken);
    });
  });

  it("shows a long failure as it is where it cannot be kept", () => {
    writeFileSync(join(dir, "sp ill's"), "in the way");
    const { code, stdout, stderr } = run(spill("printf 'x%.0s' {1..50000}; exit 3"));
    expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: "x".repeat(50_000), stderr: "" });
    // For flower, which says so.
    expect(readFileSync(live(), "utf8")).toBe("x".repeat(50_000));
    expect(readdirSync(join(dir, "li ve's"))).toEqual(["run.txt"]);
  });

  // `let x=1<<2` begins a here-document without an end: the shell reads on, with a warning.
  it.each([
    "cat <<E\nno end; $(seq 1 12000)",
    "seq 1 12000; let x=1<<2; (exit 1)",
    "seq 1 12000; ls nowhere \\",
  ])("keeps a failure short that runs into the end: %j", (command) => {
    const { code, stdout } = run(
      spill(`${command.startsWith("cat") ? "set -o pipefail; false | " : ""}${command}`),
    );
    expect(code).not.toBe(0);
    expect(stdout).toContain(`characters stored in ${file()}`);
    expect(stdout).not.toContain("__flower");
  });

  it.each([
    "mkdir sub; cd sub",
    "mkdir sub; cd sub; exit 3",
    "mkdir sub; cd sub; false",
    "mkdir sub; cd sub; trap 'echo bye' EXIT",
  ])("lets a change of directory through: %s", (command) => {
    expect(run(spill(command)).cwd).toBe(join(dir, "sub"));
  });

  it.each([
    ["TERM", 143],
    ["KILL", 137],
    ["XFSZ", 153],
  ])("passes the code of the signal %s, and prints nothing of its own source", (signal, code) => {
    expect(run(spill(`echo hi; kill -${signal} $BASHPID`))).toMatchObject({
      code,
      stdout: "hi\n",
      stderr: "",
    });
  });

  it("does not fall over a directory that is gone", () => {
    expect(run(spill("mkdir sub; cd sub; rmdir ../sub; echo hi"))).toMatchObject({
      stdout: "hi\n",
      cwd: dir,
    });
  });

  it.each(["echo 'unbalanced", 'echo "unbalanced', "echo a ) ; ( echo b", "if true"])(
    "leaves alone %j",
    (command) => {
      expect(spill(command)).toBe(command);
    },
  );
});

describe("composeRewrites", () => {
  it("applies them in the given order", () => {
    expect(composeRewrites([(c) => `${c}1`, (c) => `${c}2`])("0")).toBe("012");
    expect(composeRewrites([])("0")).toBe("0");
  });

  it("takes credentials away and spills a failure", () => {
    const both = composeRewrites([unsetCredentials("id"), spill]);
    expect(run(both('mkdir sub; cd sub; echo "[$ANTHROPIC_API_KEY]"; exit 3'))).toEqual({
      code: 3,
      stdout: "[]\n",
      stderr: "",
      cwd: join(dir, "sub"),
    });
  });
});
