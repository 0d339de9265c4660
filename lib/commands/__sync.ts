// `agentx __sync`: the sync that a hook starts in the background. Unlike `sync`, it shows no notices, so a later
// command still shows them.

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
