import { defineCommand } from "../../cli/command.ts";
import { readLines, readSource } from "../../cli/read_source.ts";
import { argument, word } from "../../cli/spec.ts";
import { isExportLine, parseLines, parseObservations } from "../../memory/import_export.ts";
import type { Observation } from "../../memory/schema.ts";
import { checkAuthor } from "./input.ts";

/** Number of observations of an export that are kept in memory at once. */
const BATCH = 10_000;

/** Imports an export of agentx, or a file of the original AgentX. */
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
    const text = file === "-" ? await readSource(file, context.io) : undefined;
    const lines = () => text?.split("\n") ?? readLines(file);
    const [first = ""] = lines();
    let observations = () => parseLines(lines()) as Iterable<Observation>;
    if (!isExportLine(first)) {
      const all = parseObservations(text ?? await readSource(file, context.io), file);
      observations = () => all;
    }
    // Check all observations first, so that the import is all or nothing.
    for (const { agent } of observations()) checkAuthor(context.io, agent);
    let [read, imported] = [0, 0];
    for (const batch of inBatches(observations())) {
      read += batch.length;
      imported += (await memory.addAll(batch)).length;
    }
    return { output: { read, imported } };
  },
  render: ({ read, imported }) =>
    `  Imported ${imported} of ${read}; ${read - imported} existed already.`,
});

function* inBatches(observations: Iterable<Observation>): Generator<Observation[]> {
  let batch: Observation[] = [];
  for (const each of observations) {
    if (batch.push(each) < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
