import { defineCommand } from "../../cli/command.ts";
import { agrees, refuseAgents, whyNobodyIsAsked } from "../../cli/person.ts";
import { flag } from "../../cli/spec.ts";
import { renderMemoryEntry } from "./render.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { observationId } from "./observation_id.ts";
import { existing, find } from "./find_observation.ts";

export const command = defineCommand({
  kind: "observation.forgotten",
  examples: [
    "agentx memory delete obs-engineer-42-1709035200000-a1b2c3",
    "agentx memory delete a1b2c3 --yes",
  ],
  input: {
    yes: flag("Do not ask for confirmation"),
    id: observationId,
  },
  positional: ["id"],
  async run(context, { yes, ...input }) {
    const { io } = context;
    const { store, id } = await find(context, input.id);
    const next = "Take it back with: agentx memory retract ID --because TEXT";
    refuseAgents(io, `delete ${id}`, { path: id, next });
    const observation = await existing(store, id);
    if (!yes && whyNobodyIsAsked(io) === undefined) {
      const shown = await withoutSecrets(observation);
      const isMeant = await agrees(
        io,
        "Forget this for good?",
        (view) => renderMemoryEntry(shown, view),
      );
      if (!isMeant) return { output: { id, isForgotten: false } };
    }
    await store.remove(id);
    return { output: { id, isForgotten: true } };
  },
  render: ({ id, isForgotten }) => isForgotten ? `  Forgotten: ${id}` : `  Kept: ${id}`,
});
