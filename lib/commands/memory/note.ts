import { defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { argument, optional } from "../../cli/spec.ts";
import { renderEntry } from "../../memory/render/observations.ts";
import { MAX_NOTES, notesIn } from "../../memory/note.ts";
import { MAX_CONTENT, type Observation } from "../../memory/schema.ts";
import { category, checkAuthor, session } from "./input.ts";
import { observationId, wholeId } from "./observation_id.ts";

export const command = defineCommand({
  kind: "observation",
  examples: [
    'agentx memory note --agent engineer --issue 42 "Tests need TZ=UTC."',
    "agentx memory note --agent pm --issue 42 --category decision - <why.txt",
    'agentx memory note --agent engineer --issue 42 --supersedes ID "It is 30 s."',
    "agentx memory note --agent engineer --issue 42 - <notes.txt",
  ],
  input: {
    ...session,
    category: optional(category, "Kind of observation (default: key-fact)"),
    supersedes: optional(
      observationId,
      "Observation that it corrects, which is not recalled again",
    ),
    text: argument(
      text(MAX_NOTES * MAX_CONTENT),
      "What to remember; several: a line each, `- decision: ...`",
    ),
  },
  positional: ["text"],
  async run(context, { agent, issue, category = "key-fact", supersedes, text }) {
    checkAuthor(context.io, agent);
    const memory = await (await context.openState()).memory();
    const { store } = memory;
    const corrected = supersedes === undefined ? undefined : await wholeId(store, supersedes);
    const given = { agent, issueNumber: issue, supersedes: corrected };
    const observations: Observation[] = [];
    for (const one of notesIn(text, category)) {
      observations.push(await memory.note({ ...given, ...one }));
    }
    return { output: { observation: observations[0], observations } };
  },
  render: ({ observations }, view) =>
    observations.map((observation) => renderEntry(observation, view)).join("\n"),
});
