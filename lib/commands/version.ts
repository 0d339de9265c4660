import { VERSION } from "../base/version.ts";
import { defineCommand } from "../cli/command.ts";

export const command = defineCommand({
  kind: "version",
  examples: ["agentx version"],
  run: () => Promise.resolve({ output: { version: VERSION } }),
  render: ({ version }) => `agentx ${version}`,
});
