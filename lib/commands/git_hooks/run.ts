import { AgentxError, orElse } from "../../base/errors.ts";
import { defineCommand } from "../../cli/command.ts";
import { oneOf, optional, word } from "../../cli/spec.ts";
import { messageProblem } from "../../guard/commit_message.ts";
import { GIT_HOOKS } from "../../guard/git_hooks.ts";
import { notAccepted, scanStaged, textOfFinding } from "../../guard/scan.ts";
import { sys } from "../../sys/mod.ts";
import { placeHere } from "../../workspace/guard_place.ts";

/** Runs as a hook of git: refuses the commit, and says why. */
export const command = defineCommand({
  kind: "git-hooks.run",
  examples: [
    "agentx git-hooks run pre-commit",
    "agentx git-hooks run commit-msg .git/COMMIT_EDITMSG",
  ],
  input: {
    hook: { ...oneOf(GIT_HOOKS), description: "The hook" },
    file: optional(word, "File of the commit message, from git"),
  },
  positional: ["hook", "file"],
  async run(context, { hook, file }) {
    const { place, workspace } = placeHere(context.root);
    if (hook === "pre-commit") {
      const found = notAccepted(workspace ?? place.root, await scanStaged(place.root, { place }));
      const reasons = found.map((each) => `${each.path}:${each.line}: ${textOfFinding(each)}`);
      if (reasons.length > 0) {
        throw refusal(reasons, "Take it out, or accept it with: agentx scan --staged --accept");
      }
    } else if (workspace !== undefined && file !== undefined) {
      const { issueStore } = await context.openState();
      const issues = await issueStore();
      const isThere = (number: number) =>
        orElse(false, () => issues.get(number) !== undefined, "NOT_FOUND", "INVALID_INPUT");
      const message = sys.readTextFile(file.startsWith("/") ? file : `${place.cwd}/${file}`) ?? "";
      const problem = messageProblem(message, isThere);
      if (problem !== undefined) {
        throw refusal([`the message: ${problem}`], "Write it again: git commit -e");
      }
    }
    return { output: { hook } };
  },
  render: () => "",
});

function refusal(reasons: string[], next: string): AgentxError<"GATE_REFUSED"> {
  return new AgentxError("GATE_REFUSED", `Cannot commit: ${reasons.join("; ")}`, {
    details: { gate: "commit", issueNumber: null, reasons },
    next,
  });
}
