// Writes the tool calls of a captured recording to the log: names and times, but no inputs or outputs.

import { readLog } from "../events/read_log.ts";
import { sys } from "../sys/mod.ts";
import type { Transcript } from "../transcripts/transcript.ts";
import type { WorkspaceState } from "./state.ts";

/** Maximum number of tool results to log, the latest ones. */
const MAX_RESULTS = 500;

/** Valid tool names. A recording may contain any text as the name of a tool, so others are rejected. */
const TOOL = /^[\w.:/-]{1,80}$/;

/** The agent and issue of a recording. */
interface Session {
  agent: string;
  issueNumber: number;
}

/**
 * Logs each tool call and its result once, even if a longer recording of the same session is captured later. Calls
 * without a time are left out.
 */
export function logTools(
  { messages, sessionId }: Transcript,
  { agent, issueNumber }: Session,
  { root, records }: WorkspaceState,
): void {
  const now = sys.now();
  const results = messages.flatMap(({ role, tool = "", timestamp }) => {
    const timeMs = role === "tool" && TOOL.test(tool) ? Date.parse(`${timestamp}`) : NaN;
    return timeMs <= now ? [{ tool, timeMs }] : [];
  }).slice(-MAX_RESULTS);
  if (results.length === 0) return;
  const sinceMs = Math.min(...results.map(({ timeMs }) => timeMs));
  const known = new Set(
    readLog(`${root}/.agentx/log`, { agent, kind: "toolResult", sinceMs })
      .map(({ tool, time }) => `${tool} ${Date.parse(time)}`),
  );
  const { log } = records();
  for (const { tool, timeMs } of results) {
    if (known.has(`${tool} ${timeMs}`)) continue;
    for (const status of ["running", "done"]) {
      log.write("tool-invoked", { agent, issueNumber, sessionId, tool, status }, timeMs);
    }
  }
}
