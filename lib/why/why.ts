// Explains a line: finds its commit, the issue that the commit names, the earlier decisions on that issue, and the
// agent that wrote the line. If one of these cannot be found, its part of the result is empty.

import { HUMAN } from "../base/agent_names.ts";
import { originRemote } from "../git/origin.ts";
import { githubState } from "../github/read.ts";
import { prefixOf, repositoryAbove } from "../git/repository.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import type { GateInteraction } from "../gate/interaction.ts";
import { namesStep } from "../guard/commit_message.ts";
import type { Observation } from "../memory/schema.ts";
import { factsOf, type StepFact } from "../pipeline/facts.ts";
import type { Issue } from "../work/issue/issue.ts";
import type { WorkspaceState } from "../workspace/state.ts";
import { sys } from "../sys/mod.ts";
import { authorByNote, authorByTrace, type LineAuthor } from "./agent_records.ts";
import { commitOf, isOfStep, type LineCommit, lineOrigin, type LineTarget } from "./line_commit.ts";
import { issueNamedBy } from "./references.ts";

/** A decision on an issue from before the commit. */
export interface IssueDecision {
  /** Id of the clarification, or of the question to the human. */
  id: string;
  question: string;
  answer: string;
  /** An agent, `human`, or `timeout` if nobody answered and the fallback was used. */
  by: string;
  /** ISO-8601, UTC. */
  decided: string;
}

/** The explanation of a line, or of the latest change of a file. */
export interface Why {
  /** Relative to the checkout. */
  path: string;
  line: number | null;
  /** The line as it is in its commit; null for a file. */
  text: string | null;
  /** Null if the line is not committed. */
  commit: (Pick<LineCommit, "id" | "author" | "authored"> & { subject: string }) | null;
  writtenBy: LineAuthor | null;
  /** Notes about the file from agentx sessions at the time of the commit. */
  notes: Pick<Observation, "id" | "agent" | "sessionId" | "summary" | "timestamp">[];
  /** The issue that the commit names; the title is null if there is no such issue here. */
  issue: { number: number; title: string | null } | null;
  /** The completed steps of the issue, with the last fact of each: `approved` by a person, or `validated`. */
  steps: Pick<StepFact, "step" | "op" | "by" | "time">[];
  /** The decisions, latest first. */
  decisions: IssueDecision[];
}

const TRACES = ".agent-trace/traces.jsonl";
const MAX_TRACE_BYTES = 32 * 2 ** 20;

/** Maximum time between a commit and a session's note about the work, in milliseconds. */
const NEAR_MS = 60 * 60_000;

/**
 * Explains a line, or the latest change of a file.
 *
 * @param file an absolute path
 * @throws {AgentxError} `NOT_FOUND` if git has no such file or line; `IO_ERROR`
 */
export async function whyOf(state: WorkspaceState, file: string, line?: number): Promise<Why> {
  const folder = file.slice(0, file.lastIndexOf("/")) || "/";
  const checkout = repositoryAbove(folder)?.checkout ?? folder;
  const path = prefixOf(folder, checkout) + file.slice(folder.length + 1);
  const target = { checkout, path };
  const origin = line === undefined ? undefined : await lineOrigin({ ...target, line });
  const found = { path, line: line ?? null, text: origin?.text ?? null };
  const isNew = line !== undefined && origin === undefined;
  const commit = isNew ? undefined : await commitOf(target, origin?.commit);
  if (commit === undefined) {
    const nothing = { commit: null, writtenBy: null, notes: [], issue: null, steps: [] };
    return { ...found, ...nothing, decisions: [] };
  }
  const { id, author, authored, message } = commit;
  const issue = await issueOf(state, checkout, message);
  const steps = issue?.known === undefined ? [] : await stepsOf(state, issue.known);
  const written = origin && writerOf(checkout, commit, origin);
  return {
    ...found,
    commit: { id, author, authored, subject: message.split("\n", 1)[0] },
    writtenBy: written ?? (origin && await stepAuthor(target, commit, issue, steps)) ??
      null,
    notes: await notesOn(state, commit, path),
    issue: issue && { number: issue.number, title: issue.known?.title ?? null },
    steps,
    decisions: issue?.known === undefined ? [] : await decisionsOn(state, issue.known, authored),
  };
}

function writerOf(
  checkout: string,
  { id, parents, note }: LineCommit,
  line: { path: string; line: number },
): LineAuthor | undefined {
  const byNote = authorByNote(note, line);
  if (byNote !== undefined) return byNote;
  const traces = sys.readTextFile(`${checkout}/${TRACES}`, MAX_TRACE_BYTES) ?? "";
  return authorByTrace(traces.split("\n"), line, [id, ...parents]);
}

/**
 * Returns the agent of the step that a commit message names, if the step branch brought the commit and an agent
 * completed the step.
 */
async function stepAuthor(
  target: LineTarget,
  { id, message }: LineCommit,
  issue: { known?: Issue } | null,
  steps: Why["steps"],
): Promise<LineAuthor | undefined> {
  const done = steps.find(({ step }) => new RegExp(namesStep(step)).test(message));
  if (done === undefined || done.op !== "validated" || done.by === HUMAN) return undefined;
  if (!await isOfStep(target, id, issue!.known!.number)) return undefined;
  return { source: "workflow", agent: done.by, tool: null, model: null, session: null };
}

/**
 * Finds the issue that a commit message names. If the remote is on GitHub, the number belongs to GitHub, so the
 * result is the issue that was imported from there.
 */
async function issueOf(state: WorkspaceState, checkout: string, message: string) {
  const named = issueNamedBy(message);
  if (named === undefined) return null;
  const issues = await state.issueStore();
  const origin = originRemote(checkout);
  const repositories = [origin?.path, ...githubState(state.root)?.names ?? []];
  const sources = repositories.map((name) => `github:${name}#${named.number}`);
  const known = named.isLocal || origin?.host !== "github.com"
    ? issues.findReadable(named.number)
    : issues.scan().issues.find(({ source }) => source !== undefined && sources.includes(source));
  return { number: named.number, known };
}

async function stepsOf(state: WorkspaceState, { number }: Issue): Promise<Why["steps"]> {
  const { facts } = factsOf((await state.issueStore()).getKnown(number));
  const done = facts.filter(({ op }) => op !== "returned");
  return [
    ...new Map(done.map(({ step, op, by, time }) => [step, { step, op, by, time }])).values(),
  ];
}

async function decisionsOn(
  state: WorkspaceState,
  { number }: Issue,
  before: string,
): Promise<IssueDecision[]> {
  const asked = (await (await state.gate()).list()).filter(({ request }) =>
    request.issue === number
  );
  const threads = state.records().ledger.getByIssue(number).filter(({ foreign }) => !foreign);
  return [...threads.flatMap(ofThread), ...asked.flatMap(ofHuman)]
    .filter(({ decided }) => decided <= before)
    .sort((a, b) => a.decided < b.decided ? 1 : -1);
}

function ofThread({ id, topic, status, thread }: ClarificationRecord): IssueDecision[] {
  const last = thread.findLast(({ type }) => type === "resolution" || type === "answer");
  if (last === undefined || status !== "resolved" && status !== "answered") return [];
  return [{ id, question: topic, answer: last.body, by: last.from, decided: last.timestamp }];
}

function ofHuman(
  { id, request, outcome, decision, resolved_at }: GateInteraction,
): IssueDecision[] {
  if (decision === null || resolved_at === null) return [];
  const by = outcome === "timeout" ? "timeout" : "human";
  return [{ id, question: request.question, answer: decision.text, by, decided: resolved_at }];
}

async function notesOn(state: WorkspaceState, { id, authored }: LineCommit, path: string) {
  const all = await (await state.memory()).store.listAll();
  const isNear = ({ commit, timestamp }: Observation) =>
    commit === id || Math.abs(Date.parse(timestamp) - Date.parse(authored)) <= NEAR_MS;
  return all.filter((one) => one.anchors?.some((anchor) => anchor.path === path) && isNear(one))
    .map(({ id, agent, sessionId, summary, timestamp }) => (
      { id, agent, sessionId, summary, timestamp }
    ));
}
