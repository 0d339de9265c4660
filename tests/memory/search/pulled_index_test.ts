/**
 * An index that is a little out of step, as after a pull: a search reads what changed beside it and nothing
 * else, and whoever stores something takes it in.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { fingerprintOf } from "../../../lib/memory/identity.ts";
import type { Observation } from "../../../lib/memory/schema.ts";
import { encodeMemoryFile } from "../../../lib/memory/store/memory_file.ts";
import { replace } from "../../lock/faults.ts";
import { sample, SAMPLE_TIME_MS, TempStore } from "../temp_store.ts";

const ISSUES = 40;

const observationsOf = (issueNumber: number, count = 3) =>
  Array.from(
    { length: count },
    (_, at) =>
      sample(`Word ${at} of number ${issueNumber}`, { issueNumber, sessionId: `s${at % 2}` }),
  );

function write(temp: TempStore, issueNumber: number, observations: readonly Observation[]): void {
  const updatedAt = "2026-02-27T10:00:00.000Z";
  const file = { version: 1 as const, issueNumber, updatedAt, observations: [...observations] };
  writeText(temp, issueNumber, encodeMemoryFile(file, "observations"));
}

function writeText(temp: TempStore, issueNumber: number, text: string): void {
  Deno.mkdirSync(temp.folder, { recursive: true });
  Deno.writeTextFileSync(`${temp.folder}/issue-${issueNumber}.json`, text);
}

function read(temp: TempStore, issueNumber: number): Observation[] {
  return JSON.parse(temp.read(`issue-${issueNumber}.json`)).observations;
}

const found = async (temp: TempStore, query = "number") =>
  (await temp.another().search(query, 1_000)).map(({ id, score }) => `${id} ${score}`).sort();

/** How many a fresh process finds, and the issue files that it reads. */
async function foundAndRead(temp: TempStore): Promise<{ count: number; names: string[] }> {
  const names: string[] = [];
  const note = (path: string) => {
    if (path.includes("/issue-")) names.push(path.slice(path.lastIndexOf("/") + 1));
  };
  using _ = replace("readTextFile", (real) => (path) => {
    note(path);
    return real(path);
  });
  using __ = replace("readPart", (real) => (path, ...rest) => {
    note(path);
    return real(path, ...rest);
  });
  const { length: count } = await found(temp);
  return { count, names: names.sort() };
}

async function filled(): Promise<TempStore> {
  const temp = new TempStore();
  for (let issue = 1; issue <= ISSUES; issue++) write(temp, issue, observationsOf(issue));
  assertEquals((await found(temp)).length, 3 * ISSUES);
  temp.notices.length = 0;
  return temp;
}

Deno.test("JsonObservationStore.search() reads what a pull changed until it is taken in, and no other file", async () => {
  using temp = await filled();
  for (const issue of [3, 7, 9, 20]) {
    write(temp, issue, [
      ...read(temp, issue),
      sample(`Pulled number ${issue}`, { issueNumber: issue }),
    ]);
  }
  write(temp, 77, observationsOf(77));
  const changed = [20, 3, 7, 77, 9].map((issue) => `issue-${issue}.json`);
  const head = temp.read("index/head.json");
  for (let time = 0; time < 2; time++) {
    assertEquals(await foundAndRead(temp), { count: 3 * ISSUES + 7, names: changed });
  }
  assertEquals(temp.read("index/head.json"), head);
  await temp.store.store([sample("Stored number one", { issueNumber: 1 })]);
  await temp.store.close();
  assertEquals(await foundAndRead(temp), { count: 3 * ISSUES + 8, names: [] });
  assertEquals(temp.notices, []);
});

Deno.test("JsonObservationStore.search() follows whatever happened to some files as a rebuilt index does", async () => {
  using temp = await filled();
  const issue = fc.integer({ min: 1, max: ISSUES });
  const deed = fc.oneof(
    fc.record({ what: fc.constant("add" as const), issue }),
    fc.record({ what: fc.constant("drop" as const), issue }),
    fc.record({ what: fc.constant("edit" as const), issue }),
    fc.record({ what: fc.constant("retract" as const), issue }),
    fc.record({ what: fc.constant("restore" as const), issue }),
    fc.record({ what: fc.constant("correct" as const), issue }),
    fc.record({ what: fc.constant("remove" as const), issue }),
    fc.record({ what: fc.constant("turn" as const), issue }),
    fc.record({ what: fc.constant("unite" as const), issue }),
    fc.record({ what: fc.constant("indent" as const), issue }),
    fc.record({ what: fc.constant("forget" as const), issue }),
  );
  const doIt = ({ what, issue }: { what: string; issue: number }) => {
    const path = `${temp.folder}/issue-${issue}.json`;
    const all = temp.names().includes(`issue-${issue}.json`) ? read(temp, issue) : [];
    if (what === "remove") return all.length > 0 && Deno.removeSync(path);
    const [first, ...rest] = all;
    const fresh = sample(`Word number ${Math.random()}`, { issueNumber: issue, sessionId: "s0" });
    if (what === "add") return write(temp, issue, [...all, fresh]);
    if (first === undefined) return;
    if (what === "drop") return write(temp, issue, rest);
    if (what === "turn") return write(temp, issue, all.toReversed());
    if (what === "indent") {
      const file = JSON.parse(temp.read(`issue-${issue}.json`));
      return writeText(temp, issue, JSON.stringify(file, null, 2));
    }
    if (what === "forget") {
      const forgotten = `  "forgotten": ["${fingerprintOf(first)}"],\n  "observations"`;
      const text = temp.read(`issue-${issue}.json`);
      return writeText(temp, issue, text.replace(`  "observations"`, forgotten));
    }
    if (what === "correct") return write(temp, issue, [...all, { ...fresh, supersedes: first.id }]);
    const retracted = { because: "wrong", timestamp: first.timestamp };
    const edit = { ...first, content: `${first.content} edited` };
    // As a merge by lines does: both branches' lines are there.
    if (what === "unite") return write(temp, issue, [...all, edit]);
    const changed = {
      edit,
      retract: { ...first, retracted },
      restore: { ...first, retracted: undefined },
    }[what]!;
    write(temp, issue, [changed, ...rest]);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 8 }), async (deeds) => {
      deeds.forEach(doIt);
      const followed = await found(temp);
      await temp.another().rebuild();
      assertEquals(followed, await found(temp));
    }),
    { numRuns: 40 },
  );
});

for (const [when, agoMs] of [["", 60_000], [" and the folder was just changed", 1]] as const) {
  Deno.test(`JsonObservationStore.search() follows a pull while it is open${when}`, async () => {
    using temp = await filled();
    const store = temp.another();
    const touch = (ms: number) => Deno.utimeSync(temp.folder, new Date(ms), new Date(ms));
    touch(SAMPLE_TIME_MS - agoMs);
    assertEquals((await store.search("number", 1_000)).length, 3 * ISSUES);
    const pulled = [...read(temp, 6), sample("Pulled number six", { issueNumber: 6 })];
    // As git writes a file.
    Deno.removeSync(`${temp.folder}/issue-6.json`);
    write(temp, 6, pulled);
    touch(SAMPLE_TIME_MS - 1);
    assertEquals((await store.search("number", 1_000)).length, 3 * ISSUES + 1);
  });
}

Deno.test("JsonObservationStore.search() takes in what is too much to be read each time", async () => {
  using temp = await filled();
  const long = "A long word of number ten. ".repeat(80);
  const about = { issueNumber: 10, sessionId: "s0" };
  for (const count of [200, 1_000, 1]) {
    const more = Array.from({ length: count }, (_, at) => sample(`${long}${count} ${at}`, about));
    write(temp, 10, [...read(temp, 10), ...more]);
    assertEquals(new Set((await foundAndRead(temp)).names), new Set(["issue-10.json"]));
    assertEquals((await foundAndRead(temp)).names, []);
  }
});

Deno.test("JsonObservationStore.search() reads beside the index what came to an issue with sealed parts", async () => {
  using temp = await filled();
  for (let batch = 0; batch < 3; batch++) {
    const text = (at: number) => `Word ${at} of batch ${batch} and number ten`;
    await temp.store.store(
      Array.from({ length: 50 }, (_, at) => sample(text(at), { issueNumber: 10 })),
    );
  }
  await temp.store.close();
  const parts = temp.names().filter((name) => /^issue-10\./.test(name)).sort();
  assert(parts.length > 1, parts.join());
  const longAgo = new Date(SAMPLE_TIME_MS - 90_000);
  for (const name of parts) Deno.utimeSync(`${temp.folder}/${name}`, longAgo, longAgo);
  const { count } = await foundAndRead(temp);
  const head = temp.read("index/head.json");
  const file = JSON.parse(temp.read("issue-10.json"));
  file.observations.push(sample("Pulled number ten", { issueNumber: 10 }));
  writeText(temp, 10, encodeMemoryFile(file, "observations"));
  for (let time = 0; time < 2; time++) {
    assertEquals(await foundAndRead(temp), { count: count + 1, names: parts });
  }
  assertEquals(temp.read("index/head.json"), head);
});

Deno.test("JsonObservationStore.search() takes in what came a while ago", async () => {
  using temp = await filled();
  write(temp, 10, [...read(temp, 10), sample("Pulled number ten", { issueNumber: 10 })]);
  assertEquals((await foundAndRead(temp)).names, ["issue-10.json"]);
  assertEquals((await foundAndRead(temp)).names, ["issue-10.json"]);
  const longAgo = new Date(SAMPLE_TIME_MS - 90_000);
  Deno.utimeSync(`${temp.folder}/issue-10.json`, longAgo, longAgo);
  assertEquals(await foundAndRead(temp), { count: 3 * ISSUES + 1, names: ["issue-10.json"] });
  assertEquals(await foundAndRead(temp), { count: 3 * ISSUES + 1, names: [] });
});

Deno.test("JsonObservationStore.search() takes in a pull of very many files, however small they are", async () => {
  for (const name of [(at: number) => `${ISSUES + at}`, (at: number) => `${ISSUES + 1}.${at}`]) {
    using temp = await filled();
    for (let at = 1; at <= 300; at++) {
      const issueNumber = parseInt(name(at));
      temp.write(`issue-${name(at)}.json`, { version: 1, issueNumber, observations: [] });
    }
    await foundAndRead(temp);
    assertEquals(await foundAndRead(temp), { count: 3 * ISSUES, names: [] });
  }
});

Deno.test("JsonObservationStore.search() rebuilds an index that is damaged when something was pulled", async () => {
  const damages = [Deno.removeSync, (path: string) => Deno.truncateSync(path, 100)];
  for (const damage of damages) {
    using temp = await filled();
    const index = `${temp.folder}/index`;
    const names = Array.from(Deno.readDirSync(index), ({ name }) => name);
    for (const name of names) if (name !== "head.json") damage(`${index}/${name}`);
    write(temp, 6, [...read(temp, 6), sample("Pulled number six", { issueNumber: 6 })]);
    assertEquals((await found(temp)).length, 3 * ISSUES + 1);
  }
});

Deno.test("JsonObservationStore.search() has nothing left of what a pull took away", async () => {
  using temp = await filled();
  write(temp, 5, [sample("The vault is called marmalade", { issueNumber: 5 }), ...read(temp, 5)]);
  assertEquals((await found(temp, "marmalade")).length, 1);
  write(temp, 5, read(temp, 5).slice(1));
  assertEquals(await found(temp, "marmalade"), []);
  const index = `${temp.folder}/index`;
  for (const { name } of Deno.readDirSync(index)) {
    assert(!Deno.readTextFileSync(`${index}/${name}`).includes("marmalade"), name);
  }
});

Deno.test("JsonObservationStore.search() names the damaged file of a pull, and no longer once it is mended", async () => {
  using temp = await filled();
  const whole = temp.read("issue-4.json");
  Deno.writeTextFileSync(`${temp.folder}/issue-4.json`, whole.slice(0, -30));
  assertEquals((await found(temp)).length, 3 * ISSUES - 3);
  assertEquals((await found(temp)).length, 3 * ISSUES - 3);
  assert(temp.notices.filter((notice) => notice.includes("issue-4.json")).length >= 2);
  Deno.writeTextFileSync(`${temp.folder}/issue-4.json`, whole);
  temp.notices.length = 0;
  assertEquals((await found(temp)).length, 3 * ISSUES);
  assertEquals(temp.notices, []);
});

Deno.test("JsonObservationStore.store() follows a pull that came before it", async () => {
  using temp = await filled();
  write(temp, 8, [...read(temp, 8), sample("Pulled number eight", { issueNumber: 8 })]);
  await temp.store.store([sample("Stored number nine", { issueNumber: 9 })]);
  await temp.store.close();
  assertEquals(temp.notices, []);
  assertEquals((await found(temp)).length, 3 * ISSUES + 2);
});

Deno.test("JsonObservationStore.remove() leaves nothing of a text in the index, which keeps it whole", async () => {
  using temp = await filled();
  const secret = sample("The vault is called marmalade, as nobody may know", { issueNumber: 5 });
  await temp.store.store([secret]);
  await temp.store.close();
  const index = `${temp.folder}/index`;
  const isKept = () =>
    Array.from(Deno.readDirSync(index))
      .some(({ name }) => Deno.readTextFileSync(`${index}/${name}`).includes("nobody may know"));
  assertEquals(isKept(), true);
  await temp.another().remove(secret.id);
  assertEquals(isKept(), false);
  assertEquals(await found(temp, "marmalade"), []);
});
