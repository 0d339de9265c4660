import { defineCommand } from "../../cli/command.ts";
import { argument, word } from "../../cli/spec.ts";
import { unsetConfigValue } from "../../config/edit.ts";
import { terminalLine } from "../../text/text.ts";
import { whichFile } from "./file.ts";
import { changeSettings, checkKey, forgetGitHub } from "./change.ts";

export const command = defineCommand({
  kind: "config.unset",
  examples: [
    "agentx config unset agents.architect.timeoutSeconds",
    "agentx config unset --global agents.architect",
  ],
  input: {
    ...whichFile,
    key: argument(word, "Name of a setting or section, such as agents.architect"),
  },
  positional: ["key"],
  conflicts: { global: ["local"] },
  async run(context, { key, global }) {
    checkKey(context.io, { verb: "unset", key, global });
    if (key === "mode" && !global) await forgetGitHub(context);
    await changeSettings(context, { global }, (current = {}) => unsetConfigValue(current, key));
    return { output: { key } };
  },
  render: ({ key }) => `  ${terminalLine(key)} is no longer set`,
});
