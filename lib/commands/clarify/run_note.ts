// Notes while a target runs: the question, the time that it may take, and the command to wait for it again.

import { roleOf } from "../../base/agent_names.ts";
import type { OnAsked } from "../../clarify/hub/requests.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import type { Context } from "../../cli/command.ts";
import { isRunnable, settingsOf } from "../../config/runnable.ts";
import { note, showElapsed } from "../../cli/note.ts";
import type { Workspace } from "../../workspace/open.ts";

/** Runs a target, and announces it. Throws whatever `run` throws. */
export async function runAnnounced<T>(
  { io, signal, onAsked: hear }: Pick<Context, "io" | "signal" | "onAsked">,
  { config }: Workspace,
  run: (onAsked: OnAsked) => Promise<T>,
): Promise<T> {
  if (hear !== undefined) return await run(hear);
  let asked: ClarificationRecord | undefined;
  let hide = () => {};
  const onAsked: OnAsked = (record, reach) => {
    if (reach !== undefined) return;
    const role = roleOf(record.to);
    const settings = settingsOf(config.agents, role);
    const limit = settings !== undefined && isRunnable(settings)
      ? `, at most ${settings.timeoutSeconds} s per run`
      : "";
    asked = record;
    note(io, `${record.id} asks ${record.to}${limit}`);
    note(io, `come back to it with: agentx clarify wait ${record.id}`);
    hide(); // ends the display for the question before this one
    hide = showElapsed(io, record.to);
  };
  try {
    return await run(onAsked);
  } finally {
    hide();
    if (asked !== undefined && signal.aborted) {
      note(io, `${asked.id} stays open; run it again with: agentx clarify run ${asked.id}`);
    }
  }
}
