import { defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { flag, optional } from "../../cli/spec.ts";
import { renderRecall } from "./render.ts";
import { indexOf } from "../../memory/schema.ts";
import { checkNamed } from "../agents/check_named.ts";
import { session, SWITCHED_OFF, wholeNumber } from "./input.ts";

export const command = defineCommand({
  kind: "memory.recall",
  capturesSessions: true,
  examples: [
    "agentx memory recall --agent engineer --issue 42",
    'agentx memory recall --agent engineer --issue 42 --context "pay by card"',
    "agentx memory recall --agent engineer --issue 42 --max-characters 9000",
  ],
  input: {
    ...session,
    context: optional(text(20_000), "What the session is about, besides the issue's title"),
    budget: optional(
      wholeNumber(
        "Maximum number of tokens, up to memory.maxTokens (default: memory.startTokens)",
        0,
      ),
    ),
    withGone: flag("Include observations about code that is gone"),
    maxCharacters: optional(
      wholeNumber("Maximum number of characters, for hosts that truncate", 0),
    ),
  },
  async run(context, { agent, issue, budget: maxTokens, ...options }) {
    await checkNamed(context, agent);
    const { memory: open, config } = await context.openState();
    const memory = await open();
    const recall = await memory.recall(agent, issue, { ...options, maxTokens });
    const { section, tokens, whole, named } = recall;
    if (!config.memory.enabled) note(context.io, SWITCHED_OFF);
    else if (section === "") {
      note(context.io, `There is nothing to recall for #${issue} within the budget`);
    }
    const entries = { observations: whole.map(indexOf), named: named.map(indexOf) };
    return { output: { section, tokens, ...entries } };
  },
  render: ({ section }, view) => renderRecall(section, view),
});
