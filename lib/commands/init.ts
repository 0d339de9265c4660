/**
 * `agentx init`.
 *
 * @module
 */

import * as z from "zod/mini";
import { terminalLine } from "../text.ts";
import { argument } from "./arguments.ts";
import { defineCommand } from "./command.ts";

/** Makes a workspace; what is there already stays as it is. */
export const command = defineCommand({
  name: "init",
  summary: "Make a workspace here; what exists stays as it is",
  kind: "init",
  examples: ["agentx init", "agentx init --dry-run"],
  input: z.object({ dryRun: argument(z.boolean(), "Only say what would be written") }),
  async run(context, { dryRun }) {
    const { planWorkspace, writePlan } = await import("../workspace/init.ts");
    const plan = planWorkspace(context.root);
    if (!dryRun) await writePlan(plan);
    return { output: { root: plan.root, dryRun, files: plan.files } };
  },
  render({ root, dryRun, files }, { style }) {
    const lines = files.map(({ path, action }) => {
      const verb = action === "keep" ? style.dim("kept   ") : style.green(`${action}d`.padEnd(7));
      return `  ${verb}  ${terminalLine(path)}`;
    });
    const done = files.every(({ action }) => action === "keep")
      ? `Nothing to do: ${terminalLine(root)} is a workspace.`
      : dryRun
      ? "Nothing was written: this is what would be."
      : `${terminalLine(root)} is a workspace now.`;
    const next = [
      "Say how an agent is run:",
      `  agentx config set agents.architect.command '["claude", "-p"]'`,
      "Then let another one ask it:",
      "  agentx clarify ask --issue 42 --from engineer --to architect --topic T QUESTION",
    ].map((line) => style.dim(`  ${line}`));
    return [...lines, "", `  ${done}`, ...(dryRun ? [] : next)].join("\n");
  },
});
