/**
 * The input of `agentx demo`, apart from the command: a call without arguments does not load zod.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../cli/arguments.ts";

/** Without the flag, the demo removes what it made. */
export const input = z.object({
  keep: argument(z.optional(z.boolean()), "Keep its workspace, to look at it"),
});
