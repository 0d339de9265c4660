import { AgentxError } from "../../base/errors.ts";
import type { Context } from "../../cli/command.ts";
import { Scheduler } from "../../schedule/scheduler.ts";
import { schedulerParts } from "../../workspace/scheduler_parts.ts";
import { birthOf } from "../../workspace/state_origin.ts";

export async function schedulerOf({ openState }: Context): Promise<Scheduler> {
  return new Scheduler(schedulerParts(await openState()));
}

/** Refuses a state from elsewhere: the times of last runs are valid only on the machine that ran the tasks. */
export async function refuseForeign({ openState }: Context): Promise<void> {
  const { root } = await openState();
  if (birthOf(root).isOurs) return;
  const reason = "its state came from elsewhere";
  throw new AgentxError("UNTRUSTED", `Cannot run schedules in "${root}": ${reason}`, {
    details: { path: root, reason },
    next: "A human takes it over with: agentx adopt",
  });
}
