/**
 * `agentx config show`.
 *
 * @module
 */

import { encodeJson } from "../text.ts";
import { defineCommand } from "./command.ts";

/** Prints all settings, with defaults. */
export const command = defineCommand({
  name: "config show",
  summary: "Print all settings, with their defaults",
  kind: "config",
  examples: ["agentx config show"],
  async run(context) {
    const { config } = await context.openState();
    return { output: { config } };
  },
  render: ({ config }) => encodeJson(config, 2),
});
