import { defineCommand } from "../../cli/command.ts";
import { completeConfig } from "../../config/content.ts";
import { encodeJson } from "../../text/text.ts";
import { global, noteWithoutEffect } from "./file.ts";
import { contentOf, withoutValues } from "./content.ts";

export const command = defineCommand({
  kind: "config",
  examples: ["agentx config show", "agentx config show --global"],
  input: { global },
  async run(context, { global }) {
    const content = await contentOf(context, { global });
    noteWithoutEffect(context.io, content);
    return { output: { config: withoutValues(completeConfig(content)) } };
  },
  render: ({ config }) => encodeJson(config, 2),
});
