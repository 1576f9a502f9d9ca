// Appends numbered entries to a store file, one batch after another; started by two-processes.test.ts.
import { SqliteSessionStore } from "../../dist/store/sqlite.js";

const [path, name, batches] = process.argv.slice(2);
const store = SqliteSessionStore.open({ path });
for (let n = 0; n < Number(batches); n += 1) {
  const entries = ["a", "b"].map((part) => ({ type: "user", uuid: `${name}-${n}-${part}` }));
  // The second entry again: a batch that the harness repeats must not appear twice.
  await store.append({ projectKey: "p", sessionId: "s" }, [...entries, entries[1]]);
}
await store.close();
