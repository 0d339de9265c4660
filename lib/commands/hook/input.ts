/**
 * What the hooks have in common in their input.
 *
 * @module
 */

import * as z from "zod/mini";
import { agentName } from "../../cli/acting_agent.ts";
import { argument } from "../../cli/arguments.ts";
import { issueNumber } from "../../cli/inputs.ts";

/** Who works on what. */
export const hookInput = {
  agent: agentName("Who works"),
  issue: z.optional(argument(issueNumber, "The issue it works on")),
};

/** The flag `--transcript`. */
export const transcript: z.ZodMiniOptional<z.ZodMiniString<string>> = z.optional(
  argument(z.string(), "Recording of the session that ends, to remember it", {
    placeholder: "FILE|-",
  }),
);
