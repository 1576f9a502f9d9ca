/** CPU milliseconds of a synchronous piece of work, all threads of this process: a busy machine does not show in it. */
export function cpuMs(work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, result };
}
