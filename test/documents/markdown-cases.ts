/** A handoff as somebody wrote it, and what its sections must hold; sections left out must be empty. */
export interface MarkdownCase {
  name: string;
  text: string;
  sections: Partial<Record<"doing" | "decided" | "deadEnds" | "next" | "scene", string>>;
}

const AB = { doing: "A", next: "B" };

export const MARKDOWN_CASES: MarkdownCase[] = [
  {
    name: "M01 a heading inside a fence of another section is none",
    text: "## Next step\nB\n```\n## Doing now\nexample\n```\nmore",
    sections: { next: "B\n\nmore" },
  },
  {
    name: "M02 four backticks with three inside",
    text: "## Doing now\nA\n````\n```\n## Scene\n```\n## Scene\n````\n## Next step\nB",
    sections: AB,
  },
  {
    name: "M05 an open fence ends at the next known heading",
    text: "## Doing now\nA\n```sh\nnpm test\n\n## Already decided\nD\n\n## Next step\nB",
    sections: { ...AB, decided: "D" },
  },
  {
    name: "M05 an open fence before other code",
    text: "## Doing now\nA\n```\nx\n## Next step\nB\n```\ny\n```\nC",
    sections: { doing: "A", next: "B\n\nC" },
  },
  {
    name: "M05 an open fence after code that holds a heading",
    text: "## Scene\nS\n```\n## Doing now\nexample\n```\n## Doing now\nA\n```\nx\n## Next step\nB",
    sections: { ...AB, scene: "S" },
  },
  {
    name: "M05 an open fence stays code when nothing required is missing",
    text: "## Doing now\nA\n## Next step\nB\n```\n## Scene\nexample",
    sections: AB,
  },
  {
    name: "M06 one fence around the whole",
    text: "```markdown\n## Doing now\nA\n## Next step\nB\n```\n",
    sections: AB,
  },
  {
    name: "M06 one fence around the whole, with code inside",
    text: "```markdown\n## Doing now\nA\n```sh\nx\n```\n## Next step\nB\n```",
    sections: AB,
  },
  {
    name: "M06 one fence around the whole, behind a greeting",
    text: "Here is the document:\n\n```md\n## Doing now\nA\n## Next step\nB\n```\n\nGood luck.",
    sections: AB,
  },
  {
    name: "M06 code first and last is no packaging",
    text: "```\nx\n```\n## Doing now\nA\n## Next step\nB\n```\ny\n```",
    sections: AB,
  },
  {
    name: "M07 four spaces make code",
    text: "## Doing now\nA\n\n    ## Scene\n\n## Next step\nB",
    sections: { doing: "A\n\n    ## Scene", next: "B" },
  },
  {
    name: "M07 code as the first line of a section keeps its indentation",
    text: "## Doing now\n\n    ## Scene\n\n## Next step\nB",
    sections: { doing: "    ## Scene", next: "B" },
  },
  { name: "M10 closing hashes", text: "## Doing now ##\nA\n## Next ##\nB", sections: AB },
  {
    name: "M10 C# keeps its hash and is no heading of ours",
    text: "## Doing now\nA\n\n## C#\ntext\n## Next\nB",
    sections: { doing: "A\n\n## C#\ntext", next: "B" },
  },
  { name: "M13 bold", text: "**Doing now**\nA\n**Next step**\nB", sections: AB },
  { name: "M13 bold, colon inside", text: "**Doing now:**\nA\n**Next step:**\nB", sections: AB },
  { name: "M13 bold, colon outside", text: "**Doing now**:\nA\n__Next step__: B", sections: AB },
  { name: "M13 bold, text behind it", text: "**Doing now:** A\n\n**Next step:** B", sections: AB },
  {
    name: "M13 a bold word that begins a sentence is none",
    text: "## Doing now\nA\n**Next** we rest\n**Scene** is a word",
    sections: { doing: "A\n**Next** we rest\n**Scene** is a word" },
  },
  { name: "M14 numbered", text: "1. Doing now\nA\n3. Next step\nB", sections: AB },
  { name: "M14 numbered deeper", text: "3.1 Doing\nA\n3.2 Next\nB", sections: AB },
  { name: "M14 numbered and hashed", text: "## 1. Doing\nA\n## 3. Next\nB", sections: AB },
  { name: "M14 numbered and bold", text: "1. **Doing now**\nA\n2) **Next step:** B", sections: AB },
  { name: "M14 numbered in Chinese", text: "一、现在在做什么\nA\n4\u3001下一步\nB", sections: AB },
  { name: "no space behind the hashes", text: "##Doing now\nA\n##Next step\nB", sections: AB },
  { name: "underlined", text: "Doing now\n=========\nA\n\nNext step\n---\nB", sections: AB },
  { name: "colon and text", text: "Doing now: A\nNext step: B", sections: AB },
  { name: "full-width colon", text: "现在在做什么\uff1aA\n下一步\uff1aB", sections: AB },
  {
    name: "full-width colon behind hashes",
    text: "## 现在在做什么\uff1a\nA\n## 下一步\uff1aB",
    sections: AB,
  },
  { name: "lower case, bold in the heading", text: "## doing NOW\nA\n### **next step**:\nB", sections: AB },
  {
    name: "CRLF and a byte order mark",
    text: "\uFEFF## Doing now\r\nA\r\n## Next step\r\nB\r\n",
    sections: AB,
  },
  { name: "decomposed accents", text: "## Fazendo agora\nA\n## Pro\u0301ximo passo\nB", sections: AB },
  {
    name: "headings of several locales",
    text: "## Gerade in Arbeit\nA\n## 走不通的路\nX\n## Próximo passo\nB\n## Scene\nS",
    sections: { ...AB, deadEnds: "X", scene: "S" },
  },
  {
    name: "aliases",
    text: "## 现在在做\nA\n## 已定的事\nD\n## 试过不行的\nX\n## Nächste Schritte\nB",
    sections: { ...AB, decided: "D", deadEnds: "X" },
  },
  {
    name: "a section that comes twice",
    text: "## Next\nB\n## Doing\nA\n## Next step\nC",
    sections: { doing: "A", next: "B\n\nC" },
  },
  {
    name: "text before the first heading is dropped",
    text: "# Handoff: work\n\n> edit me\n\n## Doing\nA\n## Next\nB",
    sections: AB,
  },
  {
    name: "unknown headings, lists and rules stay text",
    text: "## Doing\nA\n\n### Details\n- one\n  - two\n\n---\n\nlast\n## Next\nB",
    sections: { doing: "A\n\n### Details\n- one\n  - two\n\n---\n\nlast", next: "B" },
  },
  {
    name: "a known word in text is none where its section has a heading",
    text: "## Doing\nA\nState: half\n**Next**\n1. Next\n### Scene\n## Next\nB\n## Scene\nS",
    sections: { doing: "A\nState: half\n**Next**\n1. Next\n### Scene", next: "B", scene: "S" },
  },
  {
    name: "a title that is a known word",
    text: "# Doing now\n## Doing now\nA\n## Next step\nB",
    sections: AB,
  },
  {
    name: "empty-section texts of every locale, and mere rules",
    text: "## Doing\n(vazio)\n## Decided\n(leer)\n## Dead ends\n\uff08空\uff09\n## Next\n(empty)\n## Scene\n---\n",
    sections: {},
  },
  {
    name: "fenced code is cut out, also in a list",
    text: "## Doing\nA\n```\nx\n```\n## Next\n- B\n\n  ```sh\n  y\n  ```\n- C",
    sections: { doing: "A", next: "- B\n\n- C" },
  },
  { name: "tildes", text: "## Doing\nA\n~~~\n```\n## Next\n~~~\n## Next\nB", sections: AB },
  {
    name: "CRLF within a section",
    text: "## Doing now\r\nA\r\nC\r\n## Next step\r\nB",
    sections: { doing: "A\nC", next: "B" },
  },
  {
    name: "M07 four spaces behind a paragraph",
    text: "## Doing now\nA\n    ## Scene\n## Next step\nB",
    sections: { doing: "A\n    ## Scene", next: "B" },
  },
  {
    name: "M10 closing hashes need a space",
    text: "## Doing now\nA\n## Scene#\n## Next step\nB",
    sections: { doing: "A\n## Scene#", next: "B" },
  },
  {
    name: "M05 three backticks do not close four",
    text: "## Doing now\nA\n````\nx\n## Next step\nB\n```",
    sections: AB,
  },
  {
    name: "a remark or a number in parentheses beside a heading",
    text: "## (1) Doing now\nA\n## Next step \uff08required\uff09\nB",
    sections: AB,
  },
  { name: "underlined by one dash", text: "Doing now\n=\nA\n\nNext step\n-\nB", sections: AB },
  {
    name: "empty-section texts in emphasis, and comments",
    text: "## Doing\n_(empty)_\n## Next\n**\uff08空\uff09**\n## Scene\n<!-- none\nyet -->",
    sections: {},
  },
];
