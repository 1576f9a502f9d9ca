import { redactDeep } from "../context/redact.ts";
import type { SessionStore } from "./contract.ts";

/**
 * A store that never learns known secrets: the harness cuts and keeps the text of failed calls by itself, before any
 * hook could change it (0.3.332).
 */
export function redacting(store: SessionStore, redact: (text: string) => string): SessionStore {
  return {
    append: async (key, entries) =>
      store.append(
        key,
        entries.map((entry) => redactDeep(entry, redact)),
      ),
    load: async (key) => store.load(key),
    listSessions: async (projectKey) => store.listSessions(projectKey),
    listSubkeys: async (key) => store.listSubkeys(key),
    delete: async (key) => store.delete(key),
    close: async () => store.close(),
  };
}
