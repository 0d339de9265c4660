import { defineCommand } from "../../cli/command.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { argument, word } from "../../cli/spec.ts";
import { completeConfig } from "../../config/content.ts";
import { getConfigValue, setConfigValue } from "../../config/edit.ts";
import { hidesCommand } from "../../config/settings.ts";
import { sys } from "../../sys/mod.ts";
import { shellWord } from "../../base/quote.ts";
import { encodeJson, terminalLine } from "../../text/text.ts";
import { noteWithoutEffect, whichFile } from "./file.ts";
import { outdatedHosts, scopeOf } from "../../setup/setup.ts";
import { changeSettings, checkKey } from "./change.ts";

/** Every other key of the file stays. */
export const command = defineCommand({
  kind: "config.value",
  examples: [
    `agentx config set agents.architect.command '["claude", "-p"]'`,
    "agentx config set clarify.retryDelaySeconds 5",
    `agentx config set --global agents.architect.command '["claude", "-p"]'`,
  ],
  input: {
    ...whichFile,
    key: argument(word, "The setting, with dots"),
    value: argument(word, "JSON, or a text", { readsStdin: true }),
  },
  positional: ["key", "value"],
  conflicts: { global: ["local"] },
  async run(context, { key, value, global }) {
    checkKey(context.io, { verb: "set", key, global });
    const { content, hiddenAgents } = await changeSettings(
      context,
      { global },
      (current = {}) => setConfigValue(current, key, value),
    );
    noteWithoutEffect(context.io, content, key);
    noteHidden(context.io, hiddenAgents, { key, value });
    if (global && key.startsWith("agents.") && sys.env("HOME")?.startsWith("/")) {
      noteOutdatedHosts(context.io);
    }
    return { output: { key, value: getConfigValue(completeConfig(content), key) } };
  },
  render: ({ key, value }) => `  ${terminalLine(key)} = ${encodeJson(value)}`,
});

/** Some hosts pass the variables of configured vendors only, by name. */
function noteOutdatedHosts(io: Io): void {
  for (const host of outdatedHosts(scopeOf(sys.cwd(), { isProject: false }))) {
    note(
      io,
      `${host} starts agentx without the variables of this agent until: agentx setup ${host}`,
    );
  }
}

/** What was set is reported for its agent only. */
function noteHidden(
  io: Io,
  hiddenAgents: readonly string[],
  { key, value }: { key: string; value: string },
): void {
  const [section, role, name] = key.split(".");
  if (section !== "agents" || !hiddenAgents.includes(role)) return;
  note(io, hidesCommand(role));
  const words = [key, value].map((word) => terminalLine(shellWord(word))).join(" ");
  if (name !== undefined) {
    note(io, `Set it in your own settings: agentx config set --global ${words}`);
  }
  note(io, `Undo it here: agentx config unset ${terminalLine(shellWord(key))}`);
}
