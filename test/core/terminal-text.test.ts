import { expect, it } from "vitest";
import { stripControl } from "../../src/core/terminal-text.ts";

it("drops escape sequences, control characters and bidi overrides, keeps text, tabs and newlines", () => {
  expect(stripControl("\u001b[31mred\u001b[0m\tx\r\ny")).toBe("red\tx\ny");
  expect(stripControl("\u001b]0;title\u0007after")).toBe("after");
  expect(stripControl("\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\")).toBe("link");
  expect(stripControl("a\u202eb\u2066c\u0008\u009b31m")).toBe("abc31m");
  expect(stripControl("需求 ü 🌸")).toBe("需求 ü 🌸");
});

it.each(["]", "P", "X", "^", "_"])(
  "a string that ESC %s begins and nothing ends costs its own line",
  (kind) => {
    const begun = `\u001b${kind}0;x`;
    expect(stripControl(`before\n${begun}\nafter\nline 3`)).toBe("before\n\nafter\nline 3");
    expect(stripControl(`before ${begun}\r\nafter`)).toBe("before \nafter");
    expect(stripControl(`${begun}\nhidden?\u001b\\after`)).toBe("\nhidden?after");
    expect(stripControl(`${begun}${begun}\nafter`)).toBe("\nafter");
  },
);
