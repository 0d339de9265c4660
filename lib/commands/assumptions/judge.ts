// A human judges an assumption: `agentx assumptions confirm` and `revert`.

import { type Context, defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import type { HumanGate } from "../../gate/gate.ts";
import { renderAssumption } from "./render.ts";
import { MAX_REASONING } from "../../gate/request.ts";
import { assumptionId, checkHuman } from "../ask/input.ts";

export function judgeCommand(verb: string, status: "confirmed" | "reverted", why: string) {
  return defineCommand({
    kind: "assumption",
    examples: [
      `agentx assumptions ${verb} ASM-001`,
      `agentx assumptions ${verb} ASM-001 --because "${why}"`,
    ],
    input: {
      because: optional(text(MAX_REASONING), "Why"),
      id: assumptionId,
    },
    positional: ["id"],
    async run(context, { id, because = null }) {
      checkHuman(context.io, id, verb);
      const { assumptions } = await settledGate(context);
      return { output: { assumption: await assumptions.judge(id, status, because) } };
    },
    render: ({ assumption }, view) => renderAssumption(assumption, view),
  });
}

/** Opens the gate, and lists it once, which turns overdue questions into assumptions. */
export async function settledGate({ openState }: Context): Promise<HumanGate> {
  const gate = await (await openState()).gate();
  await gate.list();
  return gate;
}
