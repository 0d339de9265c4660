// Tool calls of a captured recording as lines of the log: names and times, never inputs or outputs.

import { readLog } from "../events/read_log.ts";
import { sys } from "../sys/mod.ts";
import type { Transcript } from "../transcripts/transcript.ts";
import type { WorkspaceState } from "./state.ts";

/** The last results of a recording are enough to follow it. */
const MAX_RESULTS = 500;

/** A recording may name a tool as it likes. */
const TOOL = /^[\w.:/-]{1,80}$/;

/** The session of a recording. */
interface Session {
  agent: string;
  issueNumber: number;
}

/** Logs each call and its result once; a recording that is captured again is longer. Those without a time are left out. */
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
