import { roleOf } from "../../agent_names.ts";
import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import { argument } from "../../cli/spec.ts";
import { EXIT_CODES } from "../../errors.ts";
import { terminalBlock } from "../../text/text.ts";
import { validateHandOver } from "../../work/route/validate.ts";

/** Says whether a role's work on an issue can be handed over. */
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
      timestamp: Date.now(),
    });
    return { output: validation, exitCode: isReady ? 0 : EXIT_CODES.NOT_READY };
  },
  render({ issueNumber, role, isReady, reasons, steps }, { style, width }) {
    const head = `  #${issueNumber} ${isReady ? "can" : "cannot"} be handed over by ${role}`;
    if (isReady) {
      const artifacts = steps.flatMap(({ artifact }) => artifact ?? []);
      const seen = artifacts.length === 0 ? "no artifact is asked for" : artifacts.join(", ");
      const lines = terminalBlock(seen, { indent: "    ", width: width });
      return [style.green(head), ...lines.map((line) => style.dim(line))].join("\n");
    }
    const lines = reasons.flatMap((reason) => {
      const [first, ...rest] = terminalBlock(reason, {
        indent: "      ",
        width: width,
      });
      return [`    - ${first.slice(6)}`, ...rest];
    });
    return [style.red(head), ...lines].join("\n");
  },
});
