import { defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { flag, optional } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { renderInteraction } from "../../gate/render/interaction.ts";
import { MAX_QUESTION } from "../../gate/request.ts";
import { askId, checkHuman, isVerifiedFor } from "./input.ts";

export const command = defineCommand({
  kind: "interaction",
  examples: [
    "agentx answer ASK-001 c",
    'agentx answer ASK-001 "Both, by an environment variable"',
    "agentx answer ASK-001 a --always",
    "agentx answer ASK-001 --take-back",
  ],
  input: {
    always: flag("Answer the next question with the same blocker, topic and options, too"),
    decline: flag("Do not answer it, now or later"),
    takeBack: flag("Take back an answer that was given with --always"),
    id: askId,
    answer: optional(text(MAX_QUESTION), "Letter of an option, or your own words", {
      placeholder: "a|b|c|TEXT",
    }),
  },
  positional: ["id", "answer"],
  conflicts: {
    answer: ["decline", "takeBack"],
    decline: ["always", "takeBack"],
    takeBack: ["always"],
  },
  async run(context, { id, answer, always, decline, takeBack }) {
    const { name, io } = context;
    checkHuman(io, id, "answer");
    const gate = (await context.openState()).gate();
    if (takeBack) return { output: { interaction: await gate.takeBack(id) } };
    const verified = await isVerifiedFor(io, await gate.get(id));
    if (decline) {
      return { output: { interaction: await gate.dismiss(id, "declined", { verified }) } };
    }
    if (answer === undefined) {
      const why = "the answer is required";
      throw usageError(name, { field: "a|b|c|TEXT", value: null, why });
    }
    return { output: { interaction: await gate.answer(id, answer, { verified, always }) } };
  },
  render: ({ interaction }, view) => renderInteraction(interaction, view),
});
