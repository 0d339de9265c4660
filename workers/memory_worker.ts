// A writer of observations for the tests of memory: a Web Worker or a process of its own. It stores
// batch after batch and reports the ids of each batch once the store has acknowledged it.

import { FileLockManager } from "../lib/lock/mod.ts";
import { newObservation } from "../lib/memory/schema.ts";
import type { Observation } from "../lib/memory/schema.ts";
import { JsonObservationStore } from "../lib/memory/store/store.ts";

/** What a writer is asked to do. */
export interface MemoryJob {
  /** The folder that holds `memory/`. */
  root: string;
  /** Tells the writers apart. */
  name: string;
  /** How many batches. */
  batches: number;
  /** How many observations are in a batch. */
  size: number;
}

/** What a writer reports: the ids of a batch, or that it is through, or why it is not. */
export type MemoryReport = { ids: string[] } | { done: true } | { failed: string };

const ISSUES = 3;

/** Does one job. */
export async function runMemoryJob(
  { root, name, batches, size }: MemoryJob,
  report: (report: MemoryReport) => void,
): Promise<void> {
  try {
    const store = new JsonObservationStore(`${root}/memory`, new FileLockManager(), {
      recallsPath: `${root}/recalls.json`,
    });
    for (let batch = 0; batch < batches; batch++) {
      const observations = Array.from(
        { length: size },
        (_, index) => observationOf(name, batch * size + index),
      );
      const stored = await store.store(observations);
      report({ ids: stored.map(({ id }) => id) });
      if (batch % 7 === 6) await store.close();
    }
    report({ done: true });
  } catch (error) {
    report({ failed: String(error) });
  }
}

function observationOf(name: string, number: number): Observation {
  const issueNumber = 1 + number % ISSUES;
  return newObservation({
    agent: "engineer",
    issueNumber,
    category: "key-fact",
    content: `Writer ${name} stored number ${number}`,
    timestampMs: Date.now(),
    sessionId: `session-${name}`,
  });
}

if ("WorkerGlobalScope" in globalThis) {
  const scope = globalThis as unknown as {
    onmessage: (event: MessageEvent<MemoryJob>) => void;
    postMessage: (report: MemoryReport) => void;
  };
  scope.onmessage = ({ data }) => void runMemoryJob(data, (report) => scope.postMessage(report));
} else if (import.meta.main) {
  await runMemoryJob(JSON.parse(Deno.args[0]), (report) => console.log(JSON.stringify(report)));
}
