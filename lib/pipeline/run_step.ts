// Runs one step of an issue: its agent works in a tree of its own; the result is checked before it is handed on,
// and sent back once with what is missing. The reply is kept until then: a complete one is never requested again,
// and an interrupted run is repeated once.

import { RunFiles } from "../agents/run_files.ts";
import { HUMAN } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { shellLine } from "../base/quote.ts";
import { outputOf } from "../config/workflow.ts";
import { stepName, type StepTree } from "../git/step_names.ts";
import {
  atStart,
  commitFolders,
  commitTree,
  makeStepTree,
  noteStart,
  stepTree,
} from "../git/step_tree.ts";
import { commitMessage } from "../guard/commit_message.ts";
import { sys } from "../sys/mod.ts";
import { readArtifact } from "./artifact.ts";
import { downstreamOf } from "../work/route/route.ts";
import type { StepCheck } from "./check_step.ts";
import { documentsOf } from "./documents.ts";
import { roundOf } from "./facts.ts";
import { writeInside } from "./paths_inside.ts";
import { leaveOutCode } from "./protected_files.ts";
import { runAgent } from "./run_agent.ts";
import { NOT_NEEDED, SENDS_BACK } from "./step_prompt.ts";
import {
  type BudgetedParts,
  isReview,
  returnsTo,
  type StepParts,
  type StepTask,
} from "./step_task.ts";

/** What became of a step. */
export interface StepOutcome {
  issueNumber: number;
  step: string;
  agent: string;
  /** `elsewhere`: another process runs it. */
  outcome: "done" | "sent back" | "left out" | "not done" | "elsewhere";
  /** Why it is not done, or what has to change. */
  reasons: string[];
  /** Of a step that is done: its document, and the commands that showed it. */
  checked?: string[];
  /** How often its agent was run for it, in this process or before. */
  attempts: number;
  durationMs: number;
}

/** A second run gets what was missing in the first. */
const MAX_ATTEMPTS = 2;

/** @throws {AgentxError} `IO_ERROR`, `LOCK_TIMEOUT`; `INTERRUPTED` */
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

type Ended = Pick<StepOutcome, "outcome" | "reasons" | "checked" | "attempts">;

async function attempt(task: StepTask, parts: BudgetedParts): Promise<Ended> {
  const { step, workflow, known: { issue }, because } = task;
  const now = roundOf(step.id, parts.issues.getKnown(issue.number), workflow);
  if (now !== task.round) {
    return { outcome: "elsewhere", reasons: ["another process has just done it"], attempts: 0 };
  }
  await parts.trust().checkGit();
  const runs = Array.from({ length: MAX_ATTEMPTS }, (_, index) => filesOf(task, index + 1, parts));
  const isBegun = runs.some(({ isKnown }) => isKnown);
  const tree = isBegun ? stepTree(parts.root, issue.number, step.id) : await prepare(task, parts);
  let at = Math.max(0, runs.findLastIndex(({ isKnown }) => isKnown));
  let missing = because;
  let isMended = task.isStopped && runs[at].hasReply;
  for (;; at++) {
    const { said, check, isOver } = await runAgent(task, {
      run: `${issue.uid} ${step.id} ${at}`,
      files: runs[at],
      tree,
      missing,
    }, parts);
    const last = said.trimEnd().split("\n").at(-1) ?? "";
    const back = isReview(task) ? SENDS_BACK.exec(last) : null;
    const [, unneeded] = task.isUndecided ? NOT_NEEDED.exec(last) ?? [] : [];
    if (unneeded !== undefined) {
      const fact = { op: "decided" as const, step: step.id, isTaken: false, because: unneeded };
      await parts.noteStep(issue.number, fact, step.agent);
      for (const files of runs) files.remove();
      return { outcome: "left out", reasons: [unneeded], attempts: at + 1 };
    }
    if (check.reasons.length === 0) {
      await deliver(task, tree, parts);
      const by = isMended ? HUMAN : step.agent;
      const end = await finish(task, { ...check, by, back: back?.[1] }, parts);
      for (const files of runs) files.remove();
      return { ...end, attempts: at + 1 };
    }
    missing = check.reasons;
    isMended = false;
    if (isOver || at + 1 === MAX_ATTEMPTS) {
      return { outcome: "not done", reasons: [...missing], attempts: at + 1 };
    }
  }
}

/** Runs of another round do not count. */
function filesOf(
  { known: { issue }, step, round }: StepTask,
  attempt: number,
  { root }: StepParts,
): RunFiles {
  const name = `STEP-${stepName(issue.number, step.id)}.${attempt}`;
  const question = `${issue.uid} ${step.id} ${round} ${attempt}`;
  return new RunFiles(`${root}/.agentx/state/runs/${name}`, question);
}

/** Makes a tree with the work of the steps before, and the documents as they are now. */
async function prepare(task: StepTask, parts: StepParts): Promise<StepTree> {
  const { root, tree: main, signal } = parts;
  const { step, workflow, known: { issue } } = task;
  const before = workflow.steps.filter(({ id }) => downstreamOf([id], workflow).has(step.id));
  const tree = await makeStepTree({
    ...{ root, issueNumber: issue.number, step: step.id, signal },
    after: before.map(({ id }) => id),
    isFresh: step.output !== null,
  });
  const documents = [...before, step].flatMap((each) =>
    documentsOf(main, outputOf(each, issue.number))
  );
  for (const [path, text] of documents) writeInside(tree.path, path, text);
  const folders = documents.map(([path]) => path);
  const message = commitMessage(issue, { scope: "documents", place: main });
  if (folders.length > 0) await commitFolders(tree, { folders, message, signal });
  await noteStart(tree, signal);
  await leaveOutCode(tree, step.agent, parts);
  return tree;
}

/** Commits it on the branch of the step, and puts its documents into the main checkout. */
async function deliver(
  { step, known: { issue } }: StepTask,
  tree: StepTree,
  { tree: main, signal }: StepParts,
): Promise<void> {
  const { number } = issue;
  await commitTree(tree, commitMessage(issue, { scope: step.id, place: main }), signal);
  const documents = documentsOf(tree.path, outputOf(step, number));
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
  const commands = evidence.map(({ command }) => shellLine(command));
  const document = outputOf(step, issue.number);
  const checked = document === null ? commands : [document, ...commands];
  return { outcome: "done", reasons: [], checked };
}
