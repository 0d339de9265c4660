// The commands for all that is remembered: `agentx memory stats`, `compact`, `export`, `import` and
// `rebuild`.

import { defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { readLines, readSource } from "../../cli/read_source.ts";
import { argument, flag, optional, word } from "../../cli/spec.ts";
import { isExportLine, parseLines, parseObservations } from "../../memory/import_export.ts";
import { renderCompactions } from "../../memory/render/observations.ts";
import { renderMemoryStats } from "../../memory/render/stats.ts";
import type { Observation } from "../../memory/schema.ts";
import type { JsonObservationStore } from "../../memory/store/store.ts";
import { encodeJson } from "../../text/text.ts";

/** Observations of an export that are in memory at once. */
const BATCH = 10_000;

export const stats = defineCommand({
  kind: "memory.stats",
  capturesSessions: true,
  examples: ["agentx memory stats", "agentx memory stats --json"],
  async run(context) {
    const memory = await (await context.openState()).memory();
    return { output: { stats: await memory.store.getStats() } };
  },
  render: (output, view) => renderMemoryStats(output, view),
});

/** Archives old observations, or undoes that. */
export const compact = defineCommand({
  kind: "memory.compaction",
  capturesSessions: true,
  examples: [
    "agentx memory compact --dry-run",
    "agentx memory compact --issue 42",
    "agentx memory compact --undo --issue 42",
  ],
  input: {
    issue: optional(issueNumber, "Only this issue"),
    dryRun: flag("Only show what would be done"),
    undo: flag("Bring back what is archived of an issue"),
  },
  needs: { undo: ["issue"] },
  conflicts: { undo: ["dryRun"] },
  async run(context, { issue, dryRun: isDryRun, undo }) {
    const memory = await (await context.openState()).memory();
    const { store } = memory;
    const restored = undo ? await store.restore(issue!) : [];
    const issues = undo ? [] : issue === undefined ? await issuesIn(store) : [issue];
    const compactions = [];
    for (const issueNumber of issues) {
      const operation = memory.begin("memory-compacted", { issueNumber });
      const compaction = await operation.attempt(() => store.compact(issueNumber, { isDryRun }));
      const { before, after } = compaction;
      if (!isDryRun && before !== after) operation.end({ before, after });
      if (compaction.removed.length > 0) compactions.push(compaction);
    }
    const changes = { compactions, restored: undo ? restored : null };
    return { output: { isDryRun, ...changes } };
  },
  render: renderCompactions,
});

export const exportAll = defineCommand({
  kind: "observation.list",
  capturesSessions: true,
  examples: ["agentx memory export >memory.jsonl"],
  async *run(context) {
    const { store } = await (await context.openState()).memory();
    if (context.isJson) yield { output: { observations: await store.listAll() } };
    else for await (const observations of store.scan()) yield { output: { observations } };
  },
  render: ({ observations }) =>
    observations.map((observation) => `${encodeJson(observation)}\n`).join(""),
});

/** Imports an export of agentx, or a file of the original AgentX. */
export const importAll = defineCommand({
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
    let batches: Iterable<Observation[]>;
    if (isExportLine(first)) {
      for (const _ of parseLines(lines())); // nothing is imported unless all of it can be
      batches = inBatches(parseLines(lines()));
    } else batches = [parseObservations(text ?? await readSource(file, context.io), file)];
    let [read, imported] = [0, 0];
    for (const batch of batches) {
      read += batch.length;
      imported += (await memory.addAll(batch)).length;
    }
    return { output: { read, imported } };
  },
  render: ({ read, imported }) =>
    `  Imported ${imported} of ${read}; ${read - imported} existed already.`,
});

export const rebuild = defineCommand({
  kind: "memory.rebuild",
  examples: ["agentx memory rebuild"],
  async run(context) {
    const { store } = await (await context.openState()).memory();
    return { output: { count: await store.rebuild() } };
  },
  render: ({ count }) => `  Rebuilt. Observations: ${count}`,
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

async function issuesIn(store: JsonObservationStore): Promise<number[]> {
  const all = await store.listAll();
  return [...new Set(all.map(({ issueNumber }) => issueNumber))];
}
