/**
 * Memory at the end of a session: no hook leaves its own work undone for it.
 *
 * @module
 */

import { roleOf } from "../../agent_names.ts";
import type { Io } from "../../cli/io.ts";
import { AgentxError, type ErrorCode, EXIT_CODES } from "../../errors.ts";
import { shellWord } from "../../text/quote.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

/** Options of {@linkcode captureSession}. */
export interface SessionEnd {
  /** With or without a worker; what a session leaves behind is not its own alone. */
  agent: string;
  /** What tells it from other sessions of the agent. */
  session: string;
  /** The issue that was worked on; null where that is not known. */
  issue: number | null;
  /** The recording: a file, or `-` for standard input. */
  path: string;
  io: Io;
}

/** What came of a recording. */
export interface SessionCapture {
  /** The ids of what is new. */
  ids: string[];
  /** Other than 0 where it could not be captured; never 2, with which a hook would stop its host. */
  exitCode: number;
}

/** Exit code of an unexpected failure. */
const FAILED = 1;

/** @returns what came of it; where it failed, it is noted how to capture it later */
export async function captureSession(
  { memory, notify }: WorkspaceState,
  { agent, session, issue, path, io }: SessionEnd,
): Promise<SessionCapture> {
  const role = roleOf(agent);
  const notCaptured = (why: string) => {
    const file = path === "-" ? "FILE" : shellWord(path);
    notify(`The session was not captured: ${why}`);
    const about = `--agent ${role} --issue ${issue ?? "N"}`;
    notify(`Capture it later with: agentx memory capture ${about} --from ${file}`);
  };
  if (issue === null) {
    notCaptured("no issue was given");
    return { ids: [], exitCode: 0 };
  }
  try {
    const pipeline = await memory();
    const [{ readTranscript }, { readSource }] = await Promise.all([
      import("../../transcripts/mod.ts"),
      import("../../cli/read_source.ts"),
    ]);
    const captured = await pipeline.capture(
      async () => readTranscript(await readSource(path, io)),
      { agent: role, issueNumber: issue, session },
    );
    return { ids: captured.map(({ id }) => id), exitCode: 0 };
  } catch (error) {
    const { reasonOf } = await import("../../memory/quietly.ts");
    notCaptured(reasonOf(error));
    const exitCode = error instanceof AgentxError ? EXIT_CODES[error.code as ErrorCode] : FAILED;
    return { ids: [], exitCode: exitCode === EXIT_CODES.INVALID_INPUT ? FAILED : exitCode };
  }
}
