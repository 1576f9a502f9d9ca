import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HERE = join(ROOT, "test/knockouts");

/** A mechanism, how to take it out (`find` becomes `replace` in `file`), and the test that then fails. */
const ROW = z.strictObject({
  mechanism: z.string().min(1),
  /** Or a folder, where code moves between its files. */
  file: z.string().startsWith("src/"),
  find: z.string().min(1),
  replace: z.string(),
  test: z.string().startsWith("test/"),
  /** Pattern of the test's name, as Vitest's `-t` takes it. */
  name: z.string().optional(),
});

const rows = readdirSync(HERE)
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => z.array(ROW).parse(JSON.parse(readFileSync(join(HERE, name), "utf8"))));

it("each mechanism is named once", () => {
  const names = rows.map(({ mechanism }) => mechanism);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

// Fails when code moved on: put what now does the work into the row, and run `npm run knockouts -- --only <words>`.
it.each(rows)("fits the code: $mechanism", ({ file, find, test }) => {
  const place = join(ROOT, file);
  const names = statSync(place).isFile() ? [""] : readdirSync(place).filter((name) => name.endsWith(".ts"));
  const text = names.map((name) => readFileSync(join(place, name), "utf8")).join("\0");
  expect(text.split(find).length - 1, `how often ${file} holds ${find}`).toBe(1);
  expect(existsSync(join(ROOT, test)), test).toBe(true);
});
