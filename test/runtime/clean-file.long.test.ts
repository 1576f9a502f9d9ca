import { existsSync, readFileSync, truncateSync, writeFileSync, appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cleanFile, endOf } from "../../src/runtime/clean-file.ts";
import { tempDir } from "../support/rehearse.ts";

const redact = (text: string): string => text.replaceAll("planted-secret", "[removed]");

it("takes secrets out, and breaks long lines in a copy", async () => {
  const path = join(await tempDir(), "a.txt");
  writeFileSync(path, `one planted-secret\n${"x".repeat(5_000)}\n`);
  cleanFile(path, redact);
  expect(readFileSync(path, "utf8")).toBe(`one [removed]\n${"x".repeat(5_000)}\n`);
  expect(existsSync(path.replace(".txt", "-lines.txt"))).toBe(true);
});

// Fails when it is read as one text: that is an error above 512 MB (Node 20).
it("keeps the two ends of what is too large to be read, without secrets", async () => {
  const path = join(await tempDir(), "a.txt");
  const line = `${"planted-secret ".repeat(60)}\n`;
  writeFileSync(path, `begin\n${line.repeat(20_000)}`);
  // A hole: it takes no room on the disk.
  truncateSync(path, 600 * 1024 ** 2);
  appendFileSync(path, `${line.repeat(20_000)}end\n`);
  cleanFile(path, redact);
  const text = readFileSync(path, "utf8");
  expect(text).not.toContain("planted");
  expect(text).toMatch(/^begin\n/);
  expect(text).toMatch(/\n\[… \d{9} bytes were printed here in all: only the two ends are kept …\]\n/);
  expect(text).toMatch(/\[removed\] \nend\n$/);
  expect(text.length).toBeLessThan(16 * 1024 ** 2);
});

it("reads the end of a file", async () => {
  const path = join(await tempDir(), "a.txt");
  writeFileSync(path, "0123456789");
  expect(endOf(path, 4)).toBe("6789");
  expect(endOf(path, 400)).toBe("0123456789");
  expect(endOf(`${path}x`, 4)).toBeUndefined();
});
