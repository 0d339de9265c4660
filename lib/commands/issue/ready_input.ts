/**
 * The input of `agentx ready`, apart from the command: a call without arguments does not load zod.
 *
 * @module
 */

import * as z from "zod/mini";
import { agentName } from "../../cli/acting_agent.ts";
import { argument } from "../../cli/arguments.ts";
import { durationMs, issueNumber } from "../../cli/inputs.ts";

/** Without flags the queue is shown. */
export const input = z.object({
  claim: z.optional(agentName("Take the first issue that is ready, for this agent")),
  release: z.optional(agentName("Give the issue back that this agent has")),
  issue: z.optional(argument(issueNumber, "Take or give back this issue")),
  lease: z.optional(argument(durationMs, "Claim it for this time (default: 30m)")),
});
