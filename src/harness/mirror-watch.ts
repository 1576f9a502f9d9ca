/** A reply is mirrored within 150 ms (0.3.332); this is far more, and still but a few turns, ms. */
const SILENT_MS = 2_000;

/**
 * Notices a mirror that has fallen silent. Of a file of its own that it cannot write the harness says only at the end of
 * the turn, and from then on it mirrors nothing (0.3.332).
 */
export class MirrorWatch {
  #unkeptSinceMs: number | undefined;
  #appending = 0;

  /** A reply of the main thread has come, which is to be kept. */
  replied(nowMs: number): void {
    this.#unkeptSinceMs ??= nowMs;
  }

  /** The store is at work; a slow one is no silence. What is returned says that it is done. */
  appending(): () => void {
    this.#appending += 1;
    return () => {
      this.#appending -= 1;
      this.#unkeptSinceMs = undefined;
    };
  }

  /** Whether a reply has waited too long to be kept. Asked as messages come, not by a clock: a machine may sleep. */
  isSilent(nowMs: number): boolean {
    return this.#appending === 0 && nowMs - (this.#unkeptSinceMs ?? nowMs) > SILENT_MS;
  }
}
