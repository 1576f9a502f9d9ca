import type { Argument, Command, Option } from "commander";

const BEGIN = "<!-- From here on made from the parser: npx vitest run test/docs/cli-reference.test.ts -u -->";
const END = "<!-- Written by hand again. -->";

/** The page with what stands between its two markers made anew. */
export function withReference(page: string, flower: Command): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`the page needs both lines: ${BEGIN} ${END}`);
  return `${before}${BEGIN}\n\n${reference(flower)}\n${END}${after}`;
}

/** Each command with its arguments and options; options of all commands once. */
function reference(flower: Command): string {
  const { commands } = flower;
  const isShared = ({ flags }: Option): boolean =>
    commands.every(({ options }) => options.some((option) => option.flags === flags));
  const shared = commands[0]?.options.filter(isShared) ?? [];
  return [
    ...commands.flatMap((command) =>
      section(
        command,
        command.options.filter((option) => !isShared(option)),
      ),
    ),
    "### Options of every command\n",
    ...optionTable(shared),
  ].join("\n");
}

function section(command: Command, options: readonly Option[]): string[] {
  const args = command.registeredArguments;
  return [
    `### flower ${command.name()}\n`,
    `${sentence(command.description())}\n`,
    ...(args.length === 0 ? [] : [`${args.map(argumentText).join(" ")}\n`]),
    ...(options.length === 0 ? [] : optionTable(options)),
  ];
}

function argumentText(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "…" : "");
  const choices = argument.argChoices?.map((choice) => `\`${choice}\``).join(", ") ?? "";
  const words = [argument.description, choices]
    .filter((text) => text !== "")
    .map(plain)
    .join(": ");
  return `Argument \`${argument.required ? `<${name}>` : `[${name}]`}\`: ${sentence(words)}`;
}

function optionTable(options: readonly Option[]): string[] {
  return [
    "| option | default | meaning |",
    "| --- | --- | --- |",
    ...options.map((option) => {
      const cells = [`\`${option.flags}\``, defaultText(option), meaning(option)];
      return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    }),
    "",
  ];
}

/** A switch is off, or on, until it is given: that is no news. */
function defaultText({ defaultValue }: Option): string {
  return typeof defaultValue === "string" || typeof defaultValue === "number" ? `\`${defaultValue}\`` : "";
}

function meaning({ description, argChoices }: Option): string {
  const unsaid = argChoices?.filter((choice) => !new RegExp(`\\b${choice}\\b`).test(description)) ?? [];
  return plain(unsaid.length === 0 ? description : `${description}: ${unsaid.join(", ")}`);
}

/** To Markdown and to the site `<dir>` would be a tag. */
const plain = (text: string): string => text.replaceAll("<", "\\<");

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
