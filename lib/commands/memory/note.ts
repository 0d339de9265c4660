/**
 * `agentx memory note`.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../cli/arguments.ts";
import { defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { renderEntry } from "../../memory/render/observations.ts";
import { MAX_CONTENT } from "../../memory/schema.ts";
import { category, observationId, session, wholeId } from "./input.ts";

/** Remembers one observation that somebody writes down. */
export const command = defineCommand({
  name: "memory note",
  summary: "Remember one thing, or correct what is remembered",
  kind: "observation",
  examples: [
    'agentx memory note --agent engineer --issue 42 "Tests need TZ=UTC."',
    "agentx memory note --agent pm --issue 42 --category decision - <why.txt",
    'agentx memory note --agent engineer --issue 42 --supersedes ID "It is 30 s."',
  ],
  input: z.object({
    ...session,
    category: z._default(argument(category, "What it tells (default: key-fact)"), "key-fact"),
    supersedes: z.optional(argument(observationId, "What it corrects: not recalled again")),
    text: argument(text(MAX_CONTENT), "What to remember"),
  }),
  positional: ["text"],
  async run(context, { agent, issue, category, supersedes, text }) {
    const memory = await (await context.openState()).memory();
    const { store } = memory;
    const corrected = supersedes === undefined ? undefined : await wholeId(store, supersedes);
    const note = { agent, issueNumber: issue, category, content: text, supersedes: corrected };
    return { output: { observation: await memory.note(note) } };
  },
  render: ({ observation }, view) => renderEntry(observation, view),
});
