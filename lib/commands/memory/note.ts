import { defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { argument, optional } from "../../cli/spec.ts";
import { renderEntry } from "../../memory/render/observations.ts";
import { MAX_CONTENT } from "../../memory/schema.ts";
import { category, observationId, session, wholeId } from "./input.ts";

/** Remembers one observation that somebody writes down. */
export const command = defineCommand({
  kind: "observation",
  examples: [
    'agentx memory note --agent engineer --issue 42 "Tests need TZ=UTC."',
    "agentx memory note --agent pm --issue 42 --category decision - <why.txt",
    'agentx memory note --agent engineer --issue 42 --supersedes ID "It is 30 s."',
  ],
  input: {
    ...session,
    category: optional(category, "What it tells (default: key-fact)"),
    supersedes: optional(observationId, "What it corrects: not recalled again"),
    text: argument(text(MAX_CONTENT), "What to remember"),
  },
  positional: ["text"],
  async run(context, { agent, issue, category = "key-fact", supersedes, text }) {
    const memory = await (await context.openState()).memory();
    const { store } = memory;
    const corrected = supersedes === undefined ? undefined : await wholeId(store, supersedes);
    const note = { agent, issueNumber: issue, category, content: text, supersedes: corrected };
    return { output: { observation: await memory.note(note) } };
  },
  render: ({ observation }, view) => renderEntry(observation, view),
});
