// Asks from a sandbox that may not write to the main checkout, by way of a runner outside of it.

import { type ClarificationOutcome, outcomeOf } from "../../clarify/hub/outcome.ts";
import { describeRun } from "../../clarify/render/runs.ts";
import { isUnanswered } from "../../clarify/schema.ts";
import type { Context } from "../../cli/command.ts";
import { note, showElapsed } from "../../cli/note.ts";
import { AgentxError, hasCode } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import type { Workspace } from "../../workspace/open.ts";
import { type OutboxRequest, targetOf } from "../../workspace/outbox/outbox.ts";
import { awaitReply, leaveRequest, takeReply } from "../../workspace/outbox/outbox_asker.ts";
import { OUTBOX_VARIABLE, requestRunKey } from "../../workspace/outbox/outbox_folder.ts";
import { outboxHere } from "../../workspace/outbox/outbox_here.ts";
import { COME_BACK, type LeftOutcome } from "../../workspace/outbox/render_left.ts";

/** A runner looks four times a second. */
const PATIENCE_MS = 5_000;

const REFUSED: readonly string[] = ["EROFS", "EACCES", "EPERM"];

/** Whether this session may not write to the state of the workspace. */
export function mayNotWrite(error: unknown, { root }: Workspace): boolean {
  return hasCode(error, "IO_ERROR") && REFUSED.includes(error.details.errno) &&
    error.details.path.startsWith(`${root}/.agentx/`);
}

/**
 * Asks through the outbox, and waits where the question blocks. The same question that was left
 * there before is resumed. Throws `IO_ERROR` where no outbox can be written; `INTERRUPTED`;
 * whatever the runner met.
 */
export async function askOutside(
  { io, signal, onLeft }: Pick<Context, "io" | "signal" | "onLeft">,
  workspace: Workspace,
  request: OutboxRequest,
): Promise<ClarificationOutcome | LeftOutcome> {
  const { root, tree } = workspace;
  const outbox = outboxHere(io.env, tree);
  const { nonce, isFound } = await leaveRequest(outbox, request);
  onLeft?.();
  note(io, `this session may not write to "${root}": it asks through "${outbox.folder}"`);
  if (isFound) note(io, "the same question was already left there: it is not asked twice");
  const { outcome, clarificationId } = takeReply(outbox, nonce);
  if (outcome !== undefined) return asItIsNow(outcome, workspace);
  const notify = (message: string) => note(io, message);
  const isServed = () => isRunnerAtWork(request, workspace);
  const isNoted = clarificationId === null && !isServed();
  if (isNoted) notify(`nobody takes it yet: ${startRunner(root)}`);
  if ("ask" in request && !request.ask.blocking) {
    const left = { status: "pending", round: 1, answer: null, clarification: null } as const;
    return { ...left, clarificationId, outbox: outbox.folder, root };
  }
  note(io, COME_BACK);
  const hide = showElapsed(io, "agentx serve");
  let asked: string | undefined;
  try {
    const onTaken = (id: string) => {
      asked = id;
      notify(`${id} is asked for this session`);
    };
    const watch = watchRequest(nonce, { workspace, isServed, isNoted, notify });
    return asItIsNow(await awaitReply(outbox, nonce, { onTaken, watch, signal }), workspace);
  } catch (error) {
    if (!hasCode(error, "NOT_FOUND") || asked === undefined) throw error;
    const record = workspace.ledger.findReadable(asked);
    if (record === undefined || isUnanswered(record)) throw error;
    return outcomeOf(record, record.round); // another process that asked the same took the reply
  } finally {
    hide();
  }
}

/** Where the target cannot be read, only a runner of all roles is known to take it. */
function isRunnerAtWork(request: OutboxRequest, workspace: Workspace): boolean {
  const { ledger, runs } = workspace;
  try {
    return runs.isServed(targetOf(request, ledger));
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    return runs.runner(undefined).state === "running";
  }
}

/** The reply may be a day old, and one to a question that does not block came before its answer. */
function asItIsNow(outcome: ClarificationOutcome, { ledger }: Workspace): ClarificationOutcome {
  const record = ledger.findReadable(outcome.clarificationId);
  if (record === undefined) return outcome;
  const now = outcomeOf(record, outcome.round);
  return isUnanswered(record) && outcome.reach ? { ...now, reach: outcome.reach } : now;
}

interface RequestWatchOptions {
  workspace: Pick<Workspace, "root" | "runs">;
  isServed: () => boolean;
  /** Whether the session knows already that no runner takes it. */
  isNoted: boolean;
  /** Called when no process is running it: once, and again only after one was. */
  notify: (message: string) => void;
}

/** Watches a request; the result looks once, given the clarification that it has become, or null. */
function watchRequest(
  nonce: string,
  { workspace: { root, runs }, isServed, isNoted, notify }: RequestWatchOptions,
): (clarificationId: string | null) => void {
  let seenMs = performance.now();
  let last: string | null = null;
  return (clarificationId) => {
    const run = runs.look(requestRunKey(nonce));
    if (run.state === "running" || clarificationId !== last) {
      seenMs = performance.now();
      isNoted = false;
    }
    last = clarificationId;
    if (isNoted || performance.now() - seenMs < PATIENCE_MS) return;
    isNoted = true;
    if (clarificationId === null && isServed()) {
      notify(
        `nobody has taken it after ${
          PATIENCE_MS / 1_000
        } s: agentx serve in "${root}" looks into ` +
          "registered worktrees (git worktree list) and the folder that its own " +
          `${OUTBOX_VARIABLE} names`,
      );
      return;
    }
    const state = clarificationId === null
      ? "nobody takes it"
      : `${clarificationId}: ${describeRun(run, sys.now())}`;
    notify(`${state}; ${startRunner(root)}, and this session keeps waiting`);
  };
}

/** What to do where no runner is at work. */
function startRunner(root: string): string {
  return `start agentx serve in "${root}", outside of this sandbox`;
}
