// What does memory cost as it grows? Peers: SQLite FTS5 (porter, bm25; WAL, synchronous = FULL, so
// that a commit is on the disk as ours is) and npm minisearch, on the same observations of about 60
// words, in the same run.

import MiniSearch from "minisearch";
import { AgentEventBus } from "../lib/events/bus.ts";
import { MemoryPipeline } from "../lib/memory/memory_pipeline.ts";
import type { Observation } from "../lib/memory/schema.ts";
import { corpus } from "./memory_corpus.ts";
import { BATCH, type Fixture, fixtureOf, insertFts5, LIMIT, searchFts5 } from "./memory_fixture.ts";
import { median, target } from "./target.ts";

const STORE_MODULE = new URL("../lib/memory/store/store.ts", import.meta.url).href;
const LOCK_MODULE = new URL("../lib/lock/mod.ts", import.meta.url).href;

/** Milliseconds of some work. */
async function timeOf(work: () => unknown): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** The median of the time of each work, measured in turns. */
async function medians(rounds: number, ...works: Array<(round: number) => unknown>) {
  const times: number[][] = works.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      times[index].push(await timeOf(() => work(round)));
    }
  }
  return times.map(median);
}

/** Fresh observations for each append, after those of the fixture. */
function appended(size: number, round: number): Observation[] {
  return corpus(BATCH, size + round * BATCH);
}

const ROUNDS = 41;

target({
  name: "memory: open + append 10 at 50K / FTS5, with fsync both",
  limit: { atMost: 3 },
  async measure() {
    const { size, open, openFts5 } = await fixtureOf(50_000);
    const batches = Array.from({ length: ROUNDS }, (_, round) => appended(size, round));
    const [ours, peer] = await medians(
      ROUNDS,
      (round) => open().store(batches[round]),
      (round) => {
        const database = openFts5();
        insertFts5(database, batches[round]);
        database.close();
      },
    );
    return ours / peer;
  },
});

target({
  name: "memory: open + append 10 at 50K / at 1K, with fsync",
  limit: { atMost: 1.5 },
  async measure() {
    const [large, small] = [await fixtureOf(50_000), await fixtureOf(1_000)];
    const batchesOf = ({ size }: Fixture) =>
      Array.from({ length: ROUNDS }, (_, round) => appended(size, 1_000 + round));
    const [ofLarge, ofSmall] = [batchesOf(large), batchesOf(small)];
    const [atLarge, atSmall] = await medians(
      ROUNDS,
      (round) => large.open().store(ofLarge[round]),
      (round) => small.open().store(ofSmall[round]),
    );
    return atLarge / atSmall;
  },
});

target({
  name: "memory: open + first query at 50K / FTS5",
  limit: { atMost: 2 },
  async measure() {
    const { open, openFts5, questions } = await fixtureOf(50_000);
    const [ours, peer] = await medians(
      ROUNDS,
      (round) => open().search(questions[round], LIMIT),
      (round) => {
        const database = openFts5();
        searchFts5(database, questions[round]);
        database.close();
      },
    );
    return ours / peer;
  },
});

target({
  name: "memory: minisearch's open + first query at 50K / ours",
  limit: { atLeast: 100 },
  async measure() {
    const { folder, open, questions } = await fixtureOf(50_000);
    const [ours, peer] = await medians(
      5,
      (round) => open().search(questions[round], LIMIT),
      (round) => {
        const json = Deno.readTextFileSync(`${folder}/minisearch.json`);
        MiniSearch.loadJSON(json, { fields: ["content"], idField: "id" }).search(questions[round]);
      },
    );
    return peer / ours;
  },
});

for (const [size, atLeast] of [[1_000, 2], [10_000, 3], [50_000, 5]]) {
  target({
    name: `memory: FTS5's warm query at ${size / 1_000}K / ours, p50`,
    limit: { atLeast },
    async measure() {
      const { open, openFts5, questions } = await fixtureOf(size);
      const store = open();
      const database = openFts5();
      await store.search(questions[0], LIMIT);
      const [ours, peer] = await medians(
        questions.length,
        (round) => store.search(questions[round], LIMIT),
        (round) => searchFts5(database, questions[round]),
      );
      database.close();
      return peer / ours;
    },
  });
}

target({
  name: "memory: disk of 50K, files and index, MB",
  limit: { atMost: 60 },
  async measure() {
    const { folder } = await fixtureOf(50_000);
    const { stdout } = new Deno.Command("du", {
      args: ["-sb", "--exclude=lines", `${folder}/.agentx`],
    }).outputSync();
    return parseInt(new TextDecoder().decode(stdout)) / 1e6;
  },
});

target({
  name: "memory: RSS of a process that opens and searches at 50K, MB",
  limit: { atMost: 64 },
  async measure() {
    const { folder, questions } = await fixtureOf(50_000);
    const program = `${folder}/search.ts`;
    Deno.writeTextFileSync(
      program,
      `import { FileLockManager } from ${JSON.stringify(LOCK_MODULE)};
      import { JsonObservationStore } from ${JSON.stringify(STORE_MODULE)};
      const store = new JsonObservationStore(${JSON.stringify(`${folder}/.agentx/memory`)},
        new FileLockManager(), { recallsPath: ${
        JSON.stringify(`${folder}/.agentx/state/memory-recalls.json`)
      } });
      if ((await store.search(Deno.args[0])).length === 0) throw new Error("nothing found");
      console.log(Deno.memoryUsage().rss);`,
    );
    const figures = questions.slice(0, 5).map((question) => {
      const { stdout } = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", "--quiet", program, question],
        stderr: "inherit",
      }).outputSync();
      return Number(new TextDecoder().decode(stdout)) / 1e6;
    });
    return median(figures);
  },
});

target({
  name: "memory: append of 20 at 10K with its share of flushing, with fsync, p95 in ms",
  limit: { atMost: 50 },
  async measure() {
    const { size, open } = await fixtureOf(10_000);
    const store = open();
    const times: number[] = [];
    for (let round = 0; round < 100; round++) {
      const batch = corpus(20, size + 50_000 + round * 20);
      times.push(await timeOf(() => store.store(batch)));
    }
    return percentile95(times);
  },
});

target({
  name: "memory: warm query at 10K, p95 in ms",
  limit: { atMost: 200 },
  async measure() {
    const { open, questions } = await fixtureOf(10_000);
    const store = open();
    const times: number[] = [];
    for (const question of questions) times.push(await timeOf(() => store.search(question)));
    return percentile95(times);
  },
});

target({
  name: "memory: recall of 20,000 tokens at 10K, fresh store, p95 in ms",
  limit: { atMost: 500 },
  async measure() {
    const { open, questions } = await fixtureOf(10_000);
    const times: number[] = [];
    for (const [round, context] of questions.slice(0, 40).entries()) {
      const memory = new MemoryPipeline({ store: open(), events: new AgentEventBus() });
      times.push(await timeOf(() => memory.injectMemory("engineer", round + 1, context)));
    }
    return percentile95(times);
  },
});

function percentile95(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];
}
