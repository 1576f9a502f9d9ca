import { readFileSync } from "node:fs";
import { parseShell } from "../../src/context/shell.ts";
import { parseAndRun } from "../../src/cli/program.ts";
import { errorText } from "../../src/core/errors.ts";
import { idleProgram } from "./parser.ts";
import { ROOT, type Block } from "./pages.ts";

/**
 * What is wrong with the commands of a block: those of flower are read by its own parser, without being run; `npm run`
 * must name a script of the package.
 * @returns `page:line: message` for each error.
 */
export async function shellErrors({ page, line, text }: Block): Promise<string[]> {
  const script = parseShell(text);
  if (!script.ok) return [`${page}:${line}: ${script.message}`];
  const errors: string[] = [];
  for (const { program, args } of script.commands) {
    const words = [program?.value ?? "", ...args.map(({ value }) => value)];
    const wrong = await wrongWith(words);
    if (wrong !== undefined) errors.push(`${page}:${line}: ${words.join(" ")}: ${wrong}`);
  }
  return errors;
}

async function wrongWith([program, ...words]: readonly string[]): Promise<string | undefined> {
  if (program === "flower") return refusalOf(words);
  if (program === "npx" && ["flower", "flower-agent"].includes(words[0] ?? ""))
    return refusalOf(words.slice(1));
  if (program === "nohup" && words[0] === "flower") return refusalOf(words.slice(1));
  if (program !== "npm") return undefined;
  const script = words[0] === "run" ? words[1] : ["start", "test"].find((name) => name === words[0]);
  return script === undefined || script in scripts() ? undefined : "package.json has no such script";
}

async function refusalOf(argv: readonly string[]): Promise<string | undefined> {
  const flower = idleProgram().configureOutput({ writeOut: () => undefined });
  for (const command of flower.commands) command.configureOutput({ writeOut: () => undefined });
  try {
    await parseAndRun(flower, argv);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

function scripts(): object {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}/package.json`, "utf8")) as { scripts: object };
  return scripts;
}
