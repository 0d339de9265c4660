/**
 * Issue files that somebody edited, merged or lost: what can be read is read, what cannot is named
 * and left as it is.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { replace } from "../../lock/faults.ts";
import { refusal } from "../../refusal.ts";
import { sample, samples, TempStore } from "../temp_store.ts";

// deno-lint-ignore no-explicit-any -- whatever somebody writes
type Json = any;

const json = (edit: (file: Json) => unknown) => (text: string) =>
  JSON.stringify(edit(JSON.parse(text)));

const READABLE: Record<string, (text: string) => string> = {
  "printed over several lines": (text) => JSON.stringify(JSON.parse(text), null, 4),
  "with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "with a byte order mark": (text) => `\ufeff${text}`,
  "in another order": json((file) => ({
    observations: file.observations.toReversed(),
    ...file,
    observationsBefore: null,
  })),
  "with a line twice": json((file) => ({
    ...file,
    observations: [...file.observations, file.observations[0]],
  })),
  "by the original AgentX": json(({ version, issueNumber, updatedAt, observations }) => ({
    version,
    issueNumber,
    updatedAt,
    schema: "agentx/1",
    observations: observations.map((each: Json) => ({ ...each, importance: 3, tags: ["a"] })),
  })),
};

for (const [how, edit] of Object.entries(READABLE)) {
  Deno.test(`JsonObservationStore goes on with an issue file that is ${how}`, async () => {
    using temp = new TempStore();
    const all = samples(7);
    await temp.store.store(all.slice(0, 5));
    await temp.store.close();
    temp.write("issue-29.json", edit(temp.read("issue-29.json")));
    const before = (await temp.store.getByIssue(29)).find(({ id }) => id === all[0].id);
    const store = temp.another();
    await store.store(all);
    await store.close();
    const ids = all.map(({ id }) => id).sort();
    assertEquals((await temp.another().getByIssue(29)).map(({ id }) => id).sort(), ids);
    assertEquals((await temp.another().search("observation", 100)).length, 7);
    assertEquals(await temp.another().getById(all[0].id), before ?? null);
    assertEquals(temp.notices, []);
  });
}

const UNREADABLE: Record<string, [edit: (text: string) => string, why: string]> = {
  "names parts that are none": [json((file) => ({ ...file, parts: "../x" })), "parts"],
  "names a part by no number": [json((file) => ({ ...file, parts: ["../x"] })), "parts"],
  "has no list of marks": [json((file) => ({ ...file, forgotten: 5 })), "forgotten"],
};

for (const [how, [edit, why]] of Object.entries(UNREADABLE)) {
  Deno.test(`JsonObservationStore names an issue file that ${how}, skips it and leaves it`, async () => {
    using temp = new TempStore();
    await temp.store.store([...samples(3), sample("Elsewhere", { issueNumber: 30 })]);
    await temp.store.close();
    temp.write("issue-29.json", edit(temp.read("issue-29.json")));
    const text = temp.read("issue-29.json");
    const store = temp.another();
    assertEquals((await store.store(samples(1))).length, 1);
    assert(temp.notices.some((each) => each.includes("issue-29.json") && each.includes(why)));
    assertEquals((await store.search("elsewhere")).length, 1);
    assertEquals((await store.store([sample("More", { issueNumber: 30 })])).length, 1);
    await store.close();
    assertEquals(temp.read("issue-29.json"), text);
    assertEquals((await temp.another().getByIssue(29)).length, 1);
  });
}

Deno.test("JsonObservationStore skips a folder in the place of an issue file", async () => {
  using temp = new TempStore();
  await temp.store.store(samples(3));
  await temp.store.close();
  Deno.mkdirSync(`${temp.folder}/issue-30.json`);
  assertEquals((await temp.another().search("observation", 100)).length, 3);
  assert(temp.notices.some((notice) => notice.includes("issue-30.json")));
  assertEquals((await temp.store.store([sample("More", { issueNumber: 30 })])).length, 1);
  await temp.store.close();
  assertEquals((await temp.another().getByIssue(30)).length, 1);
});

async function inParts(temp: TempStore): Promise<string[]> {
  const all = samples(120);
  for (const start of [0, 40, 80]) await temp.store.store(all.slice(start, start + 40));
  await temp.store.close();
  return all.map(({ id }) => id);
}

Deno.test("JsonObservationStore names a part that is missing, and never stops counting on it", async () => {
  using temp = new TempStore();
  const ids = await inParts(temp);
  const part = temp.read("issue-29.1.json");
  Deno.removeSync(`${temp.folder}/issue-29.1.json`);
  const store = temp.another();
  assertEquals((await store.getByIssue(29)).length, 70);
  assert(temp.notices.some((notice) => notice.includes("issue-29.1.json")), temp.notices.join());
  for (
    const action of [
      () => store.retract(ids[110], "wrong"),
      () => store.remove(ids[110]),
      () => store.replace(29, { remove: [ids[110]], add: [] }),
    ]
  ) await refusal("CORRUPT_STATE", action);
  temp.write("issue-29.1.json", part);
  assertEquals((await temp.another().getByIssue(29)).length, 120);
});

Deno.test("JsonObservationStore.getByIssue() sees all of an issue that is rewritten meanwhile", async () => {
  using temp = new TempStore();
  const ids = await inParts(temp);
  const names = () => temp.names().filter((name) => name.startsWith("issue-29"));
  const before = names().map((name) => [name, temp.read(name)]);
  await temp.store.retract(ids[3], "wrong");
  const after = names().map((name) => [name, temp.read(name)]);
  const put = (files: string[][]) => {
    for (const name of names()) Deno.removeSync(`${temp.folder}/${name}`);
    for (const [name, text] of files) temp.write(name, text);
  };
  put(before);
  let isDone = false;
  using _ = replace("readTextFile", (real) => (path) => {
    if (!isDone && path.endsWith("/issue-29.1.json")) {
      isDone = true;
      put(after);
    }
    return real(path);
  });
  const list = await temp.another().getByIssue(29);
  assertEquals(list.map(({ id }) => id), ids);
  assert(list[3].retracted !== undefined);
  assertEquals(temp.notices, []);
});
