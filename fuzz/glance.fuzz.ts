import { expect, it } from "vitest";
import { mistakenMutations } from "../test/context/glance-mutations.ts";

const RUNS = 100_000;

it(`none of ${RUNS} dangerous mutations is a glance`, () => {
  expect(mistakenMutations(RUNS, Date.now())).toEqual([]);
});
