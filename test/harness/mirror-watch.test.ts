import { expect, it } from "vitest";
import { MirrorWatch } from "../../src/harness/mirror-watch.ts";

it("a mirror is silent when a reply has waited long and the store is at no work", () => {
  const mirror = new MirrorWatch();
  expect(mirror.isSilent(9e9)).toBe(false);
  mirror.replied(1_000);
  mirror.replied(2_900);
  expect(mirror.isSilent(3_000)).toBe(false);
  expect(mirror.isSilent(3_001)).toBe(true);
  const done = mirror.appending();
  expect(mirror.isSilent(9e9)).toBe(false);
  done();
  expect(mirror.isSilent(9e9)).toBe(false);
});
