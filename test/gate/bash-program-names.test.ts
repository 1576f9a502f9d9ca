import { describe, expect, it } from "vitest";
import { decide, ruleOf, workerCall } from "./policy.ts";

describe("a program whose name is not written out", () => {
  it.each<[string, string]>([
    // what another command prints
    ["unparsable", "$(echo sudo) ls"],
    ["unparsable", "$(printf rm) -rf .git"],
    ["unparsable", "`echo sudo` ls"],
    ["unparsable", '"$(echo sudo)" ls'],
    ["unparsable", "su$(echo do) ls"],
    ["unparsable", "$(echo /usr/bin/)sudo ls"],
    ["unparsable", "X=$(echo sudo); $X ls"],
    ["unparsable", "echo sudo | { read X; $X ls; }"],
    ["unparsable", "timeout 5 $(echo sudo) ls"],
    ["unparsable", "env $(echo sudo)"],
    ["unparsable", "$(which gmake || which sudo) x"],
    ["unparsable", "$(which node || echo sudo) x"],
    ["unparsable", "$(echo node || which node) x"],
    ["unparsable", "$(which make; echo sudo) x"],
    ["unparsable", "$(which $(echo sudo)) x"],
    ["unparsable", "git${IFS%?}push"],
    // the end of it is written out
    ["sudo", "$(npm bin)/sudo ls"],
    ["sudo", "$UNKNOWN/sudo ls"],
    ["sudo", "X=$(npm bin)/sudo; $X ls"],
    ["sudo", 'env "$(npm bin)/sudo" ls'],
    ["publish", '"$(npm bin)"/vercel deploy'],
    ["publish", "$(npm root)/.bin/netlify deploy"],
    ["git-internals", "$(dirname $(which node))/rm -rf .git"],
    // looked up by its name
    ["sudo", "$(which sudo) ls"],
    ["sudo", "`command -v sudo` ls"],
    ["sudo", "$(type -P 'sudo') ls"],
    ["publish", "NPM=$(which npm); $NPM publish"],
    ["publish", '"$(command -v npm 2>/dev/null)" publish'],
    ["publish", "$(command -v pip3.12 || command -v pip3) --version && npm publish"],
    ["write-outside", "rm -rf $(which node)"],
    // between words
    ["publish", "git${IFS}push"],
    ["publish", "git$IFS-C${IFS}sub${IFS}push"],
    ["git-internals", "rm${IFS}-rf${IFS}.git"],
    ["sudo", "X=sudo${IFS}ls; $X"],
    // an empty variable is no word
    ["sudo", "$UNKNOWN sudo ls"],
    ["publish", "$DRY npm publish"],
    ["publish", "env $(cat vars) npm publish"],
    ["publish", "env A=$(git rev-parse HEAD) npm publish"],
  ])("is refused (%s): %s", (rule, command) => {
    expect(ruleOf(workerCall("Bash", { command }))).toBe(rule);
  });

  it.each([
    "$(which node) x.js",
    '"$(command -v node)" x.js',
    "`which python3` -m pytest",
    "$(command -v python3 || command -v python) x.py",
    "PY=$(command -v python3 2>/dev/null || command -v python); $PY x.py",
    "NODE=$(which node || echo /usr/local/bin/node); $NODE x.js",
    "$(pyenv which python3) -m pytest",
    "if $(command -v jq >/dev/null 2>&1); then echo y; fi",
    "BIN=$(cargo metadata | jq -r .target_directory)/debug/x; $BIN --help",
    "$(npm bin)/tsc --noEmit",
    "$(npm root)/.bin/eslint .",
    '"$(git rev-parse --show-toplevel)"/scripts/run.sh',
    "$(go env GOPATH)/bin/golangci-lint run",
    "$(dirname $(which node))/npm test",
    "$UNKNOWN x",
    "$PYTHON -m pytest",
    "env A=$(git rev-parse HEAD) npm test",
    "env $(grep -v '^#' vars | xargs) npm test",
    "xargs -P $(nproc) -n1 echo < list",
    "make -j$(nproc)",
    'eval "$(ssh-agent -s)"',
    "export X=$(cat x)",
    "OLD=$IFS; IFS=,; read a b < x; IFS=$OLD",
    "ls -l $(which node)",
    "cp $(which node) dist/",
    "ln -sf $(which python3) bin/python",
    "npm install",
  ])("passes: %s", (command) => {
    const verdict = decide(workerCall("Bash", { command }));
    expect(verdict.allow ? "" : verdict.reason).toBe("");
  });

  it("is refused with what to write instead", () => {
    const verdict = decide(workerCall("Bash", { command: "$(echo sudo) ls" }));
    expect(verdict.allow ? "" : verdict.reason).toContain("`$(command -v name)`");
  });
});
