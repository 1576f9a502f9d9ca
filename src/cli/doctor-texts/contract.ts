import type { WindowSource } from "../../config/window.ts";
import type { Level } from "../trial-line.ts";

/** What is the matter, and what to do about it; nothing to do = one word only. */
export type Said = readonly [text: string, todo?: string];

/** What `flower doctor` says. Words from outside in it are not yet fit to show; a `command` is fit for a shell. */
export interface DoctorTexts {
  levels: Readonly<Record<Level, string>>;
  summary(wrong: number, notes: number): string;
  node(version: string): Said;
  nodeUnfit(version: string, range: string): Said;
  versions(flower: string, sdk: string, harness: string): Said;
  otherSdk(sdk: string, wanted: string): Said;
  noHarness(platform: string): Said;
  credential(key: string, shown: string, source: string): Said;
  noCredentials: Said;
  noToken: Said;
  twoTokens: Said;
  reachable(where: string): Said;
  unreachable(where: string): Said;
  proxy: string;
  window(tokens: string, model: string, source: string): Said;
  assumedWindow(tokens: string, model: string): Said;
  noModel: Said;
  defaultModel: string;
  sources: Readonly<Record<WindowSource, string>>;
  learned(model: string, endpoint: string, tokens: string, day: string, command: string): Said;
  forgotten(model: string, endpoint: string): Said;
  nothingLearned: Said;
  git(version: string): Said;
  noGit: Said;
  canIsolate: Said;
  disk(path: string, free: string): Said;
  diskLow(path: string, free: string): Said;
  diskFull(path: string, free: string): Said;
  privateFiles: Said;
  openFile(path: string, mode: string, command: string): Said;
  blocked(path: string, code: string): Said;
  notWritable(path: string): Said;
  noWorkspace(path: string): Said;
  noRun(path: string): Said;
  free(path: string): Said;
  held(who: string, since: string, step: string): Said;
  heldElsewhere(who: string, since: string, path: string): Said;
  stale(who: string, since: string): Said;
  sound(count: number): Said;
  damaged(path: string, why: string): Said;
  newer(path: string, why: string): Said;
  unreadable(path: string, why: string): Said;
  setAside(path: string): Said;
  sandbox: Said;
  noSandbox(why: string): Said;
}
