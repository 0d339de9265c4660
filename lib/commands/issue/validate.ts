import { roleOf } from "../../base/agent_names.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { argument } from "../../cli/spec.ts";
import { EXIT_CODES } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { claimedSince, doneSteps, validateHandOver } from "../../pipeline/handover_checks.ts";
import { renderValidation } from "../../pipeline/render_validation.ts";
import { changedBeyond } from "../../guard/changes.ts";

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
    await trust().checkGit();
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
