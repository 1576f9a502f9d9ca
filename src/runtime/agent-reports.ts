import { redactDeep } from "../context/redact.ts";
import { reportWithin } from "../context/report-frame.ts";
import { reportsNothing } from "../context/report.ts";
import type { Entry } from "../context/transcript.ts";
import type { ToolCall } from "../core/tool-call.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { CUT_REPORT, diedReport, EMPTY_REPORT } from "./prompts.ts";
import type { Secrets } from "./secrets.ts";
import type { Turn } from "./turn.ts";
import { transcriptLine, unfinishedReport } from "./unfinished-report.ts";

/** What reports of subagents are completed with. */
export interface ReportParts {
  turn: Turn;
  workbench: Workbench | undefined;
  secrets: Secrets;
  /** Transcript of the subagent that an Agent call started. */
  subagent(toolUseId: string): Promise<readonly Entry[]>;
  /** Id of the subagent that a call of Agent started; undefined while the harness has not named it. */
  agentIdOf(toolUseId: string): string | undefined;
}

/** Sees to it that a coordinator knows what became of each subagent; results of other tools pass as they are. */
export interface AgentReports {
  /** The result, with what the transcript holds where the report reports nothing, or the subagent did not finish. */
  complete(call: ToolCall, output: unknown): Promise<unknown>;
  /** The result with what an isolated subagent left, behind whatever was made shorter. */
  withWorktree(call: ToolCall, output: unknown): Promise<unknown>;
  /** What is added to the error of an Agent call that failed. */
  ofFailed(call: ToolCall, error: string): Promise<string | undefined>;
}

/** What the harness says of a subagent that an API error ended (0.3.332). */
const DIED = /terminated early due to an API error/;

/** See {@link AgentReports}. */
export function agentReports({ turn, workbench, secrets, subagent, agentIdOf }: ReportParts): AgentReports {
  const threadOf = async (call: ToolCall): Promise<readonly Entry[]> =>
    redactDeep(await subagent(call.id), secrets.redact);

  async function about(call: ToolCall, head: string): Promise<string> {
    return unfinishedReport(head, await threadOf(call), workbench);
  }

  /** What has to be said of a report; undefined when it can stand as it is. */
  async function remark(call: ToolCall, agentId: unknown, report: string): Promise<string | undefined> {
    // The harness frames a cut subagent's last words as a final report (0.3.332).
    if (typeof agentId === "string" && turn.cutAgents.has(agentId))
      return [CUT_REPORT, ...transcriptLine(await threadOf(call), workbench)].join("\n\n");
    if (DIED.test(report)) return about(call, diedReport(report));
    return reportsNothing(report) ? about(call, EMPTY_REPORT) : undefined;
  }

  return {
    async complete(call, output) {
      if (!isReport(call, output)) return output;
      const report = reportWithin(output.content.map(textOf).join("\n"));
      const text = await remark(call, output["agentId"], report);
      if (text === undefined) return output;
      const rest = reportsNothing(report) ? [] : output.content;
      return { ...output, content: [{ type: "text", text }, ...rest] };
    },

    async withWorktree(call, output) {
      if (!isReport(call, output)) return output;
      const { agentId, content, worktreePath, ...rest } = output;
      if (typeof agentId !== "string") return output;
      const ended = await turn.worktrees?.ended(agentId, descriptionOf(call));
      if (ended === undefined) return output;
      return {
        ...rest,
        agentId,
        content: [...content, { type: "text", text: `[worktree] ${ended.text}` }],
        // The harness would name it all the same (0.3.332).
        ...(ended.gone ? {} : { worktreePath }),
      };
    },

    async ofFailed(call, error) {
      const agentId = agentIdOf(call.id);
      const ended =
        agentId === undefined ? undefined : await turn.worktrees?.ended(agentId, descriptionOf(call));
      const said = [
        DIED.test(error) ? await about(call, diedReport(error)) : undefined,
        error.includes("WorktreeCreate") ? turn.worktrees?.takeProblem() : undefined,
        ended?.text,
      ].filter((text) => text !== undefined);
      return said.length === 0 ? undefined : said.join("\n\n");
    },
  };
}

/** The result of an Agent call, as far as it is looked at (0.3.332). */
type Report = Record<string, unknown> & { content: unknown[] };

function isReport(call: ToolCall, output: unknown): output is Report {
  return (
    call.name === "Agent" &&
    typeof output === "object" &&
    output !== null &&
    "content" in output &&
    Array.isArray(output.content)
  );
}

function textOf(block: unknown): string {
  return typeof block === "object" && block !== null && "text" in block ? String(block.text) : "";
}

function descriptionOf({ input }: ToolCall): string | null {
  return typeof input["description"] === "string" ? input["description"] : null;
}
