export type { SessionKey, SessionStore, TranscriptEntry } from "./contract.ts";
export { MemorySessionStore } from "./memory.ts";
export { rewriteReport, rewriting, type RewritePass, type RewritingOptions } from "./rewriting.ts";
export { SqliteSessionStore, type SessionSize } from "./sqlite.ts";
