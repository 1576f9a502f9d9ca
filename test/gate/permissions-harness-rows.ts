/** A tool call; `@ws`, `@home`, `@outside`, `@temp` and `@base` in its texts become places of the stage. */
export interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
}

/** One line of the table: the last call is the one in question, those before it only prepare it and must pass. */
export interface Row {
  readonly calls: readonly ToolUse[];
}

/** Refused: `reason` names a pair of {@link SAYS}. */
export interface RefusedRow extends Row {
  readonly reason: Reason;
}

/** Allowed: `leaves` has files (as `@…` paths) with the text that must be found in them afterwards. */
export interface AllowedRow extends Row {
  readonly leaves: Readonly<Record<string, string>>;
}

/** Why, and what to do instead: both must be in the text that the model gets. */
export const SAYS = {
  outside: [/lies outside the workspace/, /Put it into one of these and say in your report/],
  gitFiles: [/inside git's own files/, /Use git commands/],
  gitConfig: [/settings are the person's/, /git -c key=value/],
  settings: [/configures the agent itself/, /Say in your report what should be set/],
  frozen: [/frozen document/, /into your report or a new note/],
  runDir: [/flower's own books/, /workspace or the workbench's artifacts/],
  spill: [/stored tool results/, /artifacts instead/],
  credential: [/credentials, which stay out of every transcript/, /Let programs find them by themselves/],
  sudo: [/rights of the person who started flower/, /Find a way without them/],
  printedName: [/Another command prints the program's name/, /Write the name out/],
  removeRoot: [/would go with everything in it/, /Name the files or directories/],
  discard: [/throw away changes in the checkout/, /Undo your own edits by editing|git worktree/],
  push: [/Pushing makes work public/, /say in your report what is ready to be pushed/],
  publish: [/makes something public or changes a running system/, /Prepare it, try it dry/],
  delegate: [/work for a worker|only commands that look/, /Use Agent/],
} as const satisfies Record<string, readonly [RegExp, RegExp]>;

/** Names of {@link SAYS}. */
export type Reason = keyof typeof SAYS;

const bash = (command: string): ToolUse => ({ name: "Bash", input: { command } });
const read = (path: string): ToolUse => ({ name: "Read", input: { file_path: path } });
const write = (path: string): ToolUse => ({ name: "Write", input: { file_path: path, content: "written" } });
const edit = (path: string, from: string, to = "edited"): ToolUse => ({
  name: "Edit",
  input: { file_path: path, old_string: from, new_string: to },
});

const commands = (reason: Reason, ...lines: readonly string[]): RefusedRow[] =>
  lines.map((line) => ({ reason, calls: [bash(line)] }));
const tools = (reason: Reason, ...calls: readonly ToolUse[]): RefusedRow[] =>
  calls.map((use) => ({ reason, calls: [use] }));
/** The harness lets nobody overwrite or edit a file that was not read: without the Read it would refuse by itself. */
const afterReading = (reason: Reason, ...calls: readonly ToolUse[]): RefusedRow[] =>
  calls.map((use) => ({ reason, calls: [read(use.input["file_path"] ?? ""), use] }));

/** Whoever works, on the main thread or as a subagent, is refused these. */
export const REFUSED: readonly RefusedRow[] = [
  ...tools("outside", write("@home/.bashrc")),
  ...afterReading("outside", write("@outside/victim.txt"), edit("@outside/victim.txt", "untouched")),
  // The same through a link that lies inside.
  ...tools("outside", write("@ws/way-out/new.txt")),
  ...commands(
    "outside",
    'echo x > "@outside/new.txt"',
    "echo x > way-out/new.txt",
    'cd "@outside" && echo x > new.txt',
    'cp README.md "@outside/victim.txt"',
    'mv README.md "@outside/"',
    'mv "@outside/victim.txt" .',
    'echo x | tee "@outside/new.txt"',
    'sed -i s/untouched/x/ "@outside/victim.txt"',
    'rm "@outside/victim.txt"',
    'mkdir "@outside/new"',
    'OUT="@outside"; touch "$OUT/new.txt"',
    `bash -c 'echo x > "@outside/new.txt"'`,
    `env A=1 sh -c 'cp README.md "@outside/new.txt"'`,
    'bash <<EOF\ntouch "@outside/new.txt"\nEOF',
  ),

  ...tools("gitFiles", write("@ws/.git/hooks/pre-commit")),
  ...afterReading("gitFiles", edit("@ws/.git/config", "[core]"), write("@ws/.git/HEAD")),
  ...commands(
    "gitFiles",
    "echo x > .git/hooks/pre-commit",
    "mv README.md .git/hooks/",
    "echo x | tee -a .git/config",
    "cd .git && echo x > config",
    "bash -c 'echo x > .git/hooks/post-commit'",
    "rm -rf .git",
    'mv .git "@temp/"',
    "sh -c 'rm -rf .git'",
  ),
  ...commands("gitConfig", "git config core.hooksPath hooks", "git config --global user.name x"),

  ...tools("settings", write("@ws/.claude/settings.local.json"), write("@ws/sub/.mcp.json")),
  ...afterReading(
    "settings",
    edit("@ws/.mcp.json", "{}"),
    // The harness looks first whether settings stay valid.
    edit("@ws/.claude/settings.json", "{}", '{ "model": "x" }'),
  ),
  ...commands(
    "settings",
    "echo x > .mcp.json",
    "cp README.md .mcp.json",
    "mv .mcp.json old.json",
    "echo x | tee .claude/settings.json",
    "bash -c 'echo x > .claude/settings.json'",
    "rm -rf .claude",
    "mv .claude old",
  ),

  ...afterReading(
    "frozen",
    edit("@ws/.flower/notes/brief.md", "agreed"),
    edit("@ws/.flower/notes/goal.md", "agreed"),
    edit("@ws/.flower/notes/questions.md", "agreed"),
    write("@ws/.flower/INDEX.md"),
  ),
  // A document that another language's run would take for its own.
  ...tools("frozen", write("@ws/.flower/notes/需求.md")),
  ...commands(
    "frozen",
    "echo x > .flower/notes/brief.md",
    "cp README.md .flower/notes/goal.md",
    "cd .flower/notes && sed -i s/agreed/x/ questions.md",
    "rm .flower/INDEX.md",
    "mv .flower/notes elsewhere",
    "bash -c 'echo x >> .flower/notes/goal.md'",
  ),

  ...commands("runDir", "echo x > runs/kept.txt", "rm -rf runs", "bash -c 'echo x > runs/kept.txt'"),
  ...commands("spill", "echo x > .flower/spill/0123456789abcdef.txt"),

  ...tools(
    "credential",
    read("@home/.ssh/id_rsa"),
    read("@home/.aws/credentials"),
    read("@ws/.env"),
    read("@base/flower.env"),
    write("@home/.ssh/authorized_keys"),
    { name: "Grep", input: { pattern: "SECRET", path: "@ws/.env", output_mode: "content" } },
  ),
  ...commands(
    "credential",
    "cat ~/.ssh/id_rsa",
    'cat "$HOME/.aws/credentials"',
    "cat .env",
    "cd src && cat ../.env",
    'cat "@base/flower.env"',
    "cp .env copy.txt",
    "echo X=1 >> .env",
    "cat /proc/self/environ",
    "bash -c 'cat ~/.ssh/*'",
    `node -e 'console.log(require("fs").readFileSync("@home/.ssh/id_rsa", "utf8"))'`,
  ),

  ...commands(
    "sudo",
    "sudo touch made.txt",
    "true && sudo -n true",
    "bash -c 'sudo true'",
    "echo $(sudo true)",
    "env A=1 timeout 5 sudo true",
  ),

  ...commands(
    "removeRoot",
    'rm -r "$PWD"',
    'rm -rf "@ws"',
    "cd src && rm -rf ../*",
    "rm -rf .flower",
    'rm -rf "@temp"',
    'mv "@ws" "@temp/gone"',
    "bash -c 'rm -rf \"$PWD\"'",
  ),

  ...commands(
    "discard",
    "git reset --hard",
    "git clean -fd",
    "git checkout -- .",
    "git checkout -- draft.txt",
    "git restore draft.txt",
    'cd src && git -C "@ws" reset --hard',
    "bash -c 'git reset --hard && git clean -fd'",
  ),

  ...commands("printedName", '"$(echo sudo)" true', "X=$(printf rm); $X -rf .git"),
  ...commands("push", "git push", "git push origin HEAD", 'git -C "@ws" push --force', "sh -c 'git push'"),
  ...commands(
    "publish",
    "npm publish",
    "npm run deploy",
    "docker push me/thing",
    "kubectl apply -f thing.yaml",
    "bash -c 'npm publish'",
    "npx vercel deploy --prod",
  ),
];

/**
 * Caught by the deny rule of the harness's settings before flower's gate is asked (0.3.332); commands that write
 * there are the gate's, see above.
 */
export const SECOND_NET: readonly Row[] = [
  { calls: [write("@ws/runs/new.txt")] },
  { calls: [read("@ws/runs/kept.txt"), edit("@ws/runs/kept.txt", "kept")] },
];

/** Allowed to the same ones, so that the table does not pass where everything is refused. */
export const ALLOWED: readonly AllowedRow[] = [
  { calls: [write("@ws/src/new.txt")], leaves: { "@ws/src/new.txt": "written" } },
  { calls: [write("@ws/.flower/artifacts/new.txt")], leaves: { "@ws/.flower/artifacts/new.txt": "written" } },
  { calls: [write("@ws/.flower/notes/found.md")], leaves: { "@ws/.flower/notes/found.md": "written" } },
  { calls: [write("@temp/new.txt")], leaves: { "@temp/new.txt": "written" } },
  {
    calls: [read("@ws/src/a.txt"), edit("@ws/src/a.txt", "one")],
    leaves: { "@ws/src/a.txt": "edited" },
  },
  { calls: [bash("echo two > src/b.txt && cp src/b.txt src/c.txt")], leaves: { "@ws/src/c.txt": "two" } },
  { calls: [bash('echo three > "@temp/d.txt" && mv "@temp/d.txt" .')], leaves: { "@ws/d.txt": "three" } },
  {
    calls: [bash("echo four | tee .flower/artifacts/e.txt")],
    leaves: { "@ws/.flower/artifacts/e.txt": "four" },
  },
  {
    calls: [bash("git add src && git commit -q -m 'keep src'")],
    leaves: { "@ws/.git/logs/HEAD": "keep src" },
  },
  {
    calls: [bash("git push --dry-run origin HEAD:main")],
    leaves: { "@ws/draft.txt": "the person's change" },
  },
  { calls: [bash("npm test")], leaves: { "@ws/tested.txt": "passed" } },
  {
    calls: [bash(`node -e 'require("fs").writeFileSync("by-node.txt", "five")'`)],
    leaves: { "@ws/by-node.txt": "five" },
  },
  { calls: [bash("rm -rf dist && echo gone > dist.txt")], leaves: { "@ws/dist.txt": "gone" } },
  // Also shows that the stand-ins for programs would have left their mark in the rows above.
  { calls: [bash("docker build .")], leaves: { "@base/ran/docker": "build ." } },
];

/**
 * Not enforced: the rules read the words of a command, so what a program does once it runs, and words that only the
 * shell can work out, pass. docs/guides/permissions.md says so under "What is NOT prevented", and the start line of
 * the CLI in short. With a sandbox around commands these rows become refusals and both texts have to change.
 */
export const NOT_ENFORCED: readonly AllowedRow[] = [
  {
    calls: [bash(`python3 -c "open('@outside/by-python.txt', 'w').write('python was here')"`)],
    leaves: { "@outside/by-python.txt": "python was here" },
  },
  {
    calls: [bash(`node -e 'require("fs").writeFileSync("@outside/by-node.txt", "node was here")'`)],
    leaves: { "@outside/by-node.txt": "node was here" },
  },
  {
    calls: [
      bash("printf 'echo script was here > \"$1\"' > do.sh"),
      bash('bash do.sh "@outside/by-script.txt"'),
    ],
    leaves: { "@outside/by-script.txt": "script was here" },
  },
  { calls: [bash('eval "$(echo sudo true)"')], leaves: { "@base/ran/sudo": "true" } },
];

/** A coordinator leaves these to its workers, although each would be allowed to them. */
export const COORDINATOR_REFUSED: readonly RefusedRow[] = [
  ...tools("delegate", write("@ws/by-coordinator.txt")),
  ...afterReading("delegate", edit("@ws/src/a.txt", "one")),
  ...commands(
    "delegate",
    "echo x > by-coordinator.txt",
    "touch by-coordinator.txt",
    "ls && rm -rf dist",
    "npm test",
    "git commit -q -a -m x",
  ),
];

/** Clarifier and judge: tools that are not theirs, whether the harness offers them or not. */
export const READER_REFUSED: readonly Row[] = [
  { calls: [write("@ws/by-reader.txt")] },
  { calls: [read("@ws/src/a.txt"), edit("@ws/src/a.txt", "one")] },
  { calls: [bash("echo x > by-reader.txt")] },
  { calls: [bash("touch by-reader.txt")] },
  { calls: [bash(`node -e 'require("fs").writeFileSync("by-reader.txt", "x")'`)] },
];

/** A name for a row that says what is called. */
export function rowName({ calls }: Row): string {
  const last = calls.at(-1);
  const { command, file_path: path, path: place } = last?.input ?? {};
  return `${last?.name ?? ""} ${command ?? path ?? place ?? ""}`;
}
