import config from "../../deno.json" with { type: "json" };
import { defineCommand } from "../cli/command.ts";

export const command = defineCommand({
  kind: "version",
  examples: ["agentx version"],
  run: () => Promise.resolve({ output: { version: config.version } }),
  render: ({ version }) => `agentx ${version}`,
});
