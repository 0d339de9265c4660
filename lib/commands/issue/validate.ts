import { roleOf } from "../../base/agent_names.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { argument } from "../../cli/spec.ts";
import { EXIT_CODES } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import {
  type CheckedStep,
  claimedSince,
  doneSteps,
  validateHandOver,
  type Validation,
} from "../../pipeline/handover_checks.ts";
import { changedBeyond } from "../../guard/changes.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";

/** Maximum number of lines to show from the output of a command. */
const MAX_LINES = 12;

export const command = defineCommand({
  kind: "validation",
  examples: ["agentx issue validate 42 architect"],
  input: {
    issue: issueNumber,
    role: argument(agentName("Role that hands over"), "Role that hands over", {
      placeholder: "ROLE",
    }),
  },
  positional: ["issue", "role"],
  async run(context, { issue, role }) {
    const { signal } = context;
    const workspace = await context.openWorkspace();
    const { issues, workflowOf, tree, events, handOn, trust } = workspace;
    await (await trust()).checkGit();
    const kept = issues.get(issue);
    const about = { number: issue, body: kept.body };
    const handOver = { ...workspace, issue: about, kept, role: roleOf(role), signal };
    const checked = await validateHandOver(workflowOf(issue), handOver);
    const since = claimedSince(kept, handOver.role);
    const reasons = [...checked.reasons, ...await changedBeyond(handOver.role, tree, since)];
    const isReady = reasons.length === 0;
    const validation = { ...checked, isReady, reasons };
    events.emit("validation-result", {
      agent: role,
      issueNumber: issue,
      passed: isReady,
      errors: reasons,
      timestamp: sys.now(),
    });
    const by = actingAgent(context.io, undefined).name(role);
    const { notRecorded } = await handOn(issue, doneSteps(validation), by);
    for (const why of notRecorded) note(context.io, `#${issue}: ${why}`);
    return { output: validation, exitCode: isReady ? 0 : EXIT_CODES.NOT_READY };
  },
  render: renderValidation,
});

/** Renders a yes with the checks, or a no with each reason. */
function renderValidation(
  { issueNumber, role, isReady, reasons, steps }: Validation,
  { style, width }: RenderView,
): string {
  const head = `  #${issueNumber} ${isReady ? "can" : "cannot"} be handed over by ${role}`;
  if (isReady) {
    const seen = steps.flatMap(shownBy);
    const lines = seen.length === 0 ? ["no documents and no commands are required"] : seen;
    const indented = lines.flatMap((line) => terminalBlock(line, { indent: "    ", width }));
    return [style.green(head), ...indented.map((line) => style.dim(line))].join("\n");
  }
  const lines = reasons.flatMap((reason) => {
    const [first, ...rest] = terminalBlock(reason, { indent: "      ", width });
    return [`    - ${first.slice(6)}`, ...rest];
  });
  return [style.red(head), ...lines, ...steps.flatMap(endOfFailed)].join("\n");

  /** Returns the end of the output of each failed command. */
  function endOfFailed({ evidence }: CheckedStep): string[] {
    return evidence.filter(({ exitCode, output }) => exitCode !== 0 && output !== "")
      .flatMap(({ command, output }) => [
        style.dim(`    ${terminalLine(command.join(" "), width - 5)}:`),
        ...output.split("\n").slice(-MAX_LINES)
          .map((line) => style.dim(`      ${terminalLine(line, width - 6)}`)),
      ]);
  }
}

/** Returns the evidence of a step that is done. */
function shownBy({ artifact, evidence, coverage }: CheckedStep): string[] {
  return [
    ...artifact === null ? [] : [artifact],
    ...evidence.map(({ command }) => `${command.join(" ")}: exit code 0`),
    ...coverage === null ? [] : [`${Math.floor(coverage.percent)} % of lines are covered`],
  ];
}
