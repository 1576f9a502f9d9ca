import { errorText, errorWithNextStep, FlowerError } from "../core/errors.ts";

/**
 * What to say of a place in the run directory that cannot be written.
 * @param error of the file system, which has a `code`.
 */
export function unwritable(path: string, error: unknown): FlowerError {
  return new FlowerError("workspace", `${path} cannot be written: ${errorText(error)}`, {
    nextStep: nextStepOf((error as NodeJS.ErrnoException).code),
    cause: error,
  });
}

/** Why something cannot be written, with what to do; undefined when it was. */
export function whyNot(write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    return errorWithNextStep(error);
  }
}

function nextStepOf(code: string | undefined): string {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "free space on its disk, then run again: it goes on where it stopped";
    case "ENOENT":
      return "its directory is gone: put it back if you can, and run again; without it the work goes on from what is on disk";
    case "EISDIR":
    case "ENOTDIR":
      return "move away what is in its place, then run again: it goes on where it stopped";
    default:
      return "make it writable, or name another place with --run-dir";
  }
}
