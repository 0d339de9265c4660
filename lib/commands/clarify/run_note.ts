/**
 * Notes while a target runs: which question it answers, how long it may take, how to come back to it.
 *
 * @module
 */

import { roleOf } from "../../agent_names.ts";
import type { OnAsked } from "../../clarify/ask_target.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import type { Context } from "../../cli/command.ts";
import { isRunnable } from "../../config/runnable.ts";
import { note, showElapsed } from "../../cli/note.ts";
import type { Workspace } from "../../workspace/open.ts";

/**
 * Runs a target, and says so first.
 *
 * @throws {AgentxError} whatever `run` throws
 */
export async function runAnnounced<T>(
  { io, signal, onAsked: hear }: Pick<Context, "io" | "signal" | "onAsked">,
  { config, runs }: Workspace,
  run: (onAsked: OnAsked) => Promise<T>,
): Promise<T> {
  if (hear !== undefined) return await run(hear);
  let asked: ClarificationRecord | undefined;
  let hide = () => {};
  const onAsked: OnAsked = (record) => {
    const role = roleOf(record.to);
    const settings = Object.hasOwn(config.agents, role) ? config.agents[role] : undefined;
    if (!runs.canRun(role)) return;
    const limit = settings && isRunnable(settings)
      ? `, at most ${settings.timeoutSeconds} s per run`
      : "";
    asked = record;
    note(io, `${record.id} is asked of ${record.to}${limit}`);
    note(io, `come back to it with: agentx clarify wait ${record.id}`);
    hide(); // of the question that was run before this one
    hide = showElapsed(io, record.to);
  };
  try {
    return await run(onAsked);
  } finally {
    hide();
    if (asked !== undefined && signal.aborted) {
      note(io, `${asked.id} stays open; run it again with: agentx clarify retry ${asked.id}`);
    }
  }
}
