/**
 * Many writers at once, and writers that are killed: what was acknowledged is there exactly once, and
 * the files always parse. Counts are reduced unless `AGENTX_STRESS=full`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { MemoryJob, MemoryReport } from "../../../workers/memory_worker.ts";
import { signal } from "../../temp_workspace.ts";
import { samples, TempStore } from "../temp_store.ts";
import { IS_FULL } from "../../often.ts";

const WRITERS = 8;
const KILLS = IS_FULL ? 200 : 16;
const ISSUES = [1, 2, 3];

const folder = Deno.makeTempDirSync({ prefix: "agentx-memory-worker-" });
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
const PROGRAM = `${folder}/memory_worker.mjs`;
const { success } = new Deno.Command(Deno.execPath(), {
  args: [
    "bundle",
    "--quiet",
    "--external",
    "lunr",
    "--output",
    PROGRAM,
    new URL("../../../workers/memory_worker.ts", import.meta.url).pathname,
  ],
}).outputSync();
assert(success, "the writer cannot be bundled");

/** A writer at work. */
interface Writer {
  /** Resolves at its end, whatever that is. */
  end: Promise<unknown>;
  kill(): void;
}

type Hear = (report: MemoryReport) => void;

function startProcess(job: MemoryJob, hear: Hear): Writer {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", "--quiet", PROGRAM, JSON.stringify(job)],
    stdout: "piped",
  }).spawn();
  const read = async () => {
    let rest = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) hear(JSON.parse(line));
    }
    await child.status;
  };
  return { end: read(), kill: () => signal(child, "SIGKILL") };
}

function startWorker(job: MemoryJob, hear: Hear): Writer {
  const worker = new Worker(`file://${PROGRAM}`, { type: "module" });
  const { promise, resolve } = Promise.withResolvers<void>();
  const kill = () => {
    worker.terminate();
    resolve();
  };
  worker.onmessage = ({ data }: MessageEvent<MemoryReport>) => {
    hear(data);
    if (!("ids" in data)) kill();
  };
  worker.postMessage(job);
  return { end: promise, kill };
}

async function stored(temp: TempStore): Promise<string[]> {
  const lists = await Promise.all(ISSUES.map((issue) => temp.another().getByIssue(issue)));
  return lists.flat().map(({ id }) => id);
}

/** Each id once, and everything that was acknowledged among them, also for a search. */
async function assertWhole(temp: TempStore, acknowledged: readonly string[]): Promise<void> {
  const ids = await stored(temp);
  assertEquals(new Set(ids).size, ids.length, "an observation is there twice");
  assertEquals(acknowledged.filter((id) => !ids.includes(id)), [], "an observation was lost");
  const found = await temp.another().search("writer stored", 100_000);
  assertEquals(found.map(({ id }) => id).sort(), ids.toSorted());
}

Deno.test(`T4: ${WRITERS} processes and workers write at once, and nothing is lost or doubled`, async () => {
  using temp = new TempStore();
  const acknowledged: string[] = [];
  const failures: string[] = [];
  const writers = Array.from({ length: WRITERS }, (_, index) => {
    const job = { root: temp.root, name: `w${index}`, batches: 10, size: 5 };
    return (index % 2 === 0 ? startProcess : startWorker)(job, (report) => {
      if ("ids" in report) acknowledged.push(...report.ids);
      if ("failed" in report) failures.push(report.failed);
    });
  });
  await Promise.all(writers.map(({ end }) => end));
  assertEquals(failures, []);
  assertEquals(acknowledged.length, WRITERS * 10 * 5);
  await assertWhole(temp, acknowledged);
  assertEquals((await stored(temp)).length, acknowledged.length);
  assertEquals(temp.notices, []);
});

Deno.test(`JsonObservationStore keeps what it acknowledged to ${WRITERS} processes that are killed at random`, async () => {
  using temp = new TempStore();
  const acknowledged: string[] = [];
  const failures: string[] = [];
  let started = 0;
  const begin = () => {
    const first = Promise.withResolvers<void>();
    const job = { root: temp.root, name: `k${started++}`, batches: 100_000, size: 5 };
    const writer = startProcess(job, (report) => {
      if ("ids" in report) acknowledged.push(...report.ids);
      if ("failed" in report) failures.push(report.failed);
      first.resolve();
    });
    return { ...writer, first: first.promise };
  };
  const writers = Array.from({ length: WRITERS }, begin);
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = kill % WRITERS;
    await writers[victim].first;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
    writers[victim].kill();
    await writers[victim].end;
    for (const { name } of Deno.readDirSync(temp.folder)) {
      if (/^(issue-|manifest).*json$/.test(name)) JSON.parse(temp.read(name));
    }
    if (kill + WRITERS < KILLS) writers[victim] = begin();
  }
  for (const { kill } of writers) kill();
  await Promise.all(writers.map(({ end }) => end));
  // On a busy machine, one of eight may wait for longer than it has.
  assertEquals(failures.filter((failure) => !failure.includes("Cannot lock")), []);
  assert(acknowledged.length > 0);
  await assertWhole(temp, acknowledged);
  await temp.another().store(samples(1));
  await temp.another().close();
  await assertWhole(temp, acknowledged);
  assertEquals(temp.names().filter((name) => /\.(lock|tmp)$/.test(name)), []);
});
