/**
 * Longest sleep of one timer, ms. A timer counts neither past 2^31 ms nor while the machine sleeps (it follows the
 * monotonic clock), so the wall clock is asked again this often.
 */
const LOOK_AGAIN_MS = 10_000;

/**
 * Calls `onDue` once the wall clock reaches `atMs` (epoch ms); null = never. Holds the process alive until then, for
 * an open question is work under way.
 * @returns cancels.
 */
export function armDeadline(atMs: number | null, now: () => number, onDue: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const leftMs = atMs === null ? LOOK_AGAIN_MS : atMs - now();
    timer = setTimeout(
      () => {
        if (atMs !== null && now() >= atMs) onDue();
        else arm();
      },
      Math.min(Math.max(leftMs, 0), LOOK_AGAIN_MS),
    );
  };
  arm();
  return () => clearTimeout(timer);
}
