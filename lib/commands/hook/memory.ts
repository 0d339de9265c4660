/**
 * Memory at the ends of a session: no hook waits for it or fails with it.
 *
 * @module
 */

import { roleOf } from "../../agent_names.ts";
import type { Io } from "../../cli/io.ts";
import { readSource } from "../../cli/read_source.ts";
import { sys } from "../../sys/mod.ts";
import type { Workspace } from "../../workspace/open.ts";

/** Options of {@linkcode captureSession}. */
export interface SessionEnd {
  /** With or without a worker; what a session leaves behind is not its own alone. */
  agent: string;
  /** The issue that was worked on; null where that is not known. */
  issue: number | null;
  /** The recording: a file, or `-` for standard input. */
  path: string;
  io: Io;
}

/**
 * @param workspace where the session was
 * @param end whose session, and its recording
 * @returns the ids of what is new; none where it failed, which is noted
 */
export async function captureSession(
  { memory, notify }: Workspace,
  { agent, issue, path, io }: SessionEnd,
): Promise<string[]> {
  if (issue === null) {
    notify("Memory capture skipped: nobody said which issue the session was about");
    return [];
  }
  const pipeline = await memory();
  const transcript = async () => {
    const { readTranscript } = await import("../../transcripts/mod.ts");
    return readTranscript(await readSource(path, io));
  };
  const captured = await pipeline.captureQuietly(transcript, {
    agent: roleOf(agent),
    issueNumber: issue,
    session: agent,
  });
  return captured.map(({ id }) => id);
}

/**
 * @param workspace where the session will be
 * @param start who begins to work on what
 * @returns what it should be told; empty where there is nothing
 */
export async function recallFor(
  { memory, config, root }: Workspace,
  { agent, issue }: { agent: string; issue: number },
): Promise<string> {
  const { enabled, maxTokens } = config.memory;
  const hasMemory = sys.lstat(`${root}/.agentx/memory`) !== undefined;
  if (!enabled || maxTokens === 0 || !hasMemory) return ""; // nothing is loaded for nothing
  return await (await memory()).injectMemory(agent, issue);
}
