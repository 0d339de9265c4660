// `agentx adopt`: accepts the state that came with a copy of a project.

import { defineCommand } from "../cli/command.ts";
import { agrees, whyNobodyIsAsked } from "../cli/person.ts";
import { AgentxError, EXIT_CODES } from "../base/errors.ts";
import { adoptionOf } from "../workspace/adoption.ts";
import { adopt, ADOPT_VARIABLE, birthOf } from "../workspace/state_origin.ts";
import { renderAdoption } from "../workspace/render_adoption.ts";

export const command = defineCommand({
  kind: "adoption",
  examples: ["agentx adopt"],
  input: {},
  async run(context) {
    const { io } = context;
    const state = await context.openState();
    const adoption = adoptionOf(state);
    if (adoption.isOurs) return { output: adoption };
    const { root } = adoption;
    const why = whyNobodyIsAsked(io);
    if (why !== undefined) throw notAsked(root, why);
    if (!await agrees(io, "Adopt it?", (view) => renderAdoption(adoption, view))) {
      return { output: adoption, exitCode: EXIT_CODES.UNTRUSTED };
    }
    adopt(root);
    return { output: adoptionOf(state) };
  },
  render: renderAdoption,
});

function notAsked(root: string, why: string): AgentxError<"UNTRUSTED"> {
  const { id } = birthOf(root);
  const container = id === undefined ? "" : `; a container is started with ${ADOPT_VARIABLE}=${id}`;
  return new AgentxError("UNTRUSTED", `Cannot adopt the state of "${root}": ${why}`, {
    details: { path: root, reason: why },
    next: `A human runs \`agentx adopt\` at a terminal${container}`,
  });
}
