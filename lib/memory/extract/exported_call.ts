/**
 * How the export of a session names the tool above its result: `Tool use: **Bash** Run the tests`. Pure.
 *
 * @module
 */

/** A result, and the call it answers. */
export interface ExportedResult {
  /** The name of the tool; undefined where the text does not begin with a call. */
  tool?: string;
  /** What the call says of itself: a description, a path; empty if nothing. */
  about: string;
  /** The command line, if there is one. */
  command?: string;
  /** The result. */
  text: string;
}

const CALL =
  /^(?:Tool(?: use)?: ?\*\*|\*\*Tool:\*\* ?)([\w.:-]{1,60})(?:\*\*)?[ \t]*([^\n]{0,300})\n?/;

/** A line that is a command in whole. */
const COMMAND = /^`([^`\n]{2,300})`\s*$/m;

const FENCE = /^\s*(?:`{3,}|~{3,})/m;

/** Reads the call above a result, if there is one. */
export function readExportedCall(text: string): ExportedResult {
  const call = CALL.exec(text);
  if (call === null) return { about: "", text };
  const rest = text.slice(call[0].length);
  const head = rest.slice(0, FENCE.exec(rest)?.index ?? 600);
  const described = call[2].trim() === "" ? head.trimStart().split("\n", 1)[0] : call[2];
  return {
    tool: call[1],
    about: described.replace(/^`|`$/g, "").trim(),
    command: COMMAND.exec(`${call[2]}\n${head}`)?.[1],
    text: rest,
  };
}
