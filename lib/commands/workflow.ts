import { actingAgent } from "../cli/acting_agent.ts";
import { defineCommand, type Result } from "../cli/command.ts";
import type { Io } from "../cli/io.ts";
import { issueNumber, text } from "../cli/inputs.ts";
import { optional, word } from "../cli/spec.ts";
import { missingArgument, usageError } from "../cli/usage_error.ts";
import { MAX_BODY } from "../clarify/schema.ts";
import { AgentxError } from "../base/errors.ts";
import { renderStanding, type StandingView } from "./workflow/render_standing.ts";
import { waitingAmong } from "../pipeline/stopped_steps.ts";
import { checkStepName, type Workflow } from "../config/workflow.ts";
import { displayWidth, fitCell, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import type { Workspace } from "../workspace/open.ts";
import { noteMerge } from "./workflow/merge_note.ts";

/** The workflows, or the standing of an issue in its workflow. */
type WorkflowOutput =
  | { workflows: readonly Workflow[]; isWhole: boolean }
  | StandingView;

export const command = defineCommand({
  kind: "workflow.list",
  examples: [
    "agentx workflow",
    "agentx workflow feature",
    "agentx workflow 42",
    "agentx workflow 42 --accept prd",
    'agentx workflow 42 --skip ux --because "It has no screen"',
  ],
  input: {
    type: optional(word, "Show the steps of this workflow, or where this issue stands", {
      placeholder: "TYPE|N",
      values: "workflow",
    }),
    accept: optional(word, "Accept this step as it is, or later edits of its document", {
      placeholder: "STEP",
    }),
    take: optional(word, "Decide that this optional step is needed", { placeholder: "STEP" }),
    skip: optional(word, "Decide that this optional step is not needed", { placeholder: "STEP" }),
    because: optional(text(MAX_BODY), "Why, for the history"),
  },
  positional: ["type"],
  needs: { accept: ["type"], take: ["type"], skip: ["type"], because: ["accept", "take", "skip"] },
  conflicts: { accept: ["take", "skip"], take: ["skip"] },
  async run(context, { type: of, accept, take, skip, because }): Promise<Result<WorkflowOutput>> {
    const workspace = await context.openWorkspace();
    if (of !== undefined && /^[#+-]?\d/.test(of)) {
      const why = issueNumber.refuse(of);
      if (why !== undefined) {
        throw usageError(context.name, { field: "N", value: of, why: `N ${why}` });
      }
      const number = issueNumber.read(of);
      for (const [field, step] of Object.entries({ accept, take, skip })) {
        if (step === undefined) continue;
        workspace.issues.get(number);
        checkStepName(step, workspace.workflowOf(number).steps, `--${field}`);
      }
      if (accept !== undefined) {
        await accepted(workspace, number, {
          step: accept,
          because,
          isPerson: isPerson(context.io),
        });
      }
      const decided = take ?? skip;
      if (decided !== undefined) {
        if (because === undefined) throw missingArgument(context.name, "--because");
        const said = { step: decided, isTaken: take !== undefined, because };
        await decideStep(workspace, number, said, context.io);
      }
      const known = workspace.issues.getKnown(workspace.issues.get(number).number);
      const { standing } = await workspace.standing(known);
      noteMerge(context.io, workspace, standing);
      const stopped = waitingAmong(workspace.stopped.list(), known, workspace.workflowOf(number));
      const { title, assignee, leaseUntil } = known.issue;
      return {
        kind: "workflow",
        output: { ...standing, title, assignee, leaseUntil, stopped },
      };
    }
    for (const [field, value] of Object.entries({ accept, take, skip })) {
      if (value === undefined) continue;
      const why = "it needs the number of an issue";
      throw usageError(context.name, { field: `--${field}`, value, why });
    }
    const types = of === undefined ? workspace.workflowTypes() : [of];
    const workflows = types.map((type) => workspace.workflow(type));
    return { output: { workflows, isWhole: of !== undefined } };
  },
  render(output: WorkflowOutput, view) {
    return "steps" in output ? renderStanding(output, view) : renderWorkflows(output, view);
  },
});

function isPerson(io: Io): boolean {
  return actingAgent(io, undefined).session === undefined;
}

/** Accepts a step for a person although its checks do not: it stopped, or its text was edited since it was done. */
async function accepted(
  workspace: Workspace,
  number: number,
  { step, because, isPerson }: { step: string; because: string | undefined; isPerson: boolean },
): Promise<void> {
  const { issues, standing, workflowOf } = workspace;
  const known = issues.getKnown(issues.get(number).number);
  const found = (await standing(known)).standing.steps.find((each) => each.step === step)!;
  const why = !found.isChanged && found.state !== "ready" && found.state !== "running"
    ? `nothing was edited since it was done (it is ${found.state})`
    : isPerson
    ? undefined
    : "only a person accepts it";
  if (why !== undefined) {
    throw new AgentxError("NOT_READY", `Cannot accept ${step} of #${number}: ${why}`, {
      details: { issueNumber: number, reasons: [why] },
      next: found.isChanged
        ? `Validate it again with: agentx issue validate ${number} ${found.agent}`
        : `See where it stands with: agentx workflow ${number}`,
    });
  }
  const { acceptStep } = await import("../pipeline/run_step.ts");
  const of = { known, step: workflowOf(number).steps.find(({ id }) => id === step)! };
  const how = found.isChanged ? "accepted as edited" : "accepted as it is";
  await acceptStep(of, because ?? how, workspace);
}

/** Decides whether an optional step is needed. It is decided once; only a person may change the decision. */
async function decideStep(
  { issues, standing, noteStep }: Workspace,
  number: number,
  said: { step: string; isTaken: boolean; because: string },
  io: Io,
): Promise<void> {
  const known = issues.getKnown(issues.get(number).number);
  const { route } = await standing(known);
  const found = route.steps.find(({ step }) => step === said.step)!;
  const why = found.why === null
    ? "it is not optional"
    : found.decision !== null && !isPerson(io)
    ? `it was decided: ${found.decision}`
    : undefined;
  if (why !== undefined) {
    throw new AgentxError("NOT_READY", `Cannot decide about ${said.step} of #${number}: ${why}`, {
      details: { issueNumber: number, reasons: [why] },
      next: `See where it stands with: agentx workflow ${number}`,
    });
  }
  await noteStep(number, { op: "decided", ...said }, actingAgent(io, undefined).name());
}

/** Renders a line for each workflow, or all steps of one. */
function renderWorkflows(
  { workflows, isWhole }: { workflows: readonly Workflow[]; isWhole: boolean },
  { style, width }: RenderView,
): string {
  if (workflows.length === 0) return "  No workflows here. Write the defaults with: agentx init";
  if (isWhole) return workflows.map((workflow) => renderSteps(workflow, width)).join("\n\n");
  const column = Math.max(...workflows.map(({ type }) => displayWidth(type)));
  const lines = workflows.map(({ type, steps }) => {
    const path = steps.map(({ id, optional }) => optional ? `(${id})` : id).join(" -> ");
    return `  ${style.bold(fitCell(type, column))}  ${terminalLine(path, width - column - 5)}`;
  });
  return lines.join("\n");
}

function renderSteps({ type, description, steps }: Workflow, width: number): string {
  const blocks = steps.map((step, index) => {
    const facts = [
      step.needs.length > 0 ? `after ${step.needs.join(", ")}` : "",
      step.optional ? `optional${step.condition ? `: ${step.condition}` : ""}` : "",
      step.canClarify.length > 0
        ? `may ask ${step.canClarify.join(", ")}` +
          (step.clarifyBlockingAllowed ? "" : " (non-blocking only)")
        : "",
      step.output ? `writes ${step.output}` : "",
    ].filter((fact) => fact !== "");
    const head = `  ${index + 1}. ${step.id} (${step.agent}): ${step.title}`;
    return [head, ...facts.map((fact) => `     ${fact}`)]
      .map((line) => terminalLine(line, width))
      .join("\n");
  });
  return [terminalLine(`  ${type}: ${description ?? ""}`, width), ...blocks].join("\n");
}
