/**
 * What git does not hold of memory is there twice, a day old at most when something is stored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";
import { sample, SAMPLE_TIME_MS, TempStore } from "../temp_store.ts";

const DAY_MS = 86_400_000;
const WHO = ["--agent", "engineer", "--issue", "42"];

const copyOf = (disk: TempStore, name: string) =>
  Deno.readTextFileSync(`${disk.root}/state/backup/${name}`);

function age(disk: TempStore, days: number): void {
  for (const name of ["journal.jsonl", "memory-recalls.json"]) {
    const time = new Date(SAMPLE_TIME_MS - days * DAY_MS);
    Deno.utimeSync(`${disk.root}/state/backup/${name}`, time, time);
  }
}

/** A store with two copies; what is in the journal has reached no issue file. */
async function copied(): Promise<TempStore> {
  const disk = new TempStore();
  await disk.store.incrementRecallCount(["obs-engineer-29-1772186400000-aaaaaa"]);
  await disk.store.store([sample("The pool is named quetzalcoatl"), sample("The logo is blue")]);
  return disk;
}

Deno.test("JsonObservationStore.store() copies journal and counts, for the user alone", async () => {
  using disk = await copied();
  assertEquals(copyOf(disk, "journal.jsonl"), disk.read("journal.jsonl"));
  const counts = Deno.readTextFileSync(`${disk.root}/state/memory-recalls.json`);
  assertEquals(copyOf(disk, "memory-recalls.json"), counts);
  const modeOf = (name: string) => Deno.lstatSync(`${disk.root}/state/backup${name}`).mode! & 0o777;
  assertEquals(["", "/journal.jsonl"].map(modeOf), [0o700, 0o600]);
});

Deno.test("JsonObservationStore.store() copies again when the copy is a day old", async () => {
  using disk = await copied();
  const first = copyOf(disk, "journal.jsonl");
  age(disk, 0.9);
  await disk.store.store([sample("A third one")]);
  assertEquals(copyOf(disk, "journal.jsonl"), first);
  age(disk, 1);
  await disk.store.store([sample("A fourth one")]);
  assertEquals(copyOf(disk, "journal.jsonl"), disk.read("journal.jsonl"));
});

Deno.test("JsonObservationStore.store() copies nothing damaged over what is whole", async () => {
  using disk = await copied();
  const first = copyOf(disk, "journal.jsonl");
  const counts = copyOf(disk, "memory-recalls.json");
  age(disk, 2);
  disk.write("journal.jsonl", "damaged\n");
  Deno.writeTextFileSync(`${disk.root}/state/memory-recalls.json`, "{");
  await disk.store.store([sample("A third one")]);
  assertEquals([copyOf(disk, "journal.jsonl"), copyOf(disk, "memory-recalls.json")], [
    first,
    counts,
  ]);
});

Deno.test("JsonObservationStore.store() stores where nothing can be copied, and says so", async () => {
  using disk = new TempStore();
  Deno.mkdirSync(`${disk.root}/state`);
  Deno.writeTextFileSync(`${disk.root}/state/backup`, "in the way");
  assertEquals((await disk.store.store([sample("The logo is blue")])).length, 1);
  assert(disk.notices[0].startsWith("Memory was not copied: "), disk.notices.join());
});

Deno.test("JsonObservationStore.remove() leaves nothing in the copy", async () => {
  using disk = await copied();
  const [{ id }] = await disk.store.getByIssue(29);
  await disk.store.remove(id);
  assert(!JSON.stringify(disk.snapshot()).includes("quetzalcoatl"));
  assert(copyOf(disk, "journal.jsonl").includes("logo"));
});

for (const damage of ["damaged", "removed"]) {
  Deno.test(`doctor --fix brings back a journal and counts that are ${damage}`, async () => {
    using temp = new TempWorkspace();
    const { observation: { id } } = await temp.json([
      "memory",
      "note",
      ...WHO,
      "The logo is blue.",
    ]);
    await temp.run(["memory", "recall", ...WHO]);
    // Another day: what is stored now is copied, with the counts.
    Deno.removeSync(`${temp.root}/.agentx/state/backup`, { recursive: true });
    const { observation: later } = await temp.json(["memory", "note", ...WHO, "The door is red."]);
    Deno.removeSync(`${temp.root}/.agentx/memory/issue-42.json`);
    for (const path of ["memory/journal.jsonl", "state/memory-recalls.json"]) {
      if (damage === "removed") Deno.removeSync(`${temp.root}/.agentx/${path}`);
      else temp.write(`.agentx/${path}`, "{ damaged\n");
    }
    const told = JSON.stringify((await temp.json(["doctor"])).findings);
    assert(told.includes("observations of the journal: 1") && told.includes("doctor --fix"), told);
    const { findings } = await temp.json(["doctor", "--fix"]);
    assert(JSON.stringify(findings).includes("state/backup: the counts of recalls"));
    assertEquals((await temp.json(["memory", "get", later.id])).observation.id, later.id);
    assertEquals(JSON.parse(temp.read(".agentx/state/memory-recalls.json")).counts, { [id]: 1 });
    const after = await temp.run(["doctor"]);
    assertEquals([after.code, after.out.includes("state/backup")], [0, false]);
  });
}

Deno.test("doctor says nothing of the copy while the journal is whole", async () => {
  using temp = new TempWorkspace();
  await temp.run(["memory", "note", ...WHO, "The logo is blue."]);
  Deno.removeSync(`${temp.root}/.agentx/memory/issue-42.json`); // as on another branch
  assert(!(await temp.run(["doctor"])).out.includes("state/backup"));
});
