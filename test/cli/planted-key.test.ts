import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stripControl } from "../../src/core/terminal-text.ts";
import { apiError, call, say, type FixedReply } from "../../src/testing/index.ts";
import { confirmBrief, flower, personEnv } from "../support/flower.ts";
import { rehearse, tempDir } from "../support/rehearse.ts";
import { DOCUMENT, isDocumentRound, isSuccessor, main, sub } from "../support/stage.ts";

/** What the run may know and nobody may read afterwards: of the environment, a `.env`, and a command's output. */
const KEYS = {
  account: "sk-ant-planted-account-0123456789",
  shop: "planted-shop-4711-abcdef",
  printed: "planted-only-printed-0815-fedcba",
  coloured: "sk-ant-planted-coloured-0123456789abc",
  line: "MIIEplantedLine0123456789abcdefABCDEF",
  quoted: 'pa"ss\\wd-PLANTED-77',
  plainName: "ghp_plantedPlainName0123456789abcdef",
  webhook: "https://hooks.slack.com/services/TPLANTED/BPLANTED/planted0123",
  inherited: "planted-inherited-4242-abcdef",
  unnamed: "ghp_plantedNobodyNamedIt0123456789abc",
};
/** As they stand in JSON and in JSON within JSON as well. */
const FORMS = Object.values(KEYS).flatMap((key) => {
  const once = JSON.stringify(key).slice(1, -1);
  return [...new Set([key, once, JSON.stringify(once).slice(1, -1)])];
});
const DOTENV = `SHOP_API_KEY=${KEYS.shop}
PRINTED_SECRET=${KEYS.printed}
OTHER_KEY=${KEYS.coloured}
FIREBASE_PRIVATE_KEY="-----BEGIN PRIVATE KEY-----\\n${KEYS.line}\\n-----END PRIVATE KEY-----"
DB_PASSWORD='${KEYS.quoted}'
THING=${KEYS.plainName}
SLACK=${KEYS.webhook}
`;
/** What a person gets to see of a text. */
const seen = (text: string): string => stripControl(text.replaceAll("\\u001b", "\u001b"));
/** A program of the project: the file as it is, coloured, with real line ends, and in JSON; and what it finds elsewhere. */
const PRINTS = `cat .env
grep --color=always sk-ant-planted-colo .env
printf '%b' "$(grep FIREBASE .env)" | cat -n
node -e 'const all = JSON.stringify(fs.readFileSync(".env", "utf8")); console.log(all, JSON.stringify({ all }))'
echo "$GH_PAT"; printf '%s\\n' '{"log":"x\\n'ghp_plantedNobody'NamedIt0123456789abc"}'
seq 1 2000; exit "$1"
`;
/** Where a person has put them. */
const OWN = /^project\/(?:\.env|print\.sh)$/;
/** What the harness keeps for itself, as it was; flower resumes from its own store. */
const HARNESS = "project/runs/harness/";

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

it("planted keys are nowhere on disk, on the screen or in notifications afterwards", async () => {
  const home = await tempDir();
  const workspace = join(home, "project");
  await mkdir(workspace);
  await confirmBrief(workspace);
  await writeFile(join(workspace, ".env"), DOTENV);
  // A program of the project reads the file, as programs do.
  await writeFile(join(workspace, "print.sh"), PRINTS);
  const all = `${KEYS.account} and ${KEYS.shop}`;
  const send = call("Agent", { description: "print", prompt: "print", subagent_type: "worker" });
  let answered = false;
  const rehearsal = await rehearse({
    scenario: {
      name: "planted",
      actors: [
        sub(({ turnCount }): FixedReply => {
          if (turnCount < 2) return call("Bash", { command: `sh print.sh ${turnCount}` });
          return say(`Conclusion: printed ${all}`);
        }),
        main((request): FixedReply => {
          if (isDocumentRound(request)) return say(DOCUMENT.replace("plain Node", `use ${all}`));
          if (!isSuccessor(request))
            return request.turnCount === 0 ? send : { ...send, usage: { input_tokens: 45_000 } };
          if (request.turnCount > 0 || answered) return apiError(400, `the key ${all} is refused here`);
          answered = true;
          return call("mcp__flower__ask", { question: `may I use ${all}?` });
        }),
      ],
    },
  });
  const told = join(home, "told.txt");
  const ran = await flower(
    ["go", "-w", workspace, "--no-goal", "--window", "60k", "--notify", `command:cat >> '${told}'`, "-v"],
    {
      ...personEnv(rehearsal, home),
      ANTHROPIC_API_KEY: KEYS.account,
      GH_PAT: KEYS.inherited,
    },
    `yes, use ${all}\n`,
  );
  expect(ran.code, ran.err).toBe(1);
  // All of it was there to be lost: a handoff, a question, a notification, an error.
  expect(ran.err).toMatch(/handoff written to/);
  expect(ran.err).toMatch(/is refused here/);
  expect(await readFile(told, "utf8")).toContain("may I use");
  const places: [string, string][] = [
    ["standard output", ran.out],
    ["standard error", ran.err],
  ];
  for (const path of await filesBelow(home)) {
    const name = path.slice(home.length + 1);
    if (!OWN.test(name) && !name.startsWith(HARNESS)) places.push([name, await readFile(path, "latin1")]);
  }
  const spilled = places.filter(([name]) => name.includes("/spill/")).map(([, text]) => text);
  for (const shown of [
    "=\u001b[01;31m\u001b[K[secret removed]\u001b[m",
    "\t[secret removed]",
    "DB_PASSWORD='[secret removed]'\\n",
    "DB_PASSWORD='[secret removed]'\\\\n",
    '"log":"x\\n[secret removed]"',
    "\n[secret removed]\n{",
  ])
    expect(spilled.filter((text) => text.includes(shown)).length, shown).toBeGreaterThan(0);
  const found = FORMS.flatMap((key) =>
    places
      .filter(([, text]) => text.includes(key) || seen(text).includes(key))
      .map(([name]) => `${key} in ${name}`),
  );
  expect(found).toEqual([]);
  for (const kind of ["sessions.db", "manifest.json", "events/", "/spill/", "/notes/handoff"])
    expect(places.some(([name]) => name.includes(kind))).toBe(true);
}, 60_000);
