/**
 * `agentx config unset`.
 *
 * @module
 */

import * as z from "zod/mini";
import { unsetConfigValue } from "../config/config.ts";
import type { JsonObject } from "../json_schema.ts";
import { terminalLine } from "../text.ts";
import { argument } from "./arguments.ts";
import { defineCommand } from "./command.ts";
import { changeSettings } from "./config_change.ts";
import { isGlobal } from "./config_file.ts";

/** Removes one setting: its default holds again, or what the user's own file says. */
export const command = defineCommand({
  name: "config unset",
  summary: "Remove one setting; its default holds again",
  kind: "config.unset",
  examples: [
    "agentx config unset clarify.retryDelaySeconds",
    "agentx config unset --global agents.architect",
  ],
  input: z.object({ global: isGlobal, key: argument(z.string(), "The setting, with dots") }),
  positional: ["key"],
  async run(context, { global, key }) {
    const change = (current: JsonObject = {}) => unsetConfigValue(current, key);
    await changeSettings("config unset", { context, global, change });
    return { output: { key } };
  },
  render: ({ key }) => `  ${terminalLine(key)} is not set any more`,
});
