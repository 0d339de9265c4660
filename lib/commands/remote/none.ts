import type { JsonObject } from "../../base/checks.ts";
import { defineCommand } from "../../cli/command.ts";
import { refuseAgents } from "../../cli/person.ts";
import { leaveRemote } from "../../remote/remote.ts";
import { birthOf } from "../../workspace/state_origin.ts";
import { changeSettings } from "../config/change.ts";
import { type RemoteOutput, renderRemote } from "./render.ts";

export const command = defineCommand({
  kind: "remote",
  examples: ["agentx remote none"],
  async run(context) {
    const { root, tree, config } = await context.openState();
    refuseAgents(context.io, `change how "${root}" is shared`, { path: root });
    if (Object.hasOwn(config.remotes, root)) {
      await leaveRemote({ root, tree, birth: birthOf(root).id ?? "" });
      await changeSettings(context, { global: true }, ({ remotes, ...others } = {}) => {
        const { [root]: _left, ...left } = remotes as JsonObject;
        return { ...others, remotes: left };
      });
    }
    const output: RemoteOutput = { remote: null, address: null, machine: null };
    return { output };
  },
  render: renderRemote,
});
