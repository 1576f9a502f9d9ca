/** Environment variable with the file that every command holds open, by which its process tree is found. */
export const HELD_FILE_VARIABLE = "FLOWER_HELD_FILE";

/** Name that marks the processes of one tool call: it stands in the command line of the call's shell. */
export function callMark(toolUseId: string): string {
  return `FLOWER_CALL_${toolUseId.replace(/\W/g, "_")}`;
}
