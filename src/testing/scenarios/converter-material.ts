/** Files of the demo's task: what lies in the workspace at the start, and what the scripted workers write. */

/** What a person asks for in the demo. */
export const REQUEST = "make me a Markdown-to-HTML converter in plain Node, with its tests";

/** A small document to try the converter on. */
export const SAMPLE = `# Field notes

A *small* sample with **strong** words, \`inline code\` and a [link](https://example.org/a?b=1&c=2).

## Things seen

- a heron
- two <b>loud</b> geese
- fog

\`\`\`html
<b>not bold here</b>
\`\`\`

Last line: 1 < 2 && 3 > 2.
`;

/** One section of a note. */
type Part = readonly [heading: string, text: string];

/** A note of about 3,800 characters: weighs in a context, and is just not long enough to be spilled. */
function note(title: string, parts: readonly Part[], closing: string): string {
  return `# ${title}\n\n${parts.map(([heading, text]) => `## ${heading}\n\n${text}\n\n${closing}\n`).join("\n")}`;
}

const SYNTAX = note(
  "Syntax to support",
  [
    [
      "Headings",
      "One to six number signs, a space, then the text. Closing signs are dropped. No other form is needed.",
    ],
    [
      "Paragraphs",
      "Lines that belong together become one paragraph; an empty line ends it. Line breaks stay as spaces.",
    ],
    [
      "Lists",
      "A dash or a star and a space start an item. Items that follow each other form one list. No nesting.",
    ],
    [
      "Code blocks",
      "Three backticks open and close a block. Inside, nothing is interpreted, and markup is escaped.",
    ],
    ["Inline", "Stars for emphasis, double stars for strong, backticks for code, brackets for links."],
    [
      "Escaping",
      "Ampersand, less-than and greater-than never reach the output as they are, wherever they stand.",
    ],
    [
      "Errors",
      "A file that is not there ends with exit code 1 and one line on standard error. No argument: exit code 2.",
    ],
  ],
  "Why: this is what the notes in the field really use; more would only be more to test. A converter that does these seven things right is worth more than one that does seventy nearly right. When in doubt, the simplest reading wins, and the source stays readable as plain text for those who never convert it. New syntax comes in by a note that really uses it, not by a wish.",
);

const EXAMPLES = note(
  "Examples",
  [
    ["# Title", "<h1>Title</h1>"],
    ["### Third ###", "<h3>Third</h3>"],
    ["one, then two on the next line", "<p>one two</p>"],
    ["- a, then - b", "<ul> <li>a</li> <li>b</li> </ul>"],
    ["*a* **b** `c`", "<p><em>a</em> <strong>b</strong> <code>c</code></p>"],
    ["[x](http://y)", '<p><a href="http://y">x</a></p>'],
    ["1 < 2 & 3", "<p>1 &lt; 2 &amp; 3</p>"],
    ["a code block with <i> in it", "<pre><code>&lt;i&gt;</code></pre>"],
    ["`<i>`", "<p><code>&lt;i&gt;</code></p>"],
  ].map(([from = "", to = ""]): Part => [from, `Result: ${to}`]),
  "The result is compared as text after trimming; white space between block elements does not matter, but the order of attributes and the kind of quotes do, since people look at differences of these files and a change that means nothing hides one that does. If they disagree, the example is right.",
);

const READERS = note(
  "Who reads the result",
  [
    [
      "Visitors",
      "They read the notes on a phone, outdoors, in bad light. Plain paragraphs and lists are what they need.",
    ],
    [
      "Editors",
      "They correct the source, never the result. What they cannot see in the source should not matter.",
    ],
    [
      "The archive",
      "It keeps sources and results for good. A result must be the same when it is made again years later.",
    ],
    ["Search", "Headings and emphasis carry weight. Everything else is read as text and should stay text."],
    [
      "Screen readers",
      "They follow the structure. A heading that is only large text does not exist for them.",
    ],
    ["Feeds", "They take the first paragraph. It has to stand alone, without anything before it."],
    [
      "Printers",
      "Once a year the notes are printed. Long lines in code blocks may run over; that is accepted.",
    ],
  ],
  "Asked for and turned down so far: tables, footnotes, images with captions, colours, a table of contents, smart quotes. Each was wished for once, by one reader, and each would have changed how all the others see their page. Whoever wants one of them brings three notes that need it, and then it is looked at again, not before. Most come back with one note, or with none, and are glad that it stayed as it was.",
);

const PUBLISHING = note(
  "How notes get published",
  [
    [
      "Collect",
      "Every evening the day's notes are put together in one folder, one file a place, named by the date.",
    ],
    [
      "Check",
      "A second person reads them. Names of people are taken out, places of nests are made less exact.",
    ],
    [
      "Convert",
      "Each file becomes one page. The converter is called once a file, and its exit code is looked at.",
    ],
    [
      "Compare",
      "The new page is compared with the old one. Differences that nobody expected stop the evening there.",
    ],
    ["Upload", "The pages go to the server in one step, so that nobody sees half of an evening's notes."],
    ["Announce", "The feed is made from the pages, never by hand. What is not on a page is not in the feed."],
    ["Keep", "Sources, pages and the converter of that day are kept together, so that it can be repeated."],
  ],
  "It is done by hand on purpose, by people who take turns and do not all know computers well. So every step has to say what went wrong in one line, and has to be safe to do twice. A step that is clever but cannot be repeated by a tired person at eleven in the evening has no place here, whatever time it would save on other days. Write down what went wrong, even when it was small, and where it was put right.",
);

/** The notes that lie in the workspace at the start, by file name. */
export const NOTES: Readonly<Record<string, string>> = {
  "notes/syntax.md": SYNTAX,
  "notes/examples.md": EXAMPLES,
  "notes/readers.md": READERS,
  "notes/publishing.md": PUBLISHING,
};

/** Put between code lines as they are at first: the defect that the first verdict finds. */
const CODE_LINES_RAW = "code.join('\\n')";
const CODE_LINES_ESCAPED = "escape(code.join('\\n'))";

/** What the fix changes, as the Edit tool wants it. */
export const FIX = { oldText: CODE_LINES_RAW, newText: CODE_LINES_ESCAPED };

/** The converter as the first worker writes it: code blocks are not escaped. */
export const CONVERTER = `#!/usr/bin/env node
// Markdown to HTML: headings, paragraphs, lists, code blocks, inline marks. No dependencies.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function inline(text) {
  const codes = [];
  return escape(text)
    .replace(/\`([^\`]+)\`/g, (_, code) => '\\u0000' + (codes.push(code) - 1) + '\\u0000')
    .replace(/\\*\\*([^*]+)\\*\\*/g, '<strong>$1</strong>')
    .replace(/\\*([^*]+)\\*/g, '<em>$1</em>')
    .replace(/\\[([^\\]]+)\\]\\(([^)]+)\\)/g, '<a href="$2">$1</a>')
    .replace(/\\u0000(\\d+)\\u0000/g, (_, i) => '<code>' + codes[i] + '</code>');
}

export function convert(markdown) {
  const out = [];
  let paragraph = [];
  let items = [];
  let code;
  const flush = () => {
    if (paragraph.length > 0) out.push('<p>' + inline(paragraph.join(' ')) + '</p>');
    if (items.length > 0) out.push('<ul>\\n' + items.map((i) => '<li>' + inline(i) + '</li>').join('\\n') + '\\n</ul>');
    paragraph = [];
    items = [];
  };
  for (const line of markdown.split(/\\r?\\n/)) {
    if (line.startsWith('\`\`\`')) {
      flush();
      if (code === undefined) code = [];
      else {
        out.push('<pre><code>' + ${CODE_LINES_RAW} + '</code></pre>');
        code = undefined;
      }
      continue;
    }
    if (code !== undefined) {
      code.push(line);
      continue;
    }
    const heading = /^(#{1,6})\\s+(.*?)(?:\\s+#+)?\\s*$/.exec(line);
    const item = /^[-*]\\s+(.*)$/.exec(line);
    if (heading) {
      flush();
      out.push('<h' + heading[1].length + '>' + inline(heading[2]) + '</h' + heading[1].length + '>');
    } else if (item) {
      if (paragraph.length > 0) flush();
      items.push(item[1]);
    } else if (line.trim() === '') flush();
    else {
      if (items.length > 0) flush();
      paragraph.push(line.trim());
    }
  }
  flush();
  return out.join('\\n') + '\\n';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = process.argv[2];
  if (file === undefined) {
    console.error('usage: md2html.mjs <file.md>');
    process.exit(2);
  }
  try {
    process.stdout.write(convert(readFileSync(file, 'utf8')));
  } catch (error) {
    console.error('cannot read ' + file + ': ' + error.code);
    process.exit(1);
  }
}
`;

const TESTS: ReadonlyArray<readonly [string, string, string]> = [
  ["a first-level heading", "# Title", "<h1>Title</h1>"],
  ["a third-level heading with closing signs", "### Third ###", "<h3>Third</h3>"],
  ["a paragraph over two lines", "one\\ntwo", "<p>one two</p>"],
  ["two paragraphs", "one\\n\\ntwo", "<p>one</p>\\n<p>two</p>"],
  ["a list", "- a\\n- b", "<ul>\\n<li>a</li>\\n<li>b</li>\\n</ul>"],
  ["a list behind a paragraph", "x\\n- a", "<p>x</p>\\n<ul>\\n<li>a</li>\\n</ul>"],
  ["emphasis", "*a*", "<p><em>a</em></p>"],
  ["strong words", "**b**", "<p><strong>b</strong></p>"],
  ["inline code", "`c`", "<p><code>c</code></p>"],
  ["a link", "[x](http://y)", '<p><a href="http://y">x</a></p>'],
  ["escaping in text", "1 < 2 & 3", "<p>1 &lt; 2 &amp; 3</p>"],
  ["a code block", "```\\ncode\\n```", "<pre><code>code</code></pre>"],
  ["marks inside a code block", "```\\n*a*\\n```", "<pre><code>*a*</code></pre>"],
  ["an empty document", "", ""],
];

/** The tests as the second worker writes them; none looks at markup inside a code block. */
export const CONVERTER_TESTS = `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { convert } from './md2html.mjs';

${TESTS.map(([name, from, to]) => `test('converts ${name}', () => {\n  assert.equal(convert(${quoted(from)}).trim(), ${quoted(to)});\n});`).join("\n\n")}
`;

/** The test that the fixing worker adds. */
export const FIX_TEST = `
test('escapes markup inside a code block', () => {
  assert.equal(convert('\`\`\`\\n<b>\\n\`\`\`').trim(), '<pre><code>&lt;b&gt;</code></pre>');
});
`;

/** The judge's own test, written into the throwaway copy and really run there. */
export const JUDGE_TEST = `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
const run = (...args) => execFileSync('node', ['md2html.mjs', ...args], { encoding: 'utf8' });
test('check 1: the sample becomes HTML', () => {
  const html = run('sample.md');
  for (const part of ['<h1>Field notes</h1>', '<ul>', '<pre><code>', '<strong>']) assert.ok(html.includes(part), part);
});
test('check 2: its own tests pass', () => {
  assert.equal(spawnSync('node', ['--test', 'md2html.test.mjs'], { env: { ...process.env, NODE_TEST_CONTEXT: '' } }).status, 0);
});
test('check 3: markup in text and in code is escaped', () => {
  assert.ok(!run('sample.md').includes('<b>'), 'raw <b> in the output');
});
test('check 4: a missing file ends with exit code 1', () => {
  assert.equal(spawnSync('node', ['md2html.mjs', 'nowhere.md']).status, 1);
});
`;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}
