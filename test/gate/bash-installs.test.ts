import { describe, expect, it } from "vitest";
import { decide, ruleOf, workerCall } from "./policy.ts";

describe("installing", () => {
  it.each([
    "npm i -g typescript",
    "npm install --global x",
    "npm --location=global i x",
    "npm link",
    "pnpm add -g x",
    "yarn global add x",
    "pip install --user x",
    "python3 -m pip install --user x",
    "pipx install x",
    "uv tool install x",
    "cargo install ripgrep",
    "apt-get install -y jq",
    "apt update && apt install jq",
    "brew install jq",
    "rustup target add wasm32-unknown-unknown",
    "python3 -Im pip install --user x",
  ])("for everybody is refused: %s", (command) => {
    expect(ruleOf(workerCall("Bash", { command }))).toBe("write-outside");
  });

  it.each([
    "npm install",
    "npm i -D vitest",
    "npm ci",
    "npm ls -g",
    "npm root -g",
    "npm run install-hooks",
    "yarn add x",
    "pip install -r requirements.txt",
    "python3 -m venv .venv && .venv/bin/pip install pytest",
    "uv pip install x",
    "cargo install --root /tmp/tools ripgrep",
    "cargo build",
    "apt list --installed",
    "brew list",
    "rustup show",
  ])("into the project passes: %s", (command) => {
    expect(ruleOf(workerCall("Bash", { command }))).toBe("allowed");
  });
});

describe("a job for later", () => {
  it.each([
    "crontab a",
    "crontab -r",
    "crontab -",
    "crontab -e",
    "(crontab -l; echo '* * * * * x') | crontab -",
    "crontab -u me a",
    "at now + 1 minute -f x.sh",
    "echo ls | at 12:00",
    "at -r 3",
    "atrm 3",
    "batch < x.sh",
  ])("is refused: %s", (command) => {
    const verdict = decide(workerCall("Bash", { command }));
    expect(verdict.rule).toBe("write-outside");
    expect(verdict.allow ? "" : verdict.reason).toContain("later");
  });

  it.each(["crontab -l", "crontab -u me -l", "at -l", "atq", "at -c 3", "at -V", "npm run batch"])(
    "is looked at: %s",
    (command) => {
      expect(ruleOf(workerCall("Bash", { command }))).toBe("allowed");
    },
  );
});
