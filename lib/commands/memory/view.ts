import { defineCommand } from "../../cli/command.ts";
import { renderAnchorStanding, renderObservation } from "./render.ts";
import { observationId } from "./observation_id.ts";
import { existing, find } from "./find_observation.ts";

/** Shows one observation, even if it was retracted or compacted. */
export const command = defineCommand({
  kind: "observation",
  capturesSessions: true,
  examples: ["agentx memory view obs-engineer-42-1709035200000-a1b2c3"],
  input: { id: observationId },
  positional: ["id"],
  async run(context, input) {
    const { memory, store, id } = await find(context, input.id);
    const observation = await existing(store, id);
    const standing = await memory.standingOf(observation);
    const neighbours = await store.getByIssue(observation.issueNumber);
    const correctedBy = neighbours
      .filter(({ supersedes, retracted }) => supersedes === id && retracted === undefined)
      .map(({ id }) => id);
    return { output: { observation, correctedBy, standing } };
  },
  render: ({ observation, correctedBy, standing }, view) =>
    [
      renderObservation(observation, view, correctedBy),
      ...renderAnchorStanding(standing, observation.commit, view),
    ].join("\n"),
});
