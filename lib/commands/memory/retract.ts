import { defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { argument } from "../../cli/spec.ts";
import { renderObservation } from "./render.ts";
import { MAX_CONTENT } from "../../memory/schema.ts";
import { cutting } from "../../redact/border.ts";
import { observationId } from "./observation_id.ts";
import { find } from "./find_observation.ts";

/** Retracts an observation: it is kept, but never found or recalled again. */
export const command = defineCommand({
  kind: "observation",
  examples: [
    "agentx memory retract obs-engineer-42-1709035200000-a1b2c3 --because Wrong",
  ],
  input: {
    because: argument(text(MAX_CONTENT), "Why it is wrong"),
    id: observationId,
  },
  positional: ["id"],
  async run(context, { because, ...input }) {
    const { store, id, notify } = await find(context, input.id);
    const reason = await cutting((cut) => cut("reason", because), { what: id, notify });
    return { output: { observation: await store.retract(id, reason) } };
  },
  render: ({ observation }, view) => renderObservation(observation, view),
});
