/**
 * The tool `clarify_ask`: asks, and waits for the answer as long as a host lets a tool wait. What has
 * no answer by then is pending, and its target goes on in this server.
 *
 * @module
 */

import { type ClarificationOutcome, outcomeOf } from "../../clarify/outcome.ts";
import { describeRun } from "../../clarify/render/runs.ts";
import {
  askerOf,
  type ClarificationRecord,
  isUnanswered,
  lastEntry,
} from "../../clarify/schema.ts";
import { untilAnswered } from "../../clarify/until_answered.ts";
import { hasCode } from "../../errors.ts";
import { pause } from "../../sys/clock.ts";
import type { Records, WorkspaceState } from "../../workspace/state.ts";
import { noteForSession } from "../hook/printed_note.ts";
import type { Asking } from "./deeds.ts";
import { checkFirst } from "./first_question.ts";
import { outcomeResult } from "./outcome.ts";
import { showProgress } from "./progress.ts";
import { outputOf } from "./run_command.ts";
import type { ToolResult, ToolRun } from "./tool.ts";

/** What the command gives; without a record where a runner outside of a sandbox has to ask it. */
type Asked = Omit<ClarificationOutcome, "clarification" | "clarificationId"> & {
  clarificationId: string | null;
  clarification: ClarificationRecord | null;
};

/** How long the call goes on, and what is said of it meanwhile. */
interface Waiting {
  about: string;
  endMs: number;
}

/** Where it is asked. */
type Place = WorkspaceState & Records;

/** Asks, or waits on. */
export async function ask(run: ToolRun): Promise<ToolResult> {
  const { input, context, caller, deeds } = run;
  const waiting = {
    about: `asking ${input.to ?? "again"}`,
    endMs: performance.now() + deeds.waitMs,
  };
  const stop = showProgress(caller, deeds.waitMs, () => waiting.about);
  try {
    const opened = await context.openState();
    const state = { ...opened, ...await opened.records() };
    const open = openQuestion(run, state);
    return open === undefined
      ? await askFirst(run, state, waiting)
      : await waitOn(open, run, state, waiting);
  } finally {
    stop();
  }
}

/** The id alone, or the question that is open already, is no new question. */
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
  required: ["issue", "to", "topic", "question"],
  when: " for a first question",
  next: "Give issue, from, to, topic and question; or an id to ask again or wait on",
};

async function askFirst(
  run: ToolRun,
  state: Place,
  waiting: Waiting,
): Promise<ToolResult> {
  const { input, command, contextOf, deeds } = run;
  const { root, ledger } = state;
  if (input.id === undefined) checkFirst("clarify_ask", run, FIRST);
  const asking = deeds.ask(JSON.stringify([root, input]), (how) => {
    return outputOf<Asked>({ command, context: contextOf(how), input });
  });
  const asked = await untilOver(asking, run, waiting);
  if (asked === undefined) {
    return asking.id === undefined
      ? notAsked({ status: "pending", round: 1, answer: null })
      : await goesOn(ledger.getById(asking.id), run, state);
  }
  const { clarification, answer, deadlock } = asked;
  if (clarification === null) return notAsked(asked);
  if (isUnanswered(clarification)) {
    if (!input.nonBlocking) return await untilOthersAnswer(clarification, run, state, waiting);
    await runUnlessTaken(clarification, run, state);
  }
  return await given(clarification, { answer, deadlock }, { run, state });
}

/**
 * What is asked goes on without the call where the time is over, and ends where it is cancelled. A question
 * that is still being written then is waited for: without its id nobody could come back to it.
 */
async function untilOver<T>(
  asking: Asking<T>,
  { caller: { signal } }: ToolRun,
  { endMs }: Waiting,
): Promise<T | undefined> {
  const over = new AbortController();
  const end = () => over.abort();
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  const isOver = pause(endMs - performance.now(), over.signal)
    .then(() => signal.aborted ? undefined : asking.begun)
    .then(() => undefined);
  try {
    const asked = await Promise.race([asking.done, isOver]);
    signal.throwIfAborted();
    return asked;
  } finally {
    signal.removeEventListener("abort", end);
    end();
    if (signal.aborted) asking.leave();
  }
}

/** The server that asked it may have ended: then it is run again, as `clarify retry` does it. */
async function waitOn(
  record: ClarificationRecord,
  run: ToolRun,
  state: Place,
  waiting: Waiting,
): Promise<ToolResult> {
  const asking = await runUnlessTaken(record, run, state);
  const outcome = asking && await untilOver(asking, run, waiting);
  if (outcome !== undefined && !isUnanswered(outcome.clarification)) {
    return await given(outcome.clarification, { answer: outcome.answer }, { run, state });
  }
  return await untilOthersAnswer(record, run, state, waiting);
}

/** Runs the target of a question that nobody is on; it goes on without the call. */
async function runUnlessTaken(
  record: ClarificationRecord,
  { contextOf, deeds }: ToolRun,
  { root, runs }: Place,
): Promise<Asking<ClarificationOutcome | undefined> | undefined> {
  const { id, to, round } = record;
  const isTaken = !isUnanswered(record) || !runs.canRun(to) || await runs.isServed(to) ||
    (await runs.look(id)).state !== "nobody";
  if (isTaken) return undefined;
  return deeds.ask(JSON.stringify([root, id, round]), async ({ signal, onAsked }) => {
    onAsked(record);
    const { router } = await contextOf({ signal }).openWorkspace();
    return await router.runOpen(id, { by: askerOf(record), signal });
  });
}

/** Another session may, or a runner, or a human. */
async function untilOthersAnswer(
  { id, to, round }: ClarificationRecord,
  run: ToolRun,
  state: Place,
  waiting: Waiting,
): Promise<ToolResult> {
  const { signal } = run.caller;
  waiting.about = `waiting for ${to} to answer ${id}`;
  const timeoutMs = Math.max(0, waiting.endMs - performance.now());
  const tell = (message: string) => void (waiting.about = message);
  try {
    const answered = await untilAnswered(state, id, { signal, timeoutMs, tell });
    return await given(answered, { answer: outcomeOf(answered, round).answer }, { run, state });
  } catch (error) {
    if (!hasCode(error, "WAIT_TIMEOUT")) throw error;
    return await goesOn(state.ledger.getById(id), run, state);
  }
}

/** What the call still waits for, the session has of it: its hooks need not tell it. */
async function given(
  record: ClarificationRecord,
  outcome: Parameters<typeof outcomeResult>[1],
  { run: { context }, state }: { run: ToolRun; state: Place },
): Promise<ToolResult> {
  await noteForSession(context.io.env, state, record);
  return outcomeResult(record, outcome);
}

/** Pending: who is on it, and how to come back to it. */
async function goesOn(
  record: ClarificationRecord,
  { deeds }: ToolRun,
  { runs }: Place,
): Promise<ToolResult> {
  const standing = describeRun(await runs.look(record.id), Date.now());
  const next = `No answer after ${deeds.waitMs / 1_000} s: ${standing}. ` +
    "To keep waiting, call clarify_ask with this id alone.";
  return outcomeResult(record, { answer: null, next });
}

/** There is no id yet. */
function notAsked({ status, round, answer }: Pick<Asked, "status" | "round" | "answer">) {
  const next = "The question waits for agentx serve to ask it, outside of this sandbox. " +
    "The same call again takes up the answer.";
  return { structured: { status, round, answer, next }, text: next };
}
