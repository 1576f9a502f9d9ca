import { envValues, secretValues, type Credentials } from "../config/credentials.ts";
import { redactor, redactShapes } from "../context/redact.ts";

/** Credential values of a run. More come to it when `.env` files of the workspace are written, and none goes. */
export class Secrets {
  readonly #found: Pick<Credentials, "values">;
  readonly #workspace: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #inRun = new Set<string>();
  readonly #inDocuments = new Set<string>();
  #redact = redactor([]);

  constructor(
    found: Pick<Credentials, "values">,
    workspace: string,
    env: Readonly<Record<string, string | undefined>>,
  ) {
    this.#found = found;
    this.#workspace = workspace;
    this.#env = env;
    this.lookAgain();
  }

  /** Takes in what the `.env` files keep now. */
  lookAgain(): void {
    const known = this.#inRun.size;
    for (const value of secretValues(this.#found, this.#workspace, this.#env)) this.#inRun.add(value);
    for (const value of envValues(this.#workspace)) this.#inDocuments.add(value);
    if (this.#inRun.size > known) this.#redact = redactor([...this.#inRun]);
  }

  /** Takes credentials out of what models, logs and the store get. */
  readonly redact = (text: string): string => this.#redact(text);

  /** For documents that outlive the run: also what `.env` files keep under other names, and whatever looks like a key. */
  forDocuments(): (text: string) => string {
    this.lookAgain();
    const late = redactor([...this.#inDocuments]);
    return (text) => redactShapes(late(this.redact(text)));
  }
}
