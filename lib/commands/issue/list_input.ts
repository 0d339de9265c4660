/**
 * The input of `agentx issue list`, apart from the command: a call without arguments does not load
 * zod.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../cli/arguments.ts";
import { labels, status } from "./input.ts";

/** Which issues to list. */
export const input = z.object({
  all: argument(z.optional(z.boolean()), "Also those that are closed", { short: "a" }),
  label: z.optional(argument(labels, "Only those with all of these labels", { short: "l" })),
  status: z.optional(argument(status, "Only those in this column, also closed ones")),
});
