// Finds the observation that a command names.

import type { Context } from "../../cli/command.ts";
import { type Observation, observationNotFound } from "../../memory/schema.ts";
import type { JsonObservationStore } from "../../memory/store/store.ts";
import { wholeId } from "./observation_id.ts";

export async function find({ openState }: Context, text: string) {
  const { memory: open, notify } = await openState();
  const memory = await open();
  const { store } = memory;
  return { memory, store, notify, id: await wholeId(store, text) };
}

export async function existing(store: JsonObservationStore, id: string): Promise<Observation> {
  const observation = await store.getById(id);
  if (observation === null) throw observationNotFound(id);
  return observation;
}
