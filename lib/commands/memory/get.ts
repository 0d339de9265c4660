import { defineCommand } from "../../cli/command.ts";
import { renderObservation } from "../../memory/render/observations.ts";
import { observationNotFound } from "../../memory/store/observation_files.ts";
import { observationId, wholeId } from "./input.ts";

/** Shows an observation whole, also one that was retracted or compacted. */
export const command = defineCommand({
  kind: "observation",
  examples: ["agentx memory get obs-engineer-42-1709035200000-a1b2c3"],
  input: { id: observationId },
  positional: ["id"],
  async run(context, input) {
    const { store } = await (await context.openState()).memory();
    const id = await wholeId(store, input.id);
    const observation = await store.getById(id);
    if (observation === null) throw observationNotFound(id);
    const neighbours = await store.getByIssue(observation.issueNumber);
    const correctedBy = neighbours
      .filter(({ supersedes, retracted }) => supersedes === id && retracted === undefined)
      .map(({ id }) => id);
    return { output: { observation, correctedBy } };
  },
  render: ({ observation, correctedBy }, view) => renderObservation(observation, view, correctedBy),
});
