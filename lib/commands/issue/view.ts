import { defineCommand } from "../../cli/command.ts";
import type { Io } from "../../cli/io.ts";
import { issueName } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { AgentxError } from "../../base/errors.ts";
import { isActive } from "../../clarify/schema.ts";
import { waitingAmong } from "../../pipeline/stopped_steps.ts";
import { conflictsOf, versionOf } from "../../work/issue/conflicts.ts";
import { deletedIssue } from "../../work/issue/issue_store.ts";
import { familyOf, rollUps } from "../../work/issue/parents.ts";
import type { KnownIssue } from "../../work/issue/issue_files.ts";
import { typeOf } from "../../work/issue/labels.ts";
import { stillAsked } from "../../work/issue/still_asked.ts";
import type { Workspace } from "../../workspace/open.ts";
import { renderIssue } from "./render.ts";
import { type BriefStep, type BriefThread, renderBeside } from "./render_beside.ts";

export const command = defineCommand({
  kind: "issue",
  examples: ["agentx issue view 42", "agentx issue view -i 42 --json"],
  input: { issue: issueName },
  positional: ["issue"],
  async run(context, { issue: name }) {
    const workspace = await context.openWorkspace();
    const { issues } = workspace;
    const known = issues.getKnown(name);
    const { ref, issue, isDeleted } = known;
    if (isDeleted) throw deletedIssue(name);
    const family = familyOf(issues.scan().issues);
    const above = family.parentOf.get(issue.uid);
    const parent = above === undefined ? null : { number: above.number, title: above.title };
    const parts = rollUps(family).get(issue.uid) ?? null;
    const version = versionOf(issue);
    const steps = await stepsOf(known, workspace);
    const threads = openThreads(known, workspace, context.io);
    const conflicts = conflictsOf(known);
    return { output: { ref, issue, version, conflicts, parent, parts, steps, threads } };
  },
  render: ({ issue, version: _, steps, threads, ...beside }, view) =>
    renderIssue(issue, view, beside) +
    renderBeside({ number: issue.number, steps, threads }, view),
});

/** Returns the steps of an issue; none if nobody asked for steps, or its workflow cannot be read. */
async function stepsOf(
  known: KnownIssue,
  { standing, stopped, workflowOf }: Workspace,
): Promise<BriefStep[]> {
  try {
    const { steps, isBegun } = (await standing(known)).standing;
    if (typeOf(known.issue) === undefined && !isBegun) return [];
    const waiting = waitingAmong(stopped.list(), known, workflowOf(known.issue.number));
    return steps.map(({ step, state, agent, by }) => {
      const entry = waiting.find((one) => one.step === step);
      return { step, state, agent, by, stopped: entry?.id ?? null };
    });
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    return []; // `agentx doctor` reports the workflow that cannot be read
  }
}

/** Returns the open threads of an issue. A second issue of the same number has none: threads go by numbers. */
function openThreads(
  { ref, issue: { number } }: KnownIssue,
  { ledger, issues }: Workspace,
  io: Io,
): BriefThread[] {
  if (ref !== `#${number}`) return [];
  try {
    return stillAsked(ledger.getByIssue(number), issues)
      .filter(isActive)
      .map(({ id, status, from, to, topic, foreign }) => {
        return { id, status, from, to, topic, ...foreign && { foreign } };
      });
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    note(io, error.oneLine);
    return [];
  }
}
