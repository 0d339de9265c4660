// `agentx guard "COMMAND"`: says what agents may do with a command line, and by which rule.

import { EXIT_CODES, NEEDS_HUMAN } from "../base/errors.ts";
import { defineCommand } from "../cli/command.ts";
import { text } from "../cli/inputs.ts";
import { argument, oneOf, optional } from "../cli/spec.ts";
import { judge } from "../guard/judge.ts";
import { policyOf } from "../guard/policy.ts";
import { terminalLine } from "../text/text.ts";
import { placeHere } from "../workspace/guard_place.ts";

/** Exit code by verdict: done, needs a human, refused. */
const EXIT = { allow: 0, ask: NEEDS_HUMAN, block: EXIT_CODES.GATE_REFUSED } as const;

/** Judges a command line without running it. */
export const command = defineCommand({
  kind: "guard.judgement",
  examples: [
    'agentx guard "git push --force"',
    'agentx guard --shell pwsh "Remove-Item -Recurse C:/"',
    "agentx guard - <script.sh",
  ],
  input: {
    command: argument(text(1_000_000), "The command line", {
      readsStdin: true,
    }),
    shell: optional(oneOf(["bash", "pwsh"]), "Language of the command line (default: bash)"),
  },
  positional: ["command"],
  run({ root }, { command, shell }) {
    const { place, workspace } = placeHere(root);
    const judgement = judge(command, { place, shell, policy: policyOf(workspace) });
    return Promise.resolve({ output: { judgement }, exitCode: EXIT[judgement.verdict] });
  },
  render: ({ judgement: { verdict, rule, reason, command } }) =>
    `  ${verdict}: ${terminalLine(reason)} (${rule})\n    ${terminalLine(command)}`,
});
