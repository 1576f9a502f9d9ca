/** What the harness's environment is made from. */
export interface EnvironmentOptions {
  /** Environment of this process; host settings of the harness in it are dropped when portable. */
  base: Readonly<Record<string, string | undefined>>;
  /** Credentials and models as resolved by `resolveCredentials`, key by key. */
  credentials: Readonly<Record<string, string>>;
  /** The harness's own config directory; `undefined` = the person's. */
  configDir: string | undefined;
  /** Tokens; told to the harness for models that it does not know. */
  window: number;
  /** Keep the harness from compacting by itself. */
  noCompaction: boolean;
  /** The main thread's prompts are kept for an hour in the API's cache instead of five minutes. */
  longCache: boolean;
  /** The step's own variables, last. */
  extra: Readonly<Record<string, string>>;
}

/**
 * Variables of a surrounding harness session, which would change how ours behaves; and the addresses of notifications,
 * which hold tokens and are none of the tools' business.
 */
const FOREIGN = /^(CLAUDE|ANTHROPIC_|DISABLE_AUTO_COMPACT$|FLOWER_TREE$|FLOWER_NOTIFY$|MCP_)/;

/** Tried by the harness on its own before flower takes over the waiting (0.3.332). */
const HARNESS_RETRIES = "2";

/**
 * Environment for the harness process. The blocking limit is set far above the window for every process: the
 * harness would otherwise refuse locally before the API is asked (0.3.332), and flower decides by level.
 * The API key is not in here: it goes through a pipe.
 */
export function harnessEnvironment(options: EnvironmentOptions): Record<string, string> {
  const inherited = Object.entries(options.base).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !FOREIGN.test(entry[0]),
  );
  const credentials = Object.entries(options.credentials).filter(([name]) => name !== "ANTHROPIC_API_KEY");
  return {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(credentials),
    ...(options.configDir === undefined ? {} : { CLAUDE_CONFIG_DIR: options.configDir }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // Agent calls in the foreground: a background agent makes several results and is killed after 600 s (0.3.332).
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: "1",
    // TodoWrite instead of four Task tools: a tenth of their prompt (0.3.332).
    CLAUDE_CODE_ENABLE_TASKS: "0",
    // The billing line changes with the first prompt and would break the shared prefix (0.3.332).
    CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
    CLAUDE_CODE_MAX_RETRIES: HARNESS_RETRIES,
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(options.window),
    CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: String(2 * options.window + 1_000_000),
    // Not read for subagents, which have their own (0.3.332).
    ...(options.longCache ? { CLAUDE_CODE_PROMPT_CACHE_TTL: "1h" } : {}),
    ...(options.noCompaction ? { DISABLE_AUTO_COMPACT: "1" } : {}),
    ...options.extra,
  };
}
