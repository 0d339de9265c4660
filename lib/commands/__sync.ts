// `agentx __sync`: the sync that a hook starts and does not wait for. Unlike `sync`, it shows no notices, so they stay.

import { defineCommand } from "../cli/command.ts";
import { trySync } from "../workspace/machines.ts";

export const command = defineCommand({
  kind: "sync",
  examples: ["agentx __sync"],
  async run(context) {
    await trySync(await context.openWorkspace(), context);
    return { output: {} };
  },
  render: () => "",
});
