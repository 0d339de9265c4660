// Notes the unconfirmed assumptions of an issue before its steps begin, and when it is closed.

import { AgentxError } from "../../base/errors.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { unconfirmedOn, type WithGate } from "../../workspace/open_requests.ts";
import { terminalLine } from "../../text/text.ts";

const MAX_SHOWN = 100;

/** Notes each unconfirmed assumption. An unreadable file is noted, and stops nothing. */
export async function noteAssumptions(
  io: Io,
  workspace: WithGate,
  issue: number,
): Promise<void> {
  try {
    for (const { id, decision } of await unconfirmedOn(workspace, issue)) {
      const what = terminalLine(decision, MAX_SHOWN);
      note(io, `#${issue} rests on ${id}, which nobody has confirmed: ${what}`);
    }
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    note(io, error.oneLine);
  }
}
