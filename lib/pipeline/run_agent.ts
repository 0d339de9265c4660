/**
 * Runs the agent of a step once, within the budget, and checks its work.
 *
 * @module
 */

import type { AgentInvoker } from "../agents/agent_call.ts";
import { interrupted } from "../agents/failed_run.ts";
import { roleFiles } from "../agents/role_files.ts";
import type { RunFiles } from "../agents/run_files.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { runForAnswer } from "../agents/answer.ts";
import { parseBlock } from "../gate/block.ts";
import { mayChange } from "../config/role_settings.ts";
import {
  stepOutput,
  upstreamOutputs,
  type Workflow,
  type WorkflowStep,
} from "../config/workflow.ts";
import { prefixOf, repositoryAbove } from "../git/repository.ts";
import { forgetSettings, noteSettings } from "../git/step_guard.ts";
import type { StepTree } from "../git/step_names.ts";
import { changesIn, isOnBranch, stageTree } from "../git/step_tree.ts";
import { isFromReply, noteReply } from "../git/step_marks.ts";
import { headCommit } from "../git/tracked_paths.ts";
import { notAllowed } from "../guard/changes.ts";
import { notAccepted, scanStaged, textOfFinding } from "../guard/scan.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { estimatedTokens } from "../text/token_estimate.ts";
import type { Issue } from "../work/issue/issue.ts";
import { checkAgreed } from "./agreed_files.ts";
import { readArtifact } from "./artifact.ts";
import { checkStep, type StepCheck } from "./check_step.ts";
import { cutDocuments } from "./documents.ts";
import { emptyWork } from "./empty_work.ts";
import { factsOf } from "./facts.ts";
import { needsFailure, showFailure } from "./failed_before.ts";
import { writeInside } from "./paths_inside.ts";
import { leaveOutCode, leftIn } from "./protected_files.ts";
import { changeLines, issueChange } from "./step_change.ts";
import { type StepContext, stepPrompt } from "./step_prompt.ts";
import { type BudgetedParts, isReview, type StepParts, type StepTask } from "./step_task.ts";
import { CLARIFY_FIRST } from "./stopped_steps.ts";
import { fillTemplate } from "./template.ts";
import { findTemplate, parseTemplate } from "./templates.ts";

/** The result of a run. */
export interface AgentRun {
  said: string;
  check: Pick<StepCheck, "reasons" | "hash" | "evidence">;
  /** Whether the agent left something that a person has to look at first. */
  isOver?: boolean;
}

/**
 * Runs the agent of a step, or takes its kept reply, and checks the work.
 *
 * @throws {AgentxError} `GATE_REFUSED` if the budget is used up; `AGENT_ERROR` if a second run cannot help;
 *   `UNTRUSTED`, `IO_ERROR`; `INTERRUPTED`
 */
export async function runAgent(
  task: StepTask,
  { run, files, tree, missing }: {
    run: string;
    files: RunFiles;
    tree: StepTree;
    missing: readonly string[];
  },
  parts: BudgetedParts,
): Promise<AgentRun> {
  const { step, known: { issue } } = task;
  const { agent } = step;
  const { notify, signal, budget } = parts;
  const notDone = (reasons: string[]): AgentRun => {
    return { said: "", check: { reasons, hash: null, evidence: [] } };
  };
  // These files were left by an unfinished run, or by an earlier version.
  const leftBefore = await leftIn(tree, agent, parts);
  if (leftBefore.length > 0) return { ...notDone(leftBefore), isOver: true };
  const over = new AbortController();
  const end = AbortSignal.any([over.signal, ...signal === undefined ? [] : [signal]]);
  const report = (tokens: number) => {
    budget.note(run, tokens);
    if (budget.isUsedUp) over.abort(interrupted());
  };
  const mainBefore = headOf(parts.tree);
  let said: string;
  let totalTokens: number | undefined;
  const startMs = sys.now();
  try {
    await files.settle(agent, { notify, signal });
    const isKept = files.hasReply;
    if (!isKept && budget.isUsedUp) throw budget.usedUp(issue.number, agent);
    const may = mayChange(agent, parts.tree) ?? null;
    const work = { mayChange: may, commands: step.evidence };
    const invoke = await parts.workerOf(agent, { cwd: tree.path, work });
    const known = parts.issues.getKnown(issue.number); // an earlier run may have ticked criteria
    const prompt = await promptOf({ ...task, known }, missing, parts);
    if (!isKept) await noteSettings(tree, signal);
    const call = { agent, prompt, signal: end, files, cwd: tree.path, report };
    const invokeAgreed: AgentInvoker = async (call) => {
      await checkAgreed(agent, tree, parts);
      return await invoke(call);
    };
    const { body, tokens } = await runForAnswer(call, { invoke: invokeAgreed, notify });
    if (!isKept) {
      totalTokens = tokens ?? estimatedTokens(prompt) + estimatedTokens(body);
      budget.note(run, totalTokens);
    }
    said = body;
  } catch (error) {
    if (over.signal.aborted) {
      files.remove(); // the run did not end, so it begins anew
      throw budget.usedUp(issue.number, agent);
    }
    if (hasCode(error, "AGENT_ERROR") && error.details.final === undefined) {
      return notDone([error.summary]);
    }
    throw error;
  } finally {
    await parts.ready.noteRunEnd(agent, issue.number, startMs);
  }
  const mainNow = headOf(parts.tree);
  if (mainNow !== mainBefore) {
    notify(`while ${agent} worked, the main checkout went to commit ${mainNow?.slice(0, 12)}`);
  }
  const left = await leftIn(tree, agent, parts);
  if (left.length > 0) return { ...notDone(left), isOver: true };
  if (parseBlock(said) !== undefined) {
    return { said, check: { reasons: [], hash: null, evidence: [] } };
  }
  const output = stepOutput(step, issue.number);
  if (output !== null) await keepReply(said, { output, tree, signal });
  try {
    await cutDocuments(tree.path, output, notify);
  } catch (error) {
    if (hasCode(error, "INVALID_INPUT")) return notDone([error.summary]); // only a secret
    throw error;
  }
  const { issue: now } = parts.issues.getKnown(issue.number); // has the ticked criteria
  const place = { ...parts, tree: tree.path, issue: now };
  const check = await checkStep(step, place);
  const leftByEvidence = await leftIn(tree, agent, parts);
  if (leftByEvidence.length > 0) return { ...notDone(leftByEvidence), isOver: true };
  const changed = await changesIn(tree, signal);
  const below = prefixOf(tree.path, tree.top);
  const document = output && below + output;
  const others = changed.filter((path) => path !== document);
  const isLost = !await isOnBranch(tree, signal);
  const lost = isLost
    ? [`its working tree has left ${tree.branch}: git switch ${tree.branch}`]
    : [];
  const beyond = notAllowed(others, { role: agent, tree: parts.tree, below });
  const empty = emptyWork(step, changed.filter((path) => !path.includes(".agentx/")), parts.tree);
  const reasons = [
    ...check.reasons,
    ...lost,
    ...beyond,
    ...await notForGit(tree, parts),
    ...empty === undefined ? [] : [empty],
  ];
  if (reasons.length === 0 && needsFailure(task)) {
    const before = await showFailure(task, tree, { ...place, changed });
    await leaveOutCode(tree, agent, parts);
    const leftByTests = await leftIn(tree, agent, parts);
    if (leftByTests.length > 0) return { ...notDone(leftByTests), isOver: true };
    check.evidence.push(...before.evidence);
    if (before.reason !== undefined) reasons.push(before.reason);
  }
  forgetSettings(tree);
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

/** Finds the secrets and commands that agentx's git hook refuses, because no hook runs in the tree of a step. */
export async function notForGit(
  tree: StepTree,
  { root, signal }: Pick<StepParts, "root" | "signal">,
): Promise<string[]> {
  const place = { root: tree.top, cwd: tree.top, home: sys.env("HOME") ?? "/" };
  const found = await scanStaged(tree.top, { place }, await stageTree(tree, signal));
  return notAccepted(root, found)
    .map((each) => `${each.path}:${each.line}: ${textOfFinding(each)}; take it out`);
}

/** Writes a reply as the document, if the agent wrote no file itself. A document from an earlier reply is replaced. */
async function keepReply(
  said: string,
  { output, tree, signal }: { output: string; tree: StepTree; signal?: AbortSignal },
): Promise<void> {
  const isThere = readArtifact(tree.path, output) !== undefined;
  if (isThere && !await isFromReply(tree, output, signal)) return;
  writeInside(tree.path, output, `${said.trimEnd()}\n`);
  await noteReply(tree, output, signal);
}

/** Returns the estimated number of tokens in the current prompt of a step. */
export async function promptTokens(task: StepTask, parts: StepParts): Promise<number> {
  return estimatedTokens(await promptOf(task, task.because, parts));
}

function headOf(tree: string): string | undefined {
  const repository = repositoryAbove(tree);
  return repository && headCommit(repository);
}

async function promptOf(
  { step, workflow, known, isUndecided }: StepTask,
  missing: readonly string[],
  parts: StepParts,
): Promise<string> {
  const { tree, recall, assumed, notify } = parts;
  const { issue } = known;
  const documents = upstreamOutputs(workflow, [step], issue.number).flatMap((path) => {
    const text = readArtifact(tree, path);
    return text === undefined ? [] : [{ path, text }];
  });
  return stepPrompt(
    step,
    await withoutSecrets({
      issue: { number: issue.number, title: issue.title, body: issue.body },
      output: stepOutput(step, issue.number),
      template: step.template === null ? null : await templateText(step, issue, tree),
      documents,
      roleFiles: roleFiles(step.agent, tree, notify),
      clarified: factsOf(known).decisions.get(CLARIFY_FIRST)?.because ?? "",
      assumed: await assumed(issue.number),
      recall: await recall(step.agent, issue.number),
      missing,
      work: isReview({ step, workflow }) ? await workToReview(issue.number, workflow, parts) : null,
      isUndecided,
    }),
  );
}

/**
 * Returns the subject of a review: the state of the loop that made the work, and the change compared with the target of
 * a merge.
 */
async function workToReview(
  issueNumber: number,
  { steps }: Workflow,
  { tree, signal, loop }: StepParts,
): Promise<StepContext["work"]> {
  const { base, files } = await issueChange(steps, { tree, issueNumber, signal }) ??
    { base: null, files: [] };
  const { status, iteration } = loop.status(issueNumber) ?? {};
  return {
    base,
    stat: base === null ? "" : changeLines({ base, files }, MAX_NAMED).join("\n"),
    diff: files.map(({ diff }) => diff).join(""),
    loop: status === undefined ? "was not started" : `is ${status}, iteration ${iteration}`,
  };
}

/** Maximum number of files that a prompt names; further files are only counted. */
const MAX_NAMED = 200;

/**
 * Returns the template of a step, filled in with the known values; unfilled if a value is missing or the template is
 * invalid.
 */
async function templateText(
  { template: name, agent }: WorkflowStep,
  issue: Issue,
  tree: string,
): Promise<string | null> {
  const found = findTemplate(tree, name!);
  if (found === undefined) return null;
  try {
    const template = await parseTemplate(found);
    const today = new Date(sys.now()).toISOString().slice(0, 10);
    return fillTemplate(template, { issue, user: agent, today, set: new Map() }).text;
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    return found.text;
  }
}
