// The commands for one observation: `agentx memory view`, `timeline`, `note`, `retract` and `forget`.

import { HUMAN, roleOf } from "../../base/agent_names.ts";
import { type Context, defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { agrees, whyNobodyIsAsked } from "../../cli/person.ts";
import { argument, flag, optional } from "../../cli/spec.ts";
import {
  renderEntry,
  renderObservation,
  renderStanding,
} from "../../memory/render/observations.ts";
import { MAX_NOTES, notesIn } from "../../memory/note.ts";
import { MAX_CONTENT, type Observation, observationNotFound } from "../../memory/schema.ts";
import type { JsonObservationStore } from "../../memory/store/store.ts";
import { cutting, withoutSecrets } from "../../redact/border.ts";
import { category, session } from "./input.ts";
import { observationId, wholeId } from "./observation_id.ts";

/** Shows also one that was retracted or compacted. */
export const get = defineCommand({
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
      ...renderStanding(standing, observation.commit, view),
    ].join("\n"),
});

export const timeline = defineCommand({
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
      const entry = renderEntry(observation, view);
      return observation.id === id ? view.style.bold(">") + entry.slice(1) : entry;
    }).join("\n"),
});

export const note = defineCommand({
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
    if (roleOf(agent) === HUMAN) actingAgent(context.io, HUMAN); // refused in an agent's session
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

/** It is kept, and never found or recalled again. */
export const retract = defineCommand({
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

export const forget = defineCommand({
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
    const observation = await existing(store, id);
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

async function find({ openState }: Context, text: string) {
  const { memory: open, notify } = await openState();
  const memory = await open();
  const { store } = memory;
  return { memory, store, notify, id: await wholeId(store, text) };
}

async function existing(store: JsonObservationStore, id: string): Promise<Observation> {
  const observation = await store.getById(id);
  if (observation === null) throw observationNotFound(id);
  return observation;
}
