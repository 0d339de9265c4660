import { roleOf } from "../../agent_names.ts";
import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import { argument } from "../../cli/spec.ts";
import { EXIT_CODES } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { renderValidation } from "../../work/render/validation.ts";
import { validateHandOver } from "../../work/route/validate.ts";

export const command = defineCommand({
  kind: "validation",
  examples: ["agentx validate 42 architect"],
  input: {
    issue: issueNumber,
    role: argument(agentName("Role that hands over"), "Role that hands over", {
      placeholder: "ROLE",
    }),
  },
  positional: ["issue", "role"],
  async run(context, { issue, role }) {
    const { config, issues, workflowOf, tree, loop, events } = await context.openWorkspace();
    if (config.mode === "local") issues.get(issue);
    const handOver = { issueNumber: issue, role: roleOf(role), tree, loop };
    const validation = validateHandOver(workflowOf(issue), handOver);
    const { isReady, reasons } = validation;
    events.emit("validation-result", {
      agent: role,
      issueNumber: issue,
      passed: isReady,
      errors: reasons,
      timestamp: sys.now(),
    });
    return { output: validation, exitCode: isReady ? 0 : EXIT_CODES.NOT_READY };
  },
  render: renderValidation,
});
