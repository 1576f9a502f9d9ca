import { describe, expect, it } from "vitest";
import { putBlock } from "../../src/documents/bequest-block.ts";

const BEGIN = "<!-- flower:bequest begin -->";
const END = "<!-- flower:bequest end -->";
const SECOND = "<!-- flower:bequest 2 begin -->\nnew\n<!-- flower:bequest 2 end -->\n";
const own = (body: string): string => `${BEGIN}\n${body}\n${END}\n`;
const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
const indented = (text: string): string => text.replace(/^(?=.)/gm, "    ");

describe("a block in a person's text", () => {
  it.each<[string, string, string]>([
    ["nothing", "", own("new")],
    ["a byte order mark alone", "\ufeff", `\ufeff${own("new")}`],
    ["a text", "# Rules\n", `# Rules\n\n${own("new")}`],
    ["no line end at the end", "# Rules", `# Rules\n\n${own("new")}`],
    ["blanks and blank lines at the end", "a  \n\n\t\n", `a  \n\n\t\n\n${own("new")}`],
    ["a byte order mark", "\ufeff# Rules\n", `\ufeff# Rules\n\n${own("new")}`],
    ["line ends of Windows", "a\r\nb\r\n", `a\r\nb\r\n\r\n${BEGIN}\r\nnew\r\n${END}\r\n`],
    ["line ends of an old Mac", "a\rb", `a\rb\r\r${BEGIN}\rnew\r${END}\r`],
    ["a fence that is left open", "```\ncode\n", `\`\`\`\ncode\n\`\`\`\n\n${own("new")}`],
    [
      "an open fence without a line end",
      "~~~~ md\r\n~~~",
      `~~~~ md\r\n~~~\r\n~~~~\r\n\r\n${crlf(own("new"))}`,
    ],
    ["an open fence of a list", "- ```\n  code\n", `- \`\`\`\n  code\n\n${own("new")}`],
    ["an open comment", "<!-- todo\n", `<!-- todo\n-->\n\n${own("new")}`],
    ["an open element", "<pre>\n\ntext\n", `<pre>\n\ntext\n</pre>\n\n${own("new")}`],
    ["an open element that a blank line ends", "<div>\n", `<div>\n\n${own("new")}`],
    ["other open HTML", "<?php\n\n$x\n", `<?php\n\n$x\n?>\n\n${own("new")}`],
    [
      "an example in an open fence",
      `\`\`\`\n${own("mine")}`,
      `\`\`\`\n${own("mine")}\`\`\`\n\n${own("new")}`,
    ],
    ["an indented example", `a\n\n${indented(own("mine"))}`, `a\n\n${indented(own("mine"))}\n${own("new")}`],
    [
      "an example in an element",
      `<pre>\n${own("mine")}</pre>\n`,
      `<pre>\n${own("mine")}</pre>\n\n${own("new")}`,
    ],
    [
      "an example in a quote",
      `> ${BEGIN}\n> mine\n> ${END}\n`,
      `> ${BEGIN}\n> mine\n> ${END}\n\n${own("new")}`,
    ],
    [
      "an example in a list",
      `- ${BEGIN}\n  mine\n  ${END}\n`,
      `- ${BEGIN}\n  mine\n  ${END}\n\n${own("new")}`,
    ],
    [
      "an example of a block between fences",
      `\`\`\`md\n${own("shown")}\`\`\`\n`,
      `\`\`\`md\n${own("shown")}\`\`\`\n\n${own("new")}`,
    ],
    [
      "markers in a sentence",
      `Between ${BEGIN} and ${END}.\n`,
      `Between ${BEGIN} and ${END}.\n\n${own("new")}`,
    ],
  ])("comes behind %s, and the next one in its place", (_name, text, expected) => {
    const once = putBlock(text, "new");
    expect(once).toBe(expected);
    expect(putBlock(putBlock(text, "earlier,\nlonger"), "new")).toBe(once);
  });

  it.each<[string, string, string]>([
    ["in the middle", `a\n\n${own("old\nold")}\nb`, `a\n\n${own("new")}\nb`],
    ["at the very end", `a\n${BEGIN}\nold\n${END}`, `a\n${BEGIN}\nnew\n${END}`],
    ["behind a byte order mark", `\ufeff${own("old")}`, `\ufeff${own("new")}`],
    ["behind such bytes", `\u00ef\u00bb\u00bf${own("old")}`, `\u00ef\u00bb\u00bf${own("new")}`],
    ["with nothing in it", `${BEGIN}\n${END}\n`, own("new")],
    ["indented by an editor", `a\n  ${BEGIN}\nold\n  ${END} \nb\n`, `a\n${own("new")}b\n`],
    ["with mixed line ends", `a\n${BEGIN}\r\nold\r\n${END}\r\nb`, `a\n${BEGIN}\nnew\n${END}\r\nb`],
  ])("is replaced %s", (_name, text, expected) => {
    expect(putBlock(text, "new")).toBe(expected);
  });

  it.each<[string, string]>([
    ["only a begin", `a\n${BEGIN}\nmine\n`],
    ["only an end", `a\nmine\n${END}\n`],
    ["an end before its begin", `${END}\nmine\n${BEGIN}\n`],
    ["two blocks", `${own("one")}mine\n${own("two")}`],
    ["a begin too many", `${BEGIN}\nmine\n${own("one")}`],
    ["an end too many", `${own("one")}mine\n${END}\n`],
  ])("leaves %s as it is, comes behind it, and is found again", (_name, text) => {
    const once = putBlock(text, "new");
    expect(once).toBe(`${text}\n${SECOND}`);
    expect(putBlock(putBlock(text, "old\nold"), "new")).toBe(once);
  });

  it("gets a further number when its own markers were damaged as well", () => {
    const text = `${BEGIN}\n\n${SECOND.replace("<!-- flower:bequest 2 end -->\n", "")}mine\n`;
    const once = putBlock(text, "new");
    expect(once).toBe(`${text}\n${SECOND.replaceAll("bequest 2", "bequest 3")}`);
    expect(putBlock(once, "new")).toBe(once);
  });

  it.each(["999999", "1000000"])("is found again behind a marker with the number %s", (number) => {
    const text = `${BEGIN}\n<!-- flower:bequest ${number} begin -->\nmine\n`;
    const once = putBlock(text, "new");
    expect(once).toBe(`${text}\n${SECOND}`);
    expect(putBlock(once, "new")).toBe(once);
  });

  it("keeps every byte of another encoding", () => {
    const bytes = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a, 0xff, 0x85, 0x0a]);
    const text = bytes.toString("latin1");
    const put = Buffer.from(putBlock(text, "new"), "latin1");
    expect(put.subarray(0, bytes.length)).toEqual(bytes);
  });
});
