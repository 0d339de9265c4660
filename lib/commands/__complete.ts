// `agentx __complete`: the command that the scripts of `agentx completions` call on every TAB. It
// never fails: a shell has no place for an error while somebody types.

import { parseArgs } from "@std/cli/parse-args";
import { agentLabel } from "../text/agent_label.ts";
import { askerOf } from "../clarify/schema.ts";
import { type Command, type CommandEntry, defineCommand } from "../cli/command.ts";
import { complete, type CompletionWord } from "../cli/completion.ts";
import { argument, type ValueKind, word } from "../cli/spec.ts";
import { AgentxError } from "../base/errors.ts";
import { terminalLine } from "../text/text.ts";
import { openWorkspaceParts, type Workspace } from "../workspace/open.ts";

/** Maximum width of a description: a line of a terminal has no room for more. */
const MAX_TEXT = 60;

/** Prints candidates, one on a line, each with its description after a tab. */
export function command(commands: readonly CommandEntry[]): Command {
  return defineCommand({
    kind: "completion",
    examples: ["agentx __complete -- 'clar'"],
    input: {
      words: argument(word, "The words of the command line, with U+001F between them"),
    },
    positional: ["words"],
    async run(context, { words: text }) {
      const words = text.split("\x1f");
      const { root } = parseArgs(words, { string: ["root"] });
      const valuesOf = valuesIn(root ? String(root) : context.root);
      const candidates = await complete(words, { commands, valuesOf });
      return { output: { candidates } };
    },
    render: ({ candidates }) =>
      candidates
        .map(({ word, text }) => `${terminalLine(word)}\t${terminalLine(text, MAX_TEXT)}`)
        .join("\n"),
  });
}

/** Returns a function that lists the values of a kind. Without a readable workspace, the list is empty. */
function valuesIn(root?: string): (kind: ValueKind) => Promise<CompletionWord[]> {
  return async (kind) => {
    try {
      return VALUES[kind](await openWorkspaceParts({ root }));
    } catch (error) {
      if (error instanceof AgentxError) return [];
      throw error;
    }
  };
}

const VALUES: Record<ValueKind, (workspace: Workspace) => CompletionWord[]> = {
  issue({ ledger, issues }) {
    const titles = new Map(ledger.scan().ledgers.map(({ issueNumber }) => [issueNumber, ""]));
    for (const { number, title } of issues.scan().issues) titles.set(number, title);
    return [...titles].sort(([a], [b]) => a - b)
      .map(([number, title]) => ({ word: String(number), text: title }));
  },
  clarification: ({ ledger }) =>
    ledger.getActive()
      .map((record) => ({
        word: record.id,
        text: `${agentLabel(askerOf(record))} -> ${agentLabel(record.to)}: ${record.topic}`,
      })),
  agent: (workspace) => [...workspace.knownAgents()].map((word) => ({ word, text: "" })),
  workflow: (workspace) => workspace.workflowTypes().map((word) => ({ word, text: "" })),
};
