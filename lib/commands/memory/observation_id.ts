// Reads the id of an observation as a person writes it.

import { rule, type Spec } from "../../cli/spec.ts";
import { AgentxError } from "../../base/errors.ts";
import { observationNotFound } from "../../memory/schema.ts";
import type { JsonObservationStore } from "../../memory/store/store.ts";
import { listed } from "../../base/quote.ts";

/** `obs-engineer-42-1709035200000-a1b2c3`, or a unique part of its beginning or end. */
export const observationId: Spec<string> = {
  ...rule(
    /^(?:obs-[a-z0-9_.@-]{1,100}|[a-z0-9]{6})$/,
    "look like obs-engineer-42-1709035200000-a1b2c3, or like its beginning or end",
  ),
  description: "Id of the observation, its unique beginning, or its end",
  placeholder: "ID",
};

const WHOLE_ID = /^obs-.+-(?:0|[1-9][0-9]{0,8})-[0-9]{1,15}-[a-z0-9]{6}$/;

/** Maximum number of ids in a message. */
const MAX_NAMED = 4;

/**
 * Returns the whole id for a part of it. A text that is a whole id need not exist. Throws `NOT_FOUND`, and
 * `INVALID_INPUT` if several ids fit.
 */
export async function wholeId(
  store: Pick<JsonObservationStore, "findIds">,
  text: string,
): Promise<string> {
  if (WHOLE_ID.test(text)) return text;
  const ids = await store.findIds(text);
  if (ids.length === 1) return ids[0];
  if (ids.length === 0) throw observationNotFound(text);
  throw new AgentxError("INVALID_INPUT", `Cannot use "${text}" as id: ${ids.length} ids fit it`, {
    details: { field: "ID", value: text },
    next: `Write more of one of these: ${listed(ids, MAX_NAMED)}`,
  });
}
