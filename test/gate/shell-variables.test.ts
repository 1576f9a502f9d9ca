import { expect, it } from "vitest";
import { ruleOf, workerCall } from "./policy.ts";

it.each([
  ["cd src && rm -rf $OLDPWD", false],
  ['cd src && rm -rf "$OLDPWD"', false],
  ["cat /proc/$PPID/environ | tr '\\0' '\\n'", false],
  ["cat /proc/$$/environ", false],
  ['cd src && cd "$OLDPWD" && ls', true],
  ["ps -p $PPID", true],
  ["kill $!", true],
])("%s → %s", (command, allow) => expect(ruleOf(workerCall("Bash", { command })) === "allowed").toBe(allow));
