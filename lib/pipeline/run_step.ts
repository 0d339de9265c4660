// Runs one step of an issue: its agent works in a separate tree. The result is checked before it is handed on. If parts
// are missing, the agent gets the list of them and runs once more. The reply is kept until the work is handed on: a
// complete reply is never requested again, and an interrupted run is repeated once.

import { RunFiles } from "../agents/run_files.ts";
import { HUMAN } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { shellLine } from "../base/quote.ts";
import { stepOutput } from "../config/workflow.ts";
import { stepName, type StepTree, stepTree } from "../git/step_names.ts";
import {
  atStart,
  commitFolders,
  commitTree,
  isWhole,
  makeStepTree,
  noteStart,
} from "../git/step_tree.ts";
import { commitMessage } from "../guard/commit_message.ts";
import { leftForGit } from "../git/step_guard.ts";
import { isChangedSince, noteLeft } from "../git/step_marks.ts";
import { restore } from "../git/step_probe.ts";
import { sys } from "../sys/mod.ts";
import { readArtifact } from "./artifact.ts";
import { downstreamOf } from "../work/route/route.ts";
import { artifactHash } from "./artifact_hash.ts";
import type { StepCheck } from "./check_step.ts";
import { documentsOf } from "./documents.ts";
import { factsOf, roundOf } from "./facts.ts";
import { MAX_BODY } from "../clarify/schema.ts";
import { askedIn } from "./step_question.ts";
import { writeInside } from "./paths_inside.ts";
import { leaveOutCode } from "./protected_files.ts";
import { notForGit, runAgent } from "./run_agent.ts";
import { type ChangeSummary, changeSummary, stepChange } from "./step_change.ts";
import { NOT_NEEDED, SENDS_BACK } from "./step_prompt.ts";
import {
  type BudgetedParts,
  isReview,
  returnsTo,
  type StepParts,
  type StepTask,
} from "./step_task.ts";

/** The result of a step. */
export interface StepOutcome {
  issueNumber: number;
  step: string;
  agent: string;
  /**
   * The outcome. `asked`: the agent's question to a person has ended, and the step runs again; `waits`: that question
   * is still open; `elsewhere`: another process runs the step.
   */
  outcome: "done" | "sent back" | "left out" | "not done" | "asked" | "waits" | "elsewhere";
  /** The reasons why the step is not done, or the wanted changes. */
  reasons: string[];
  /** The document of a finished step, and the commands that showed that it is done. */
  checked?: string[];
  /** The author of the work, if a person or another agent completed it. */
  savedBy?: string;
  /** The changes of the step; absent if its agent never began. */
  change?: ChangeSummary;
  /** The last message of the agent, if the step is not done. */
  said?: string;
  /** Number of runs of the agent for this step, in this process or before. */
  attempts: number;
  durationMs: number;
}

/** Maximum number of runs; the second run gets the missing parts of the first one. */
const MAX_ATTEMPTS = 2;

/**
 * Runs a step, unless another process is running it.
 *
 * @throws {AgentxError} `IO_ERROR`, `LOCK_TIMEOUT`; `INTERRUPTED`
 */
export async function runStep(task: StepTask, parts: BudgetedParts): Promise<StepOutcome> {
  const { step: { id: step, agent }, known: { issue } } = task;
  const startMs = sys.now();
  const held = await parts.runs.hold(
    `STEP-${stepName(issue.number, step)}`,
    agent,
    async () => await attempt(task, parts),
  );
  const ended: Ended = held?.value ??
    { outcome: "elsewhere", reasons: ["another process runs it"], attempts: 0 };
  return { issueNumber: issue.number, step, agent, ...ended, durationMs: sys.now() - startMs };
}

type Ended = Omit<StepOutcome, "issueNumber" | "step" | "agent" | "durationMs">;

/** Finds a review that asks for changes in its document but not in its reply: it would count as an approval. */
function contradiction({ step, known }: StepTask, tree: string): string[] {
  const path = stepOutput(step, known.issue.number);
  const text = path === null ? "" : readArtifact(tree, path) ?? "";
  if (path === null || !/^\*\*Decision\*\*:?\s*changes requested/im.test(text)) return [];
  return [`${path} says "changes requested", and the reply does not end with CHANGES NEEDED: ...`];
}

async function attempt(task: StepTask, parts: BudgetedParts): Promise<Ended> {
  const { step, workflow, known: { issue }, because } = task;
  const now = roundOf(step.id, parts.issues.getKnown(issue.number), workflow);
  if (now !== task.round) {
    return { outcome: "elsewhere", reasons: ["another process has just done it"], attempts: 0 };
  }
  await (await parts.trust()).checkGit();
  const runs = runsOf(task, parts);
  const isBegun = runs.some(({ isKnown }) => isKnown);
  const tree = isBegun ? stepTree(parts.root, issue.number, step.id) : await prepare(task, parts);
  let at = Math.max(0, runs.findLastIndex(({ isKnown }) => isKnown));
  let missing = because;
  const { signal } = parts;
  const mayAskGit = isBegun && (await leftForGit(tree, signal)).length === 0;
  if (mayAskGit && await restore(tree)) await leaveOutCode(tree, step.agent, parts);
  let isMended = task.isStopped && runs[at].hasReply && mayAskGit &&
    await isChangedSince(tree, signal);
  for (;; at++) {
    const run = `${issue.uid} ${step.id} ${at}`;
    const { said, check, isOver } = await runAgent(task, {
      run,
      files: runs[at],
      tree,
      missing,
    }, parts);
    if (!isMended && !isOver) await noteLeft(tree, signal);
    const asked = await askedIn(said, task, `${run} ${task.round}`, parts);
    if (asked !== undefined && !("refusal" in asked)) {
      if ("open" in asked) return { outcome: "waits", reasons: [asked.open], attempts: at + 1 };
      const { because, by } = asked;
      await parts.noteStep(issue.number, { op: "returned", step: step.id, because }, by);
      for (const files of runs) files.remove();
      return { outcome: "asked", reasons: [because], attempts: at + 1 };
    }
    if (asked !== undefined) check.reasons.push(asked.refusal);
    const last = said.trimEnd().split("\n").at(-1) ?? "";
    const back = isReview(task) ? SENDS_BACK.exec(last) : null;
    if (isReview(task) && back === null) check.reasons.push(...contradiction(task, tree.path));
    const [, unneeded] = task.isUndecided ? NOT_NEEDED.exec(last) ?? [] : [];
    if (unneeded !== undefined) {
      const fact = { op: "decided" as const, step: step.id, isTaken: false, because: unneeded };
      await parts.noteStep(issue.number, fact, step.agent);
      for (const files of runs) files.remove();
      return { outcome: "left out", reasons: [unneeded], attempts: at + 1 };
    }
    const diff = isOver ? undefined : await stepChange(step.id, {
      ...parts,
      issueNumber: issue.number,
    });
    const change = diff && changeSummary(diff);
    if (check.reasons.length === 0) {
      await deliver(task, tree, parts);
      const by = isMended ? parts.by : step.agent;
      const end = await finish(task, { ...check, by, back: back?.[1] }, parts);
      for (const files of runs) files.remove();
      return { ...end, ...isMended && { savedBy: by }, change, attempts: at + 1 };
    }
    missing = [...because, ...check.reasons];
    isMended = false;
    if (isOver || at + 1 === MAX_ATTEMPTS) {
      return {
        outcome: "not done",
        reasons: [...check.reasons],
        change,
        said: said || undefined,
        attempts: at + 1,
      };
    }
    await noteIteration(task, check.reasons, parts);
  }
}

/**
 * Adds an iteration to the loop of the issue. The loop began when the step was claimed, and is complete once the step
 * is done.
 */
async function noteIteration(
  { step, known: { issue } }: StepTask,
  missing: readonly string[],
  { loop }: StepParts,
): Promise<void> {
  const now = step.iterate ? loop.status(issue.number) : undefined;
  if (now?.status !== "active" || now.iteration >= now.maxIterations) return;
  const summary = missing.join("; ").slice(0, MAX_BODY).toWellFormed();
  await loop.iterate(issue.number, { summary });
}

/** Whether the last run of the step's agent has failed. No other run follows until a person asks for it. */
export function hasFailed(task: StepTask, parts: Pick<StepParts, "root">): boolean {
  return runsOf(task, parts).findLast(({ isKnown }) => isKnown)?.hasFailed ?? false;
}

/** Returns the files of the runs of a step. Runs of another round do not count. */
function runsOf(
  { known: { issue }, step, round }: Pick<StepTask, "known" | "step" | "round">,
  { root }: Pick<StepParts, "root">,
): RunFiles[] {
  return Array.from({ length: MAX_ATTEMPTS }, (_, index) => {
    const name = `STEP-${stepName(issue.number, step.id)}.${index + 1}`;
    const question = `${issue.uid} ${step.id} ${round} ${index + 1}`;
    return new RunFiles(`${root}/.agentx/state/runs/${name}`, question);
  });
}

/** Makes a tree with the work of the earlier steps and the current documents. */
async function prepare(task: StepTask, parts: StepParts): Promise<StepTree> {
  const { root, tree: main, signal } = parts;
  const { step, workflow, known: { issue } } = task;
  const before = workflow.steps.filter(({ id }) => downstreamOf([id], workflow).has(step.id));
  const wasDone = factsOf(task.known).facts.some((fact) =>
    fact.step === step.id && fact.op !== "returned"
  );
  const tree = await makeStepTree({
    root,
    from: main,
    issueNumber: issue.number,
    step: step.id,
    signal,
    after: before.map(({ id }) => id),
    isFresh: step.output !== null,
    again: !task.isAgain ? undefined : wasDone ? "since its start" : "all",
  });
  const documents = [...before, step].flatMap((each) =>
    documentsOf(main, stepOutput(each, issue.number))
  );
  for (const [path, text] of documents) writeInside(tree.path, path, text);
  const folders = documents.map(([path]) => path);
  const message = commitMessage(issue, { scope: "documents", place: main });
  if (folders.length > 0) await commitFolders(tree, { folders, message, signal });
  await noteStart(tree, signal);
  await leaveOutCode(tree, step.agent, parts);
  return tree;
}

/**
 * Records that a person accepts a step, as its agent left it or as the person mended it.
 *
 * @throws {AgentxError} `NOT_READY` if a process is running the step; `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function acceptStep(
  task: Pick<StepTask, "step" | "known">,
  because: string,
  parts: Pick<StepParts, "handOn" | "root" | "runs" | "signal" | "tree">,
): Promise<void> {
  const { step, known: { issue: { number } } } = task;
  const name = `STEP-${stepName(number, step.id)}`;
  const notAccepted = (reasons: string[]) =>
    new AgentxError("NOT_READY", `Cannot accept ${step.id} of #${number}: ${reasons.join("; ")}`, {
      details: { issueNumber: number, reasons },
      next: `Settle that, then: agentx workflow ${number} --accept ${step.id}`,
    });
  const held = await parts.runs.hold(name, HUMAN, async () => {
    const tree = stepTree(parts.root, number, step.id);
    if (isWhole(tree)) {
      const left = await leftForGit(tree, parts.signal);
      if (left.length > 0) throw notAccepted(left);
      await restore(tree);
      const refused = await notForGit(tree, parts);
      if (refused.length > 0) throw notAccepted(refused);
      await deliver(task, tree, parts);
    }
    const hash = await artifactHash(parts.tree, step, number) ?? null;
    await parts.handOn(number, [{ op: "approved", step: step.id, hash, because }], HUMAN);
    for (const files of runsOf({ ...task, round: 0 }, parts)) files.remove();
  });
  if (held === undefined) throw notAccepted(["another process runs it"]);
}

/** Commits the work on the branch of the step, and copies its documents into the main checkout. */
async function deliver(
  { step, known: { issue } }: Pick<StepTask, "step" | "known">,
  tree: StepTree,
  { tree: main, signal }: Pick<StepParts, "signal" | "tree">,
): Promise<void> {
  const { number } = issue;
  await commitTree(tree, commitMessage(issue, { scope: step.id, place: main }), signal);
  const documents = documentsOf(tree.path, stepOutput(step, number));
  const changed = documents.filter(([path, text]) => readArtifact(main, path) !== text);
  for (const [path] of changed) {
    const there = readArtifact(main, path);
    if (there === undefined || there === await atStart(tree, path, signal)) continue;
    const why = `${path} was edited while ${step.agent} worked on it`;
    throw new AgentxError("NOT_READY", `Cannot hand on ${step.id} of #${number}: ${why}`, {
      details: { issueNumber: number, reasons: [why] },
      next: `Its version is on the branch ${tree.branch}: merge both in ${path}, and validate ` +
        `with: agentx issue validate ${number} ${step.agent}`,
    });
  }
  for (const [path, text] of changed) writeInside(main, path, text);
}

async function finish(
  task: StepTask,
  { hash, evidence, by, back }: Pick<StepCheck, "hash" | "evidence"> & {
    by: string;
    back: string | undefined;
  },
  { handOn, noteStep }: StepParts,
): Promise<Omit<Ended, "attempts">> {
  const { step, known: { issue } } = task;
  const { id, agent } = step;
  if (back !== undefined) {
    await noteStep(issue.number, { op: "returned", step: returnsTo(task)!, because: back }, agent);
    return { outcome: "sent back", reasons: [back] };
  }
  const { notRecorded } = await handOn(
    issue.number,
    [{ op: "validated", step: id, hash, evidence }],
    by,
  );
  if (notRecorded.length > 0) return { outcome: "not done", reasons: notRecorded };
  const commands = evidence.filter(({ on }) => on === undefined)
    .map(({ command }) => shellLine(command));
  if (commands.length < evidence.length) commands.push("a test that failed before");
  const document = stepOutput(step, issue.number);
  const checked = document === null ? commands : [document, ...commands];
  return { outcome: "done", reasons: [], checked };
}
