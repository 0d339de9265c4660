/**
 * `agentx __complete`: what the scripts of `agentx completions` ask on every TAB. It never fails: a
 * shell has no place for an error while somebody types.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { type Command, type CommandEntry, defineCommand } from "../../cli/command.ts";
import { complete } from "../../cli/completion.ts";
import { valuesIn } from "../../cli/completion_values.ts";
import { argument, word } from "../../cli/spec.ts";
import { terminalLine } from "../../text/text.ts";

/** A terminal's line holds no more of what a candidate is. */
const MAX_TEXT = 60;

/** Prints candidates, one on a line, each with what it is after a tab. */
export function completeCommand(commands: readonly CommandEntry[]): Command {
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
