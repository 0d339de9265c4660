/**
 * `agentx __complete`: what the scripts of `agentx completions` ask on every TAB. It never fails: a
 * shell has no place for an error while somebody types.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../cli/arguments.ts";
import { type Command, type CommandEntry, defineCommand } from "../../cli/command.ts";
import { complete } from "../../cli/completion.ts";
import { valuesIn } from "../../cli/completion_values.ts";
import { terminalLine } from "../../text/text.ts";

/** A terminal's line holds no more of what a candidate is. */
const MAX_TEXT = 60;

/**
 * Prints candidates, one on a line, each with what it is after a tab.
 *
 * @param commands the table of commands
 * @returns the command
 */
export function completeCommand(commands: readonly CommandEntry[]): Command {
  return defineCommand({
    name: "__complete",
    summary: "Say what the last word of a command line may become",
    kind: "completion",
    examples: ["agentx __complete -- 'clar'"],
    input: z.object({
      words: argument(z.string(), "The words of the command line, with U+001F between them"),
    }),
    positional: ["words"],
    async run(context, { words: text }) {
      const words = text.split("\x1f");
      const at = words.indexOf("--root");
      const root = at < 0 ? context.root : words[at + 1];
      const candidates = await complete(words, { commands, valuesOf: valuesIn(root) });
      return { output: { candidates } };
    },
    render: ({ candidates }) =>
      candidates
        .map(({ word, text }) => `${terminalLine(word)}\t${terminalLine(text, MAX_TEXT)}`)
        .join("\n"),
  });
}
