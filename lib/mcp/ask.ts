// The tool `clarify_ask`: asks, and waits for the answer as long as a host lets a tool wait. A question without an
// answer by then is pending, and its target continues in this server.

import { type ClarificationOutcome, outcomeOf } from "../clarify/hub/outcome.ts";
import { describeRun, type NotRun, type Unreached, waysOut } from "../clarify/reach.ts";
import { askerOf, type ClarificationRecord, isUnanswered, lastEntry } from "../clarify/schema.ts";
import { sayingWhyNot, untilAnswered } from "../clarify/hub/until_answered.ts";
import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { pause } from "../sys/pause.ts";
import type { Records, WorkspaceState } from "../workspace/state.ts";
import { noteForSession } from "../hooks/printed.ts";
import type { Asking } from "./background_calls.ts";
import { checkFirst } from "./first_question.ts";
import { outcomeResult } from "./outcome.ts";
import { showProgress } from "./progress.ts";
import { outputOf } from "./run_command.ts";
import type { ToolResult, ToolRun } from "./tool.ts";

/** The end of the wait, and the text of the progress until then. */
interface Waiting {
  about: string;
  endMs: number;
}

type Place = WorkspaceState & Records;

/** Asks a question, or continues to wait for its answer. */
export async function ask(run: ToolRun): Promise<ToolResult> {
  const { input, context, caller, background } = run;
  const waiting = {
    about: `asking ${input.to ?? "again"}`,
    endMs: performance.now() + background.waitMs,
  };
  const stop = showProgress(caller, background.waitMs, () => waiting.about);
  try {
    const opened = await context.openState();
    const state = { ...opened, ...opened.records() };
    const open = openQuestion(run, state);
    return open === undefined
      ? await askFirst(run, state, waiting)
      : await waitOn(open, run, state, waiting);
  } finally {
    stop();
  }
}

/** Returns the open question that a call continues: the call gives only an id, or repeats the open question. */
function openQuestion(
  { input: { id, question } }: ToolRun,
  { ledger }: Place,
): ClarificationRecord | undefined {
  if (id === undefined) return undefined;
  const record = ledger.getById(String(id));
  if (question === undefined) return record;
  const isLast = lastEntry(record, "question")?.body === question;
  return record.status === "pending" && isLast ? record : undefined;
}

const FIRST = {
  required: ["to", "question"],
  when: " for a first question",
  next: "Give to and question; or an id to ask again or wait on",
};

async function askFirst(
  run: ToolRun,
  state: Place,
  waiting: Waiting,
): Promise<ToolResult> {
  const { input, command, contextOf, background } = run;
  const { root } = state;
  if (input.id === undefined) checkFirst("clarify_ask", run, FIRST);
  const asking = background.ask(JSON.stringify([root, input]), (how) => {
    return outputOf<ClarificationOutcome>({ command, context: contextOf(how), input });
  });
  const asked = await untilOver(asking, run, state, waiting);
  if (asked === undefined) return await untilOthersAnswer(asking.record!, run, state, waiting);
  const { clarification, answer, deadlock, reach } = asked;
  if (isUnanswered(clarification)) {
    if (reach?.by === "nobody") return unanswered(clarification, reach);
    if (!input.nonBlocking) return await untilOthersAnswer(clarification, run, state, waiting);
    await runUnlessTaken(clarification, run, state);
  }
  return await given(clarification, { answer, deadlock }, { run, state });
}

/**
 * Waits for a question; returns undefined if somebody else answered first or the time is over, and the question then
 * continues without the call. If the call is cancelled, the question ends. A question that is still being written is
 * waited for, because nobody could ask for its answer without its id.
 */
async function untilOver<T>(
  asking: Asking<T>,
  { caller: { signal }, waits }: ToolRun,
  { ledger }: Place,
  { endMs }: Waiting,
): Promise<T | undefined> {
  const over = new AbortController();
  const end = () => over.abort();
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  asking.begun.then(waits);
  const isOver = pause(endMs - performance.now(), over.signal)
    .then(() => signal.aborted ? undefined : asking.begun)
    .then(() => undefined);
  const isAnswered = asking.begun.then(async () => {
    const { record } = asking;
    if (record === undefined) return await isOver;
    await untilAnswered(ledger, record.id, { signal: over.signal });
  }).catch(() => isOver); // the next reader of the ledger reports the error
  try {
    const asked = await Promise.race([asking.done, isOver, isAnswered]);
    signal.throwIfAborted();
    return asked;
  } finally {
    signal.removeEventListener("abort", end);
    end();
    if (signal.aborted) asking.leave();
  }
}

/**
 * Waits for an open question. The server that asked may have ended; the question is then run again, as by
 * `clarify run`.
 */
async function waitOn(
  record: ClarificationRecord,
  run: ToolRun,
  state: Place,
  waiting: Waiting,
): Promise<ToolResult> {
  const reach = await state.runs.reach(record.to);
  if (isUnanswered(record) && reach.by === "nobody") return unanswered(record, reach);
  const asking = await runUnlessTaken(record, run, state);
  const outcome = asking && await untilOver(asking, run, state, waiting);
  if (outcome !== undefined && !isUnanswered(outcome.clarification)) {
    return await given(outcome.clarification, { answer: outcome.answer }, { run, state });
  }
  return await untilOthersAnswer(record, run, state, waiting);
}

/** Runs the target of a question that no process is running. The run continues without the call. */
async function runUnlessTaken(
  record: ClarificationRecord,
  { contextOf, background }: ToolRun,
  { root, runs }: Place,
): Promise<Asking<ClarificationOutcome | undefined> | undefined> {
  const { id, to, round } = record;
  const isTaken = !isUnanswered(record) || (await runs.reach(to)).by !== "run" ||
    runs.isServed(to) || runs.look(id).state !== "nobody";
  if (isTaken) return undefined;
  return background.ask(JSON.stringify([root, id, round]), async ({ signal, onAsked }) => {
    onAsked(record);
    const { router } = await contextOf({ signal }).openWorkspace();
    return await (await router()).runOpen(id, { by: askerOf(record), signal });
  });
}

/** Waits until another session, a runner or a human answers. */
async function untilOthersAnswer(
  { id, to, round }: ClarificationRecord,
  run: ToolRun,
  state: Place,
  waiting: Waiting,
): Promise<ToolResult> {
  const { signal } = run.caller;
  run.waits();
  waiting.about = `waiting for ${to} to answer ${id}`;
  const timeoutMs = Math.max(0, waiting.endMs - performance.now());
  const whileOpen = sayingWhyNot(state.runs, (message) => waiting.about = message);
  try {
    const answered = await untilAnswered(state.ledger, id, { signal, timeoutMs, whileOpen });
    return await given(answered, { answer: outcomeOf(answered, round).answer }, { run, state });
  } catch (error) {
    if (!hasCode(error, "WAIT_TIMEOUT")) throw error;
    return stillPending(state.ledger.getById(id), run, state);
  }
}

/** Returns the outcome. This call delivers the answer to the session, so its hooks need not deliver it again. */
async function given(
  record: ClarificationRecord,
  outcome: Parameters<typeof outcomeResult>[1],
  { run: { context }, state }: { run: ToolRun; state: Place },
): Promise<ToolResult> {
  await noteForSession(context.io.env, state, record);
  return outcomeResult(record, outcome);
}

/** Returns at once if nobody can answer now. A later answer is delivered by hooks, or shown by clarify_list. */
function unanswered(record: ClarificationRecord, reach: Unreached & NotRun): ToolResult {
  const ways = waysOut(reach, record.id).join("; ");
  const next = `Nobody answers now, so do not wait: ${reach.reason}. A person can ` +
    `${ways}. Continue with what does not depend on it; clarify_list shows an answer.`;
  return outcomeResult(record, { answer: null, next });
}

/** Returns the state of a pending question: the process that runs it, and how to wait again. */
function stillPending(
  record: ClarificationRecord,
  { background }: ToolRun,
  { runs }: Place,
): ToolResult {
  const running = describeRun(runs.look(record.id), sys.now());
  const next = `No answer after ${background.waitMs / 1_000} s: ${running}. ` +
    "To keep waiting, call clarify_ask with this id alone.";
  return outcomeResult(record, { answer: null, next });
}
