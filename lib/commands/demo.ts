import { renderEntry, renderHeading } from "../clarify/render/threads.ts";
import { defineCommand } from "../cli/command.ts";
import { flag } from "../cli/spec.ts";
import { INSTALL } from "../setup/how_called.ts";
import { program } from "../sys/program.ts";
import { terminalLine } from "../text/text.ts";
import { type DemoStep, runDemo } from "./demo/play.ts";

export const command = defineCommand({
  kind: "demo",
  examples: ["agentx demo", "agentx demo --keep"],
  input: { keep: flag("Keep the workspace of the demo for inspection") },
  async *run({ signal }, { keep }) {
    for await (const step of runDemo({ signal, isKept: keep })) yield { output: step };
  },
  render(step: DemoStep, view) {
    const { style } = view;
    switch (step.kind) {
      case "begin":
        return [
          "",
          `  ${style.bold("AgentX")}: an engineer at work on issue #42 finds an ambiguity.`,
          "  Instead of guessing it asks the architect. Both are small scripts, each run",
          "  as a process of its own; the hub writes every step to a ledger.",
          "",
          "",
        ].join("\n");
      case "thread":
        return renderHeading(step.clarification, view);
      case "entry":
        return `${renderEntry(step.clarification, step.entry, view)}\n\n`;
      case "running":
        return style.dim(`  ... ${terminalLine(step.agent)} runs: ${step.command.join(" ")}`);
      case "end": {
        const { isKept } = step;
        const root = terminalLine(step.root);
        const isInstalled = program.commandLine.length === 1;
        const tries = [
          ...(isInstalled ? [] : [[INSTALL, "# agentx on your PATH"]]),
          ...(isKept
            ? [
              [`cd ${root}`, ""],
              ["agentx clarify --issue 42", "# the thread again"],
              ["agentx state", "# who works on what"],
              ["agentx clarify --issue 42 --json", "# the same for a program"],
            ]
            : [["agentx demo --keep", "# again, and keep its files"]]),
          ["agentx init", "# in a project of your own"],
        ];
        const where = isKept
          ? [
            "  Every step is on disk, as plain JSON:",
            `    ${root}/.agentx/state/clarifications/issue-42.json`,
          ]
          : ["  Every step was on disk, as plain JSON; the demo has removed its files."];
        return [
          style.dim(`  ${"-".repeat(47)}`),
          ...where,
          "",
          "  Try next:",
          ...tries.map(([line, what]) =>
            `    ${style.bold(line.padEnd(34))} ${style.dim(what)}`.trimEnd()
          ),
          "",
        ].join("\n");
      }
    }
  },
});
