// Runs one step of an issue: its agent works in a tree of its own; the result is checked before it is handed on,
// and sent back once with what is missing. The reply is kept until then: a complete one is never requested again,
// and an interrupted run is repeated once.

import type { AgentInvoker } from "../agents/agent_call.ts";
import { interrupted } from "../agents/failed_run.ts";
import { roleFiles } from "../agents/role_files.ts";
import { RunFiles } from "../agents/run_files.ts";
import type { WorkLimits } from "../agents/working_form.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { replyOf } from "../clarify/run_target.ts";
import type { Runs } from "../clarify/runs.ts";
import { mayChange } from "../config/role_settings.ts";
import { outputOf, upstreamOutputs, type Workflow, type WorkflowStep } from "../config/workflow.ts";
import {
  atStart,
  changesIn,
  commitTree,
  makeStepTree,
  noteStart,
  stepName,
  type StepTree,
  stepTree,
} from "../git/step_tree.ts";
import type { AgentEventBus } from "../events/bus.ts";
import { notAllowed } from "../guard/changes.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { replaceFile } from "../sys/replace_file.ts";
import { estimatedTokens } from "../text/token_estimate.ts";
import type { StepChange } from "../work/issue/change.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import { readArtifact } from "../work/route/artifact.ts";
import { downstreamOf } from "../work/route/route.ts";
import type { Budget } from "./budget.ts";
import { checkStep, type StepCheck } from "./check_step.ts";
import { factsOf } from "./facts.ts";
import type { EvidencePlace } from "./evidence.ts";
import type { DoneChange, HandedOn } from "./hand_on.ts";
import { staysInside } from "./inside.ts";
import { NOT_NEEDED, SENDS_BACK, stepPrompt } from "./step_prompt.ts";
import { CLARIFY_FIRST } from "./stopped_steps.ts";
import { findTemplate } from "./templates.ts";

/** What runs a step. */
export interface StepParts extends Omit<EvidencePlace, "timeoutMs"> {
  runs: Runs;
  /** How the agent of a role works, or answers where no place is given; throws `AGENT_ERROR` where nobody can run it. */
  workerOf: (role: string, place?: { cwd: string; work?: WorkLimits }) => Promise<AgentInvoker>;
  /** What agents assumed of an issue, and nobody has confirmed, one sentence each. */
  assumed: (issueNumber: number) => string[];
  /** What earlier sessions learned. */
  recall: (role: string, issueNumber: number) => Promise<string>;
  handOn: (issueNumber: number, said: readonly DoneChange[], by: string) => Promise<HandedOn>;
  /** Records that a step was sent back, or is left out. */
  noteStep: (issueNumber: number, fact: StepChange, by: string) => Promise<void>;
  events: AgentEventBus;
  notify: (message: string) => void;
}

/** What runs a step within a budget. */
export interface BudgetedParts extends StepParts {
  budget: Budget;
}

/** Which step of which issue. */
export interface StepTask {
  known: KnownIssue;
  workflow: Workflow;
  step: WorkflowStep;
  /** How often it was done or sent back before; each time there is a new run. */
  round: number;
  /** Why it was sent back last. */
  because: readonly string[];
  /** Whether its agent may find that its condition does not hold. */
  isUndecided: boolean;
}

/** What became of a step. */
export interface StepOutcome {
  issueNumber: number;
  step: string;
  agent: string;
  /** `elsewhere`: another process runs it. */
  outcome: "done" | "sent back" | "left out" | "not done" | "elsewhere";
  /** Why it is not done, or what has to change. */
  reasons: string[];
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
  const { outcome, reasons, attempts } = held?.value ??
    { outcome: "elsewhere" as const, reasons: ["another process runs it"], attempts: 0 };
  const { number: issueNumber } = issue;
  return { issueNumber, step, agent, outcome, reasons, attempts, durationMs: sys.now() - startMs };
}

type Ended = Pick<StepOutcome, "outcome" | "reasons" | "attempts">;

async function attempt(task: StepTask, parts: BudgetedParts): Promise<Ended> {
  const { step, known: { issue }, because } = task;
  const runs = Array.from({ length: MAX_ATTEMPTS }, (_, index) => filesOf(task, index + 1, parts));
  const isBegun = runs.some(({ isKnown }) => isKnown);
  const tree = isBegun ? stepTree(parts.root, issue.number, step.id) : await prepare(task, parts);
  let at = Math.max(0, runs.findLastIndex(({ isKnown }) => isKnown));
  let missing = because;
  for (;; at++) {
    const { said, check } = await runOnce(task, {
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
      const end = await finish(task, check, back?.[1], parts);
      for (const files of runs) files.remove();
      return { ...end, attempts: at + 1 };
    }
    missing = check.reasons;
    if (at + 1 === MAX_ATTEMPTS) {
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

/** Makes a tree with the documents of the steps before. */
async function prepare(task: StepTask, { root, tree: main, signal }: StepParts): Promise<StepTree> {
  const { step, workflow, known: { issue } } = task;
  const before = workflow.steps.filter(({ id }) => downstreamOf([id], workflow).has(step.id));
  const after = before.findLast(({ output }) => output === null)?.id;
  const about = { root, issueNumber: issue.number, step: step.id, signal };
  const tree = await makeStepTree({ ...about, after });
  const own = outputOf(step, issue.number);
  const documents = [...before.map((each) => outputOf(each, issue.number)), own];
  for (const path of documents) {
    const text = path === null ? undefined : readArtifact(main, path);
    if (path !== null && text !== undefined) write(tree.path, path, text);
  }
  await commitTree(tree, `Documents of #${issue.number}`, signal);
  await noteStart(tree, signal);
  return tree;
}

async function runOnce(
  task: StepTask,
  { run, files, tree, missing }: {
    run: string;
    files: RunFiles;
    tree: StepTree;
    missing: readonly string[];
  },
  parts: BudgetedParts,
): Promise<{ said: string; check: Pick<StepCheck, "reasons" | "hash" | "evidence"> }> {
  const { step, known: { issue } } = task;
  const { agent } = step;
  const { notify, signal, budget } = parts;
  const failed = (error: AgentxError) => {
    const check = { reasons: [error.summary], hash: null, evidence: [] };
    return { said: "", check };
  };
  const over = new AbortController();
  const end = AbortSignal.any([over.signal, ...signal === undefined ? [] : [signal]]);
  const report = (tokens: number) => {
    budget.note(run, tokens);
    if (budget.isUsedUp) over.abort(interrupted());
  };
  let said: string;
  let totalTokens: number | undefined;
  try {
    await files.settle(agent, { notify, signal });
    const isKept = files.hasReply;
    if (!isKept && budget.isUsedUp) throw budget.usedUp(issue.number, agent);
    const may = mayChange(agent, parts.tree) ?? null;
    const work = { mayChange: may, commands: step.evidence };
    const invoke = await parts.workerOf(agent, { cwd: tree.path, work });
    const prompt = await promptOf(task, missing, parts);
    const call = { agent, prompt, signal: end, files, cwd: tree.path, report };
    const { body, tokens } = await replyOf(call, { invoke, notify });
    if (!isKept) {
      totalTokens = tokens ?? estimatedTokens(prompt) + estimatedTokens(body);
      budget.note(run, totalTokens);
    }
    said = body;
  } catch (error) {
    if (over.signal.aborted) {
      files.remove(); // it did not finish, so it starts over
      throw budget.usedUp(issue.number, agent);
    }
    if (hasCode(error, "AGENT_ERROR") && error.details.final === undefined) return failed(error);
    throw error;
  }
  const output = outputOf(step, issue.number);
  if (output !== null && readArtifact(tree.path, output) === undefined) {
    write(tree.path, output, `${said.trimEnd()}\n`);
  }
  const place = { ...parts, tree: tree.path, issue };
  const check = await checkStep(step, place);
  const changed = await changesIn(tree, signal);
  const others = output === null ? changed : changed.filter((path) => path !== output);
  const beyond = notAllowed(others, { role: agent, tree: parts.tree });
  const reasons = [...check.reasons, ...beyond];
  parts.events.emit("validation-result", {
    agent,
    issueNumber: issue.number,
    taskId: step.id,
    passed: reasons.length === 0,
    errors: reasons,
    ...totalTokens !== undefined && { totalTokens },
    timestamp: sys.now(),
  });
  return { said, check: { ...check, reasons } };
}

/** Estimated tokens of its prompt. */
export async function promptTokens(task: StepTask, parts: StepParts): Promise<number> {
  return estimatedTokens(await promptOf(task, task.because, parts));
}

async function promptOf(
  { step, workflow, known, isUndecided }: StepTask,
  missing: readonly string[],
  { tree, recall, assumed, notify }: StepParts,
): Promise<string> {
  const { issue } = known;
  const documents = upstreamOutputs(workflow, [step], issue.number).flatMap((path) => {
    const text = readArtifact(tree, path);
    return text === undefined ? [] : [{ path, text }];
  });
  return stepPrompt(
    step,
    await withoutSecrets({
      issue: { number: issue.number, title: issue.title, body: issue.body },
      output: outputOf(step, issue.number),
      template: step.template === null ? null : findTemplate(tree, step.template)?.text ?? null,
      documents,
      roleFiles: roleFiles(step.agent, tree, notify),
      clarified: factsOf(known).decisions.get(CLARIFY_FIRST)?.because ?? "",
      assumed: assumed(issue.number),
      recall: await recall(step.agent, issue.number),
      missing,
      isReview: isReview({ step, workflow }),
      isUndecided,
    }),
  );
}

/** Whether the step reviews one that iterates. */
function isReview({ step, workflow }: Pick<StepTask, "step" | "workflow">): boolean {
  return returnsTo({ step, workflow }) !== undefined;
}

function returnsTo({ step, workflow }: Pick<StepTask, "step" | "workflow">): string | undefined {
  return workflow.steps.findLast(({ id, output }) =>
    output === null && downstreamOf([id], workflow).has(step.id)
  )?.id;
}

/** Commits it on the branch of the step, and puts its document into the main checkout. */
async function deliver(
  { step, known: { issue } }: StepTask,
  tree: StepTree,
  { tree: main, signal }: StepParts,
): Promise<void> {
  const { number } = issue;
  await commitTree(tree, `${step.id} of #${number}`, signal);
  const path = outputOf(step, number);
  const text = path === null ? undefined : readArtifact(tree.path, path);
  if (path === null || text === undefined) return;
  const there = readArtifact(main, path);
  if (there === text) return;
  if (there !== undefined && there !== await atStart(tree, path, signal)) {
    const why = `${path} was edited while ${step.agent} worked on it`;
    throw new AgentxError("NOT_READY", `Cannot hand on ${step.id} of #${number}: ${why}`, {
      details: { issueNumber: number, reasons: [why] },
      next: `Its version is on the branch ${tree.branch}: merge both in ${path}, and validate ` +
        `with: agentx issue validate ${number} ${step.agent}`,
    });
  }
  write(main, path, text);
}

async function finish(
  task: StepTask,
  { hash, evidence }: Pick<StepCheck, "hash" | "evidence">,
  back: string | undefined,
  { handOn, noteStep }: StepParts,
): Promise<Omit<Ended, "attempts">> {
  const { step: { id, agent }, known: { issue } } = task;
  if (back !== undefined) {
    await noteStep(issue.number, { op: "returned", step: returnsTo(task)!, because: back }, agent);
    return { outcome: "sent back", reasons: [back] };
  }
  const { notRecorded } = await handOn(
    issue.number,
    [{ op: "validated", step: id, hash, evidence }],
    agent,
  );
  return { outcome: notRecorded.length === 0 ? "done" : "not done", reasons: notRecorded };
}

/** Follows no link out of the tree. */
function write(tree: string, path: string, text: string): void {
  if (!staysInside(tree, path)) {
    throw new AgentxError("IO_ERROR", `Cannot write "${path}": a link on its way leads out`, {
      details: { operation: "write", path, errno: "ENOTDIR" },
      next: "Make it a folder of the repository",
    });
  }
  const file = `${tree}/${path}`;
  sys.makeDir(file.slice(0, file.lastIndexOf("/")));
  replaceFile(file, text);
}
