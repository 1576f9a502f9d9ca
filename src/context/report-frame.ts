/**
 * A subagent's report out of what the harness hands over: one line that ends it off from other text, the report indented,
 * then lines about the agent (0.3.332). A call that failed has its text without a frame.
 */
export function reportWithin(text: string): string {
  const lines = withoutTools(text).split("\n");
  const frame = lines.findIndex((line) => line.startsWith("[Subagent hand-back]"));
  if (frame === -1) return withoutTools(text);
  const end = lines.findIndex((line, at) => at > frame && /^(?:agentId:|<usage>)/.test(line));
  return lines
    .slice(frame + 1, end === -1 ? lines.length : end)
    .map((line) => line.replace(/^ {1,2}/, ""))
    .join("\n");
}

/** The list of used tools stands beside the report, or behind its frame when a hook replaced the result (0.3.332). */
function withoutTools(text: string): string {
  return text.replace(/^ *<tools-used-before-summary>[^]*?<\/tools-used-before-summary>(?:\n|$)/gm, "");
}
