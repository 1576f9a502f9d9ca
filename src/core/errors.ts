/**
 * Closed list of error codes. A code is stable across releases; messages are not.
 *
 * - `usage`: bad options or arguments (exit code 2 on the command line)
 * - `workspace`: the workspace is no directory or cannot be written
 * - `credentials`: no endpoint or key, or the endpoint refused them
 * - `store`: the session store is damaged, locked, full or from the future
 * - `locked`: another run holds the run directory
 * - `harness`: the harness could not be started or broke off
 * - `aborted`: a person or a signal ended the run
 * - `format`: a file of flower's own is damaged or from a newer version
 * - `rehearsal`: the scripted model met a request that its scenario does not know
 */
export type FlowerErrorCode =
  "usage" | "workspace" | "credentials" | "store" | "locked" | "harness" | "aborted" | "format" | "rehearsal";

/** Marker by which {@link FlowerError.is} recognises errors of other copies of this package. */
const MARK = Symbol.for("flower-agent.error");

/**
 * Every error that flower throws on purpose.
 * `message` says what was wrong and names the offending value; `nextStep` says what the person can do.
 */
export class FlowerError extends Error {
  readonly [MARK] = true;
  readonly code: FlowerErrorCode;
  readonly nextStep: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    code: FlowerErrorCode,
    message: string,
    options: { nextStep?: string; data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "FlowerError";
    this.code = code;
    this.nextStep = options.nextStep;
    this.data = options.data ?? {};
  }

  /** True for a FlowerError of this or of another loaded copy of the package. */
  static is(value: unknown): value is FlowerError {
    return typeof value === "object" && value !== null && MARK in value;
  }
}

/** The message of anything thrown, with what the person can do about it, where that is known. */
export function errorWithNextStep(error: unknown): string {
  const nextStep = FlowerError.is(error) ? error.nextStep : undefined;
  return nextStep === undefined ? errorText(error) : `${errorText(error)}: ${nextStep}`;
}

/** The message of anything thrown, without a stack. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
