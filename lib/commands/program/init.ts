import { defineCommand } from "../../cli/command.ts";
import { flag } from "../../cli/spec.ts";
import { terminalLine } from "../../text/text.ts";

export const command = defineCommand({
  kind: "init",
  examples: ["agentx init", "agentx init --dry-run"],
  input: { dryRun: flag("Only show what would be written") },
  async run(context, { dryRun }) {
    const { planWorkspace, writePlan } = await import("../../workspace/init.ts");
    const plan = planWorkspace(context.root);
    if (!dryRun) await writePlan(plan);
    const { trackedState } = await import("../../workspace/git/tracked.ts");
    const { state: tracked } = trackedState(plan.root);
    return { output: { root: plan.root, dryRun, files: plan.files, tracked } };
  },
  render({ root, dryRun, files, tracked }, { style }) {
    const lines = files.map(({ path, action }) => {
      const verb = dryRun
        ? style.dim(`would ${action}`.padEnd(12))
        : action === "keep"
        ? style.dim("kept   ")
        : style.green(`${action}d`.padEnd(7));
      return `  ${verb}  ${terminalLine(path)}`;
    });
    const done = files.every(({ action }) => action === "keep")
      ? `Nothing to do: ${terminalLine(root)} is already a workspace.`
      : dryRun
      ? "Nothing was written."
      : `${terminalLine(root)} is a workspace now.`;
    const next = [
      "Say how an agent is run:",
      `  agentx config set agents.architect.command '["claude", "-p"]'`,
      "Then let another agent ask it:",
      "  agentx clarify ask --issue 42 --from engineer --to architect --topic T QUESTION",
    ].map((line) => style.dim(`  ${line}`));
    const foreign = tracked.length === 0 ? [] : [
      style.red(`  git tracks ${tracked.length} of the files that belong to one machine.`),
      style.dim("  No agent is run for them; see: agentx doctor"),
    ];
    return [...lines, "", `  ${done}`, ...foreign, ...(dryRun ? [] : next)].join("\n");
  },
});
