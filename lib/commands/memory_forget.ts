/**
 * `agentx memory forget`.
 *
 * @module
 */

import * as z from "zod/mini";
import { observationNotFound } from "../memory/records.ts";
import { defineCommand } from "./command.ts";
import { observationId } from "./memory_input.ts";

/** Removes an observation for good. */
export const command = defineCommand({
  name: "memory forget",
  summary: "Remove an observation for good; it is not captured again",
  kind: "observation.forgotten",
  examples: ["agentx memory forget obs-engineer-42-1709035200000-a1b2c3"],
  input: z.object({ id: observationId }),
  positional: ["id"],
  async run(context, { id }) {
    const { store } = await (await context.openState()).memory();
    if (!await store.remove(id)) throw observationNotFound(id);
    return { output: { id } };
  },
  render: ({ id }) => `  Forgotten: ${id}`,
});
