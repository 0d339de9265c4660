import { defineCommand } from "../../cli/command.ts";
import { argument, word } from "../../cli/spec.ts";
import { unsetConfigValue } from "../../config/config.ts";
import { terminalLine } from "../../text/text.ts";
import { changeSettings } from "./change.ts";
import { isGlobal, isLocal, whichFile } from "./file.ts";

/** Takes one setting out of its file; every other key stays. */
export const command = defineCommand({
  kind: "config.unset",
  examples: [
    "agentx config unset agents.architect.timeoutSeconds",
    "agentx config unset --global agents.architect",
  ],
  input: {
    global: isGlobal,
    local: isLocal,
    key: argument(word, "The setting, or a section, with dots"),
  },
  positional: ["key"],
  async run(context, { key, ...flags }) {
    const file = whichFile(context.name, flags);
    await changeSettings(context, file, (current = {}) => unsetConfigValue(current, key));
    return { output: { key } };
  },
  render: ({ key }) => `  ${terminalLine(key)} is not set any more`,
});
