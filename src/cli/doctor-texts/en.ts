import type { DoctorTexts } from "./contract.ts";

/** English. */
export const EN: DoctorTexts = {
  levels: { ok: "ok", note: "note", wrong: "wrong" },
  summary: (wrong, notes) =>
    wrong === 0 ? `nothing is wrong (notes: ${notes})` : `wrong: ${wrong}, notes: ${notes}`,
  node: (version) => [`Node ${version}`],
  nodeUnfit: (version, range) => [`flower does not run on Node ${version}`, `install a Node of ${range}`],
  versions: (flower, sdk, harness) => [`flower ${flower}, SDK ${sdk}, harness ${harness}`],
  otherSdk: (sdk, wanted) => [
    `the SDK is ${sdk}, but flower was measured with ${wanted}`,
    "install flower again, with its lock file",
  ],
  noHarness: (platform) => [
    `the harness's program for ${platform} is not installed`,
    "install flower again, and do not leave out optional dependencies",
  ],
  credential: (key, shown, source) => [`${key} = ${shown} (${source})`],
  noCredentials: ["there are no credentials", "run flower setup, or set ANTHROPIC_API_KEY"],
  noToken: [
    "ANTHROPIC_BASE_URL is set, but no token",
    "set ANTHROPIC_AUTH_TOKEN, for a local model that wants none to any word: flower setup",
  ],
  twoTokens: [
    "there are a key and a token, and both are sent",
    "remove the one that this endpoint does not want",
  ],
  reachable: (where) => [`${where} takes connections`],
  unreachable: (where) => [
    `${where} takes no connection`,
    "check the address and the network; is a local server running?",
  ],
  proxy: "proxy",
  window: (tokens, model, source) => [`window ${tokens} for ${model}, by ${source}`],
  assumedWindow: (tokens, model) => [
    `the window of ${model} is not known: ${tokens} are assumed`,
    "set what the server really gives it, e.g. FLOWER_WINDOW=128k or --window 128k",
  ],
  noModel: [
    "no model is set: this endpoint is asked for the names of Anthropic's own",
    "set ANTHROPIC_MODEL if it serves others: flower setup --model <name>",
  ],
  defaultModel: "the harness's default model",
  sources: {
    option: "--window",
    FLOWER_WINDOW: "FLOWER_WINDOW",
    learned: "what the endpoint said in an overflow",
    "model name": "the model's name",
    harness: "the harness",
    assumed: "assumption, until the harness is asked at the start",
  },
  learned: (model, endpoint, tokens, day, command) => [
    `learned: ${model} at ${endpoint} has ${tokens} (since ${day})`,
    `if that is wrong: ${command}`,
  ],
  forgotten: (model, endpoint) => [`forgotten: what ${model} at ${endpoint} was believed to have`],
  nothingLearned: ["no such window was learned"],
  git: (version) => [version],
  noGit: ["git is not installed", "install it if workers are to be isolated (--isolate)"],
  canIsolate: ["workers can be isolated here (--isolate)"],
  disk: (path, free) => [`${free} free at ${path}`],
  diskLow: (path, free) => [`only ${free} free at ${path}`, "free some before a long run"],
  diskFull: (path, free) => [`${free} free at ${path}: a run would stop soon`, "free some"],
  privateFiles: ["flower's files are for you alone"],
  openFile: (path, mode, command) => [`others may get at ${path} (mode ${mode})`, command],
  blocked: (path, code) => [`${path} must be a directory, and is none (${code})`, "move away what is there"],
  notWritable: (path) => [
    `${path} cannot be written`,
    "give yourself the right to, or use another directory",
  ],
  noWorkspace: (path) => [`${path} is no directory`, "name the workspace with --workspace"],
  noRun: (path) => [`no run here yet (${path})`],
  free: (path) => [`no run holds ${path}`],
  held: (who, since, step) => [`a run is going on: ${who}, since ${since}${step}`],
  heldElsewhere: (who, since, path) => [
    `a run of another machine holds this: ${who}, since ${since}`,
    `if that is over, remove ${path}`,
  ],
  stale: (who, since) => [
    `${who} ended without giving the lock back (since ${since})`,
    "nothing: the next run takes it over",
  ],
  sound: (count) => [`${count} files looked at, none damaged`],
  damaged: (path, why) => [
    `${path} is damaged (${why})`,
    "put a copy back if you have one; the next run sets it aside and starts without it",
  ],
  newer: (path, why) => [
    `${path} is from a newer flower (${why})`,
    "update flower, or use another --run-dir",
  ],
  unreadable: (path, why) => [
    `${path} cannot be read (${why})`,
    "make it readable, or use another --run-dir",
  ],
  setAside: (path) => [`${path} was damaged and set aside earlier`, "remove it when you do not need it"],
  sandbox: ["commands run in bubblewrap"],
  noSandbox: (why) => [
    `no sandbox around commands: ${why}`,
    "install bubblewrap, so that what commands write elsewhere is prevented",
  ],
};
