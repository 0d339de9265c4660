import { defineCommand } from "../../cli/command.ts";
import { readSource } from "../../cli/read_source.ts";
import { argument, word } from "../../cli/spec.ts";
import { parseObservations } from "../../memory/import_export.ts";

/** Takes in what was exported, here or by the original AgentX. */
export const command = defineCommand({
  kind: "memory.import",
  examples: [
    "agentx memory import memory.jsonl",
    "agentx memory import ../old/.agentx/memory/issue-29.json",
    "agentx memory import - <memory.jsonl",
  ],
  input: {
    file: argument(word, "JSON lines, or an issue file", { placeholder: "FILE|-" }),
  },
  positional: ["file"],
  async run(context, { file }) {
    const memory = await (await context.openState()).memory();
    const observations = parseObservations(await readSource(file, context.io), file);
    const imported = await memory.addAll(observations);
    return { output: { read: observations.length, imported: imported.length } };
  },
  render: ({ read, imported }) =>
    `  Imported ${imported} of ${read}; ${read - imported} were here already.`,
});
