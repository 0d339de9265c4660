import { EXIT_CODES } from "../../base/errors.ts";
import { defineCommand } from "../../cli/command.ts";
import { sys } from "../../sys/mod.ts";
import { auditMark } from "../../workspace/state_origin.ts";
import { logOf } from "./log_here.ts";

export const command = defineCommand({
  kind: "audit.verify",
  examples: ["agentx audit verify"],
  async run({ openState }) {
    const state = await openState();
    const log = logOf(state);
    const problems = await log.verify();
    const lines = log.read().length;
    const mark = auditMark(state.root);
    if (lines + problems.length === 0 && mark !== undefined && sys.lstat(mark) !== undefined) {
      const path = `${state.root}/.agentx/state/audit`;
      problems.push({ path, line: null, problem: "all that was recorded is gone" });
    }
    return {
      output: { lines, problems },
      exitCode: problems.length > 0 ? EXIT_CODES.CORRUPT_STATE : 0,
    };
  },
  render: ({ lines, problems }) =>
    lines + problems.length === 0
      ? "  Nothing is recorded"
      : problems.length === 0
      ? `  ${lines} commands and files, no line changed, missing or moved`
      : problems.map(({ path, line, problem }) =>
        `  ${path}${line === null ? "" : `:${line}`}: ${problem}`
      ).join("\n"),
});
