import { EXIT_CODES } from "../../base/errors.ts";
import { defineCommand } from "../../cli/command.ts";
import { logOf } from "./log_here.ts";

export const command = defineCommand({
  kind: "audit.verify",
  examples: ["agentx audit verify"],
  async run({ openState }) {
    const log = logOf(await openState());
    const problems = await log.verify();
    return {
      output: { lines: log.read().length, problems },
      exitCode: problems.length > 0 ? EXIT_CODES.CORRUPT_STATE : 0,
    };
  },
  render: ({ lines, problems }) =>
    problems.length === 0
      ? `  ${lines} commands and files, no line changed, missing or moved`
      : problems.map(({ path, line, problem }) =>
        `  ${path}${line === null ? "" : `:${line}`}: ${problem}`
      ).join("\n"),
});
