import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Jiti } from "jiti";
import { errorText, FlowerError } from "../core/errors.ts";
import * as main from "../index.ts";
import * as stores from "../store/index.ts";
import * as testing from "../testing/index.ts";
import { isFlow, isWorkflow, type Flow } from "../workflow/flow.ts";

/** A workflow from a file or package. */
export interface LoadedFlow {
  flow: Flow;
  /** What a command line names it by, also from another directory. */
  reference: string;
  /** For the eye. */
  name: string;
}

/** What a file imports by these names is the flower that runs, wherever the file lies. */
const OWN_MODULES = {
  "flower-agent": main,
  "flower-agent/stores": stores,
  "flower-agent/testing": testing,
};

/**
 * Loads `file`, `file:export`, `package` or `package:export`; TypeScript is run as it is. Without an export `default`
 * is meant, else the only workflow there is.
 * @param reference relative to `cwd`.
 * @throws FlowerError `usage` that says what is wrong: no such file or export, no workflow, what its code threw.
 */
export async function loadFlow(reference: string, cwd: string): Promise<LoadedFlow> {
  const { createJiti } = await import("jiti");
  // Without a cache on disk: a run leaves nothing but its own files.
  const jiti = createJiti(join(cwd, "flower-run.js"), {
    fsCache: false,
    interopDefault: false,
    virtualModules: OWN_MODULES,
  });
  const { target, name } = split(reference, cwd);
  const file = isFile(resolve(cwd, target)) ? resolve(cwd, target) : undefined;
  const exports = await load(jiti, file ?? packagePath(jiti, target, cwd), target);
  const found = pick(exports, name, target);
  const shown = found.name === "default" ? basename(target, extname(target)) : found.name;
  const suffix = name === undefined ? "" : `:${name}`;
  return { flow: found.flow, reference: `${file ?? target}${suffix}`, name: shown };
}

/**
 * What was thrown, with the place in somebody else's code that it came from; as it is when it was thrown on purpose.
 * @returns an error with that in its message.
 */
export function placed(error: unknown): unknown {
  const place = FlowerError.is(error) ? undefined : placeOf(error);
  return place === undefined ? error : new Error(`${errorText(error)} (${place})`, { cause: error });
}

/** A name may follow behind the last colon, unless a file is called so. */
function split(reference: string, cwd: string): { target: string; name: string | undefined } {
  const [, target = "", name] = /^(.+):([\p{L}\p{N}_$]+)$/u.exec(reference) ?? [];
  if (target === "" || existsSync(resolve(cwd, reference))) return { target: reference, name: undefined };
  return { target, name };
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Where a package's code is, as seen from `cwd`. */
function packagePath(jiti: Jiti, target: string, cwd: string): string {
  const path = resolve(cwd, target);
  if (existsSync(path))
    throw notThere(`${target} is a directory`, `name a file in it, e.g. ${target}/flow.ts`);
  if (/^[./~]|\.[cm]?[jt]sx?$/.test(target))
    throw notThere(`there is no file ${path}`, "name a file, with its export where it has several");
  const found = jiti.esmResolve(target, { try: true, parentURL: pathToFileURL(join(cwd, "flower-run.js")) });
  if (found === undefined)
    throw notThere(
      `there is neither a file nor a package ${target} in ${cwd}`,
      `name a file (flower run ./flow.ts); install the package there; or, if this is a request, flower go run ${target} …`,
    );
  return found.startsWith("file:") ? fileURLToPath(found) : found;
}

async function load(jiti: Jiti, path: string, target: string): Promise<Record<string, unknown>> {
  try {
    return byName(await jiti.import(path));
  } catch (error) {
    if (FlowerError.is(error)) throw error;
    throw new FlowerError("usage", `${target} cannot be loaded: ${whyNot(error)}`, {
      nextStep: "mend that; nothing was started",
      cause: error,
    });
  }
}

/** The exports of a module; those of CommonJS stand inside of `default`. */
function byName(module: unknown): Record<string, unknown> {
  const exports: Record<string, unknown> = { ...(module as object) };
  const whole = exports["default"];
  return typeof whole === "object" && whole !== null && !isFlow(whole) ? { ...exports, ...whole } : exports;
}

function pick(
  exports: Readonly<Record<string, unknown>>,
  name: string | undefined,
  target: string,
): { flow: Flow; name: string } {
  const names = Object.keys(exports).filter((each) => each !== "default" || isFlow(exports[each]));
  const there =
    names.length === 0
      ? "it exports nothing"
      : `it exports ${names.map((each) => `${each} (${kindOf(exports[each])})`).join(", ")}`;
  if (name !== undefined) {
    const value = exports[name];
    if (!(name in exports)) throw notThere(`${target} has no export ${name}: ${there}`, NAME_ONE);
    if (!isFlow(value)) throw notThere(`${name} of ${target} is ${kindOf(value)}: ${there}`, WHAT_RUNS);
    return { flow: value, name };
  }
  if (isFlow(exports["default"])) return { flow: exports["default"], name: "default" };
  const [only, other] = names.filter((each) => isWorkflow(exports[each]));
  const flow = exports[only ?? ""];
  if (only !== undefined && other === undefined && isFlow(flow)) return { flow, name: only };
  const what =
    other === undefined ? "no default export and no workflow" : "several workflows and no default export";
  throw notThere(`${target} has ${what}: ${there}`, names.length === 0 ? WHAT_RUNS : NAME_ONE);
}

const NAME_ONE = "name one behind a colon: flower run <file>:<export>";
const WHAT_RUNS = "export a Workflow, or a function that returns one or does the work itself";

function kindOf(value: unknown): string {
  if (isWorkflow(value)) return "a workflow";
  if (typeof value === "function") return "a function";
  return value === null || value === undefined ? String(value) : `of type ${typeof value}`;
}

function notThere(message: string, nextStep: string): FlowerError {
  return new FlowerError("usage", message, { nextStep });
}

/** A message in one line, with the place. jiti puts a syntax error's place on a line of its own (2.7.0). */
function whyNot(error: unknown): string {
  const text = errorText(error);
  const syntax = /^ParseError:\s*(.*?)\s*\n\s*(\S[^\n]*:\d+:\d+)/.exec(text);
  if (syntax !== null) return `syntax error at ${syntax[2] ?? ""}: ${syntax[1] ?? ""}`;
  const place = placeOf(error);
  const [first = text] = text.split("\n");
  return place === undefined ? first : `${first} (${place})`;
}

const HERE = fileURLToPath(new URL("..", import.meta.url));
/** Packages that call what is loaded, or call flower. */
const CALLERS = ["jiti", "commander"].map((name) => {
  const { resolve } = createRequire(import.meta.url);
  const path = resolve(name);
  return path.slice(0, path.lastIndexOf(`/${name}/`) + name.length + 2);
});

/** `file:line:column` of the first place on the stack that is neither Node's, nor flower's, nor of who calls either. */
function placeOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const foreign = [HERE, ...CALLERS, "node:"];
  for (const line of stack.split("\n")) {
    const [, place] = /^\s+at (?:.*\()?((?:file:\/\/)?\/[^\n]*:\d+:\d+)\)?$/.exec(line) ?? [];
    const path = place?.replace(/^file:\/\//, "");
    if (path !== undefined && !foreign.some((part) => path.startsWith(part))) return path;
  }
  return undefined;
}
