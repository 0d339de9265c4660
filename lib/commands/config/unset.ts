/**
 * `agentx config unset`.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../cli/arguments.ts";
import { defineCommand } from "../../cli/command.ts";
import { unsetConfigValue } from "../../config/config.ts";
import { terminalLine } from "../../text/text.ts";
import { changeSettings } from "./change.ts";
import { isGlobal, isLocal, whichFile } from "./file.ts";

/** Takes one setting out of its file; every other key stays. */
export const command = defineCommand({
  name: "config unset",
  summary: "Remove one setting, so that its default holds",
  kind: "config.unset",
  examples: [
    "agentx config unset agents.architect.timeoutSeconds",
    "agentx config unset --global agents.architect",
  ],
  input: z.object({
    global: isGlobal,
    local: isLocal,
    key: argument(z.string(), "The setting, or a section, with dots"),
  }),
  positional: ["key"],
  async run(context, { key, ...flags }) {
    const file = whichFile("config unset", flags);
    await changeSettings(context, file, (current = {}) => unsetConfigValue(current, key));
    return { output: { key } };
  },
  render: ({ key }) => `  ${terminalLine(key)} is not set any more`,
});
