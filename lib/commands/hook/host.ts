// `agentx hook host HOST EVENT`: the command that the hooks of a coding agent run. The payload of
// the host is on standard input; standard output has the answer and nothing else.

import { defineCommand } from "../../cli/command.ts";
import { oneOf, optional, rule, word } from "../../cli/spec.ts";
import type { GuardHook } from "../../hooks/guard_call.ts";
import { HOST_NAMES, HOSTS } from "../../hosts/hosts.ts";
import { answerEvent, type Hooked, type HookResult } from "./answer.ts";

/** Answers a hook of a coding agent in exactly the host's form. */
export const command = defineCommand({
  kind: "hook.host",
  examples: [
    "agentx hook host claude SessionStart <event.json",
    "agentx hook host codex Stop <event.json",
  ],
  input: {
    host: { ...oneOf(HOST_NAMES), description: "The program that calls" },
    event: {
      ...rule(/^[A-Za-z][A-Za-z._]{0,39}$/, "be the name of an event"),
      description: "Event, by the host's name for it",
      placeholder: "EVENT",
    },
    limits: optional(
      word,
      "Limits of the agent, as JSON; agentx sets them for agents that it starts",
      {
        placeholder: "JSON",
      },
    ),
  },
  positional: ["host", "event"],
  endsSession: () => true,
  async run({ io, root, signal, isJson }, { host, event, limits }) {
    const print = (text: string) => isJson || io.stdout(text);
    const context = { io, root, signal, print };
    const { exitCode, ...answer } = await answerHost(context, { host, event, limits });
    return { output: { host, ...answer }, exitCode };
  },
  render: () => "",
});

/**
 * Answers an event of a host with all parts of agentx. Throws `INVALID_INPUT` for an event that agentx does not answer.
 */
export async function answerHost(
  context: Omit<Hooked, "openDue">,
  hook: GuardHook,
): Promise<HookResult> {
  if (HOSTS[hook.host].hooks.guard?.event === hook.event) {
    const { answerGuard } = await import("./guard.ts");
    const isBlocked = await answerGuard(context.io, hook);
    return { occasion: "tool", answered: isBlocked ? "block" : "nothing", exitCode: 0 };
  }
  const openDue = async () => (await import("../../workspace/due_parts.ts")).openDueParts;
  return await answerEvent({ ...context, openDue }, hook);
}
