import { expect, it } from "vitest";
import { LOCALES } from "../../src/core/locale.ts";
import { readPermission } from "../../src/runtime/permission-answer.ts";
import { PERMISSION_TEXTS } from "../../src/runtime/permission-texts.ts";

it.each(LOCALES)("takes the words of the options (%s)", (locale) => {
  const { once, run, no } = PERMISSION_TEXTS[locale];
  expect(readPermission(once)).toEqual({ allow: "once" });
  expect(readPermission(` ${run.toUpperCase()} `)).toEqual({ allow: "run" });
  expect(readPermission(no)).toEqual({ allow: false });
});

it.each(["y", "Yes.", "ja", "sim", "是", "ＯＮＣＥ"])("%j is a plain yes", (answer) =>
  expect(readPermission(answer)).toEqual({ allow: "once" }),
);

it.each([
  ["no", undefined],
  ["No!", undefined],
  ["n", undefined],
  ["no, use pnpm", "use pnpm"],
  ["Nein: nimm pnpm", "nimm pnpm"],
  ["不允许,用 pnpm", "用 pnpm"],
  ["use pnpm", "use pnpm"],
  ["nothing of the kind", "nothing of the kind"],
  ["不要用 npm", "不要用 npm"],
  // Not what was asked.
  ["once, but without --force", "once, but without --force"],
  ["for this run only in src", "for this run only in src"],
  ["4", "4"],
])("%j is a no with the words %j", (answer, words) =>
  expect(readPermission(answer)).toEqual({ allow: false, ...(words === undefined ? {} : { words }) }),
);
