export type { SessionKey, SessionStore, TranscriptEntry } from "./contract.ts";
export { MemorySessionStore } from "./memory.ts";
export { rewriting, type RewritePass } from "./rewriting.ts";
export { SqliteSessionStore } from "./sqlite.ts";
