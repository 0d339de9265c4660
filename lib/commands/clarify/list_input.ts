/**
 * The input of `agentx clarify`, apart from the command: a call without arguments does not load zod.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../cli/arguments.ts";
import { clarificationId, issueNumber } from "../../cli/inputs.ts";

/** `--issue N` shows the threads of one issue, `--id ID` one thread. */
export const input = z.object({
  issue: z.optional(argument(issueNumber, "Show the threads of this issue")),
  id: z.optional(argument(clarificationId, "Show this thread")),
});
