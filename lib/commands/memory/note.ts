import { defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { argument, optional } from "../../cli/spec.ts";
import { renderMemoryEntry } from "./render.ts";
import { MAX_NOTES, notesIn } from "../../memory/note.ts";
import { MAX_CONTENT, type Observation } from "../../memory/schema.ts";
import { checkNamed } from "../agents/check_named.ts";
import { usageError } from "../../cli/usage_error.ts";
import { noteOutside } from "../clarify/outside.ts";
import { identityHere } from "../here/identity_here.ts";
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
    agent: optional(session.agent, "Agent whose session it is (default: agentx here)"),
    issue: optional(
      session.issue,
      "Issue that is worked on, 0 for the project (default: agentx here)",
    ),
    category: optional(category, "Kind of observation (default: key-fact)"),
    supersedes: optional(
      observationId,
      "Observation that this note corrects; it is not recalled again",
    ),
    text: argument(
      text(MAX_NOTES * MAX_CONTENT),
      "Text to remember; for several notes, one line each: `- decision: ...`",
    ),
  },
  positional: ["text"],
  async run(context, { category = "key-fact", supersedes, text, ...given }) {
    const state = await context.openState();
    const here = identityHere(context.io, state);
    const agent = given.agent ?? here.agent ?? missing(context.name, "--agent");
    const issue = given.issue ?? here.issue ?? missing(context.name, "--issue");
    checkAuthor(context.io, agent);
    await checkNamed(context, given.agent);
    const memory = await state.memory();
    const { store } = memory;
    const corrected = supersedes === undefined ? undefined : await wholeId(store, supersedes);
    const common = { agent, issueNumber: issue, supersedes: corrected };
    const observations: Observation[] = [];
    for (const one of notesIn(text, category)) {
      observations.push(await memory.note({ ...common, ...one }));
    }
    if (issue !== 0) {
      const issues = await state.issueStore();
      noteOutside(context.io, "the observation", { number: issue, issues });
    }
    return { output: { observation: observations[0], observations } };
  },
  render: ({ observations }, view) =>
    observations.map((observation) => renderMemoryEntry(observation, view)).join("\n"),
});

function missing(name: string, field: string): never {
  const why =
    `${field} is required, unless it was said before with: agentx here --as ROLE --issue N`;
  throw usageError(name, { field, value: null, why });
}
