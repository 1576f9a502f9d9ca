// `npm run knockouts [-- --only <words>]`: takes every mechanism that test/knockouts/*.json lists out of a copy of the
// repository, one at a time, and expects its test to fail. One line a row; exit code 1 when a mechanism is missed by
// its test or a row no longer fits. The repository itself is only read.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
/** A run that hangs is ended after this; tests have limits of their own. */
const LIMIT_MS = 10 * 60_000;
/** Found in the environment of whatever a test started, also when its parent is gone. */
const MARK = `KNOCKOUT_MARK=${randomUUID()}`;

const { only = "" } = parseArgs({ options: { only: { type: "string" } } }).values;
const rows = readdirSync(join(root, "test/knockouts"))
  .filter((name) => name.endsWith(".json"))
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(join(root, "test/knockouts", name), "utf8")))
  .filter((row) => `${row.mechanism} ${row.file} ${row.test}`.toLowerCase().includes(only.toLowerCase()));

const temp = realpathSync(mkdtempSync(join(tmpdir(), "flower-knockouts-")));
const repo = join(temp, "repo");
let running;
process.on("exit", () => {
  endGroup();
  sweep();
  rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
});
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
  process.on(signal, () => process.exit(code));

copyRepository();
if ((await build("inherit")) !== 0) fail("the repository does not build");
const tally = { caught: 0, MISSED: 0, ERROR: 0 };
const sound = await soundRows();
for (const row of sound) report(row, ...(await knockOut(row)));
console.log(`${tally.caught} caught, ${tally.MISSED} missed, ${tally.ERROR} rows with an error`);
process.exitCode = tally.caught === rows.length && rows.length > 0 ? 0 : 1;

/** Packages are linked one by one: what tools cache in node_modules must not come from changed sources. */
function copyRepository() {
  mkdirSync(join(repo, "node_modules"), { recursive: true });
  mkdirSync(join(temp, "tmp"));
  for (const name of readdirSync(root))
    if (!["node_modules", "dist", ".git"].includes(name))
      cpSync(join(root, name), join(repo, name), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (!/^\.(cache|vite|vite-temp|vitest)$/.test(name))
      symlinkSync(realpathSync(join(root, "node_modules", name)), join(repo, "node_modules", name));
}

/** Rows that fit and whose tests pass without a change; the others are told. */
async function soundRows() {
  const fitting = rows.filter((row) => {
    const trouble = misfit(row);
    if (trouble !== undefined) report(row, "ERROR", trouble);
    return trouble === undefined;
  });
  const groups = [fitting.filter((row) => row.name === undefined), fitting.filter((row) => row.name)];
  const sound = [];
  for (const group of groups.filter((some) => some.length > 0)) {
    const files = [...new Set(group.map((row) => row.test))];
    const names = group.flatMap((row) => (row.name === undefined ? [] : [`(?:${row.name})`]));
    const ran = await test(files, names.join("|"));
    for (const row of group) {
      const own = ran.tests.filter(
        (one) => one.file === row.test && new RegExp(row.name ?? "").test(one.name),
      );
      const bad = own.find((one) => one.status !== "passed");
      if (own.length === 0) report(row, "ERROR", `no test of that name ran in ${row.test}`);
      else if (bad !== undefined) report(row, "ERROR", `fails without a change: ${row.test}: ${bad.name}`);
      else sound.push(row);
    }
  }
  return rows.filter((row) => sound.includes(row));
}

/** Why a row cannot be used. */
function misfit(row) {
  if (!existsSync(join(repo, row.file))) return `there is no ${row.file}`;
  if (!existsSync(join(repo, row.test))) return `there is no ${row.test}`;
  const { count, path } = find(row);
  if (count !== 1) return `\`find\` occurs ${count} times in ${row.file}, not once`;
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext };
  const text = readFileSync(path, "utf8").split(row.find).join(row.replace);
  const changed = ts.transpileModule(text, { compilerOptions, reportDiagnostics: true });
  const [error] = changed.diagnostics ?? [];
  return error && `not valid with \`replace\`: ${ts.flattenDiagnosticMessageText(error.messageText, " ")}`;
}

/** How often the text occurs, and where: `file` may be a folder whose code moves between its files. */
function find(row) {
  const place = join(repo, row.file);
  const paths = statSync(place).isFile() ? [place] : readdirSync(place).map((name) => join(place, name));
  const found = paths
    .filter((path) => path.endsWith(".ts"))
    .map((path) => ({ path, count: readFileSync(path, "utf8").split(row.find).length - 1 }))
    .filter(({ count }) => count > 0);
  return { path: found[0]?.path, count: found.reduce((sum, { count }) => sum + count, 0) };
}

async function knockOut(row) {
  const { path } = find(row);
  const original = readFileSync(path, "utf8");
  // Types may not fit with the mechanism out; the compiler writes its output all the same.
  const rebuilds =
    /^test\/(cli\/|isolation\/(killed|repository)|harness\/containment|runtime\/handoff-killed)/.test(
      row.test,
    );
  try {
    writeFileSync(path, original.split(row.find).join(row.replace));
    if (rebuilds) await build("ignore");
    const { code, tests } = await test([row.test], row.name ?? "", "--bail=1");
    if (code === undefined) return ["caught", `${row.test}: did not end`];
    if (code === 0) return ["MISSED", row.test];
    const ran = tests.filter(({ status }) => status === "passed" || status === "failed");
    if (ran.length === 0) return ["ERROR", `${row.test} does not load any more`];
    return ["caught", `${row.test}: ${ran.find(({ status }) => status === "failed")?.name ?? "an error"}`];
  } finally {
    writeFileSync(path, original);
    if (rebuilds) await build("ignore");
  }
}

function report(row, what, by) {
  tally[what] += 1;
  console.log(`${what.padEnd(6)}  ${row.mechanism}  ${what === "ERROR" ? by : `by ${by}`}`);
}

function build(output) {
  return run(["scripts/build.mjs"], output);
}

/** Runs test files; `code` is undefined when they did not end. */
async function test(files, name, ...more) {
  const out = join(temp, "result.json");
  rmSync(out, { force: true });
  const filter = name === "" ? [] : ["-t", name];
  const reporter = ["--reporter=json", `--outputFile=${out}`];
  const code = await run([
    "node_modules/vitest/vitest.mjs",
    "run",
    ...files,
    ...filter,
    ...reporter,
    ...more,
  ]);
  const results = existsSync(out) ? JSON.parse(readFileSync(out, "utf8")).testResults : [];
  const tests = results.flatMap((result) =>
    result.assertionResults
      .filter(({ status }) => status !== "skipped" && status !== "pending")
      .map(({ fullName, status }) => ({ file: result.name.slice(repo.length + 1), name: fullName, status })),
  );
  return { code, tests };
}

/** Exit code of a Node script in the copy; undefined when it was ended. Nothing that it started outlives it. */
function run(args, output = "ignore") {
  const [name, value] = MARK.split("=");
  running = spawn(process.execPath, args, {
    cwd: repo,
    env: { ...process.env, [name]: value, FLOWER_LONG: "1", TMPDIR: join(temp, "tmp") },
    stdio: ["ignore", output, output],
    // A group of its own: Ctrl-C reaches this script alone, which ends the group.
    detached: true,
  });
  const child = running;
  return new Promise((resolve) => {
    const limit = setTimeout(endGroup, LIMIT_MS);
    child.once("exit", (code) => {
      clearTimeout(limit);
      endGroup();
      sweep();
      running = undefined;
      resolve(code ?? undefined);
    });
  });
}

function endGroup() {
  try {
    if (running !== undefined) process.kill(-running.pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** A test whose containment was taken out leaves processes behind that are in no group of ours. */
function sweep() {
  if (process.platform !== "linux") return;
  // Again, because they may start others meanwhile.
  for (let pass = 0; pass < 20; pass += 1) {
    const left = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isMarked(name));
    if (left.length === 0) return;
    for (const pid of left) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // Gone already.
      }
    }
  }
}

function isMarked(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(MARK);
  } catch {
    return false;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
