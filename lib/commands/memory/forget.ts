import { defineCommand } from "../../cli/command.ts";
import { agrees, whyNobodyIsAsked } from "../../cli/person.ts";
import { flag } from "../../cli/spec.ts";
import { renderEntry } from "../../memory/render/observations.ts";
import { observationNotFound } from "../../memory/store/observation_files.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { observationId, wholeId } from "./input.ts";

/** Removes an observation for good. */
export const command = defineCommand({
  kind: "observation.forgotten",
  examples: [
    "agentx memory forget obs-engineer-42-1709035200000-a1b2c3",
    "agentx memory forget a1b2c3 --yes",
  ],
  input: {
    yes: flag("Do not ask, at a terminal either"),
    id: observationId,
  },
  positional: ["id"],
  async run({ io, openState }, { yes, ...input }) {
    const { store } = await (await openState()).memory();
    const id = await wholeId(store, input.id);
    const observation = await store.getById(id);
    if (observation === null) throw observationNotFound(id);
    if (!yes && whyNobodyIsAsked(io) === undefined) {
      const shown = await withoutSecrets(observation);
      const isMeant = await agrees(io, "Forget this for good?", (view) => renderEntry(shown, view));
      if (!isMeant) return { output: { id, isForgotten: false } };
    }
    await store.remove(id);
    return { output: { id, isForgotten: true } };
  },
  render: ({ id, isForgotten }) => isForgotten ? `  Forgotten: ${id}` : `  Kept: ${id}`,
});
