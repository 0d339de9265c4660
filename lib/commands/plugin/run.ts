import { type JsonObject, objectOf, tryParseJson } from "../../base/checks.ts";
import { defineCommand } from "../../cli/command.ts";
import { argument, optional, rule, type Spec, word } from "../../cli/spec.ts";
import { encodeJson, terminalBlock } from "../../text/text.ts";
import { managerOf, pluginName } from "./input.ts";

/** The settings of a command: `key=value`, any number of times. */
const settings: Spec<[name: string, value: string][]> = {
  ...rule(/^\w+=/, "be KEY=VALUE"),
  kind: "list",
  placeholder: "KEY=VALUE",
  read: (text) => [[text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]],
};

export const command = defineCommand({
  kind: "plugin.run",
  examples: ["agentx plugin run convert-docs convert document=docs/prd.md"],
  input: {
    name: pluginName,
    command: argument(word, "Its command, as agentx plugin lists it", { placeholder: "COMMAND" }),
    input: optional(settings, "Input of the command; paths are relative to the workspace"),
  },
  positional: ["name", "command", "input"],
  async run(context, { name, command, input = [] }) {
    const plugins = await managerOf(context);
    const found = (await plugins.list()).find((each) => each.name === name);
    const { properties = {} } = objectOf(found?.commands[command]?.input);
    const types = properties as Record<string, { type?: unknown }>;
    const read = (key: string, text: string) =>
      types[key]?.type === "string" ? text : tryParseJson(text) ?? text;
    const given: JsonObject = Object.fromEntries(
      input.map(([key, text]) => [key, read(key, text)]),
    );
    const output = await plugins.run(name, command, given, { signal: context.signal });
    return { output: { name, command, output } };
  },
  render: ({ output }, { width }) =>
    terminalBlock(encodeJson(output, 2), { indent: "  ", width }).join("\n"),
});
