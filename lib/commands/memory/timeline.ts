import { defineCommand } from "../../cli/command.ts";
import { renderMemoryEntry } from "./render.ts";
import { observationId } from "./observation_id.ts";
import { find } from "./find_observation.ts";

export const command = defineCommand({
  kind: "observation.timeline",
  capturesSessions: true,
  examples: ["agentx memory timeline obs-engineer-42-1709035200000-a1b2c3"],
  input: { id: observationId },
  positional: ["id"],
  async run(context, input) {
    const { store, id } = await find(context, input.id);
    return { output: { id, observations: await store.getSession(id) } };
  },
  render: ({ id, observations }, view) =>
    observations.map((observation) => {
      const entry = renderMemoryEntry(observation, view);
      return observation.id === id ? view.style.bold(">") + entry.slice(1) : entry;
    }).join("\n"),
});
