/**
 * What the store may meet on a disk: other data stays intact, and what is left out is named.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fault, replace, replaceFiles } from "../../lock/faults.ts";
import { refusal } from "../../refusal.ts";
import { sample, samples, TempStore } from "../temp_store.ts";

async function filled(temp: TempStore, ...issues: number[]): Promise<void> {
  for (const issueNumber of issues) {
    await temp.store.store([sample(`About issue ${issueNumber}`, { issueNumber })]);
  }
  await temp.store.close();
}

for (const text of ["", "{", '{"version":1,"entries":[{}]}', '{"version":1,"entries":[{"id":']) {
  Deno.test(`T8: JsonObservationStore rebuilds a manifest that reads ${text || "nothing"}`, async () => {
    using temp = new TempStore();
    await filled(temp, 29, 30);
    const before = temp.read("manifest.json");
    temp.write("manifest.json", text);
    assertEquals((await temp.another().search("issue")).length, 2);
    assertEquals(JSON.parse(temp.read("manifest.json")), JSON.parse(before));
    assert(temp.notices.some((notice) => notice.startsWith("Memory manifest rebuilt")));
  });
}

Deno.test("T8: JsonObservationStore rebuilds a missing manifest, and flushes onto a damaged one", async () => {
  using temp = new TempStore();
  await filled(temp, 29, 30);
  Deno.removeSync(`${temp.folder}/manifest.json`);
  assertEquals((await temp.another().search("issue")).length, 2);
  temp.write("manifest.json", "{");
  await filled(temp, 31);
  assertEquals(JSON.parse(temp.read("manifest.json")).total, 3);
});

Deno.test("JsonObservationStore skips an issue file that is damaged, and never overwrites it", async () => {
  using temp = new TempStore();
  await filled(temp, 29, 30);
  temp.write("issue-29.json", '{"version":1,');
  const store = temp.another();
  assertEquals(await store.getByIssue(29), []);
  assertEquals((await store.search("issue")).length, 1);
  assert(temp.notices.some((notice) => notice.includes("issue-29.json")), temp.notices.join());
  assertEquals((await store.store([sample("More")])).length, 1);
  assertEquals((await store.store([sample("More", { issueNumber: 30 })])).length, 1);
  await store.rebuild();
  assertEquals(temp.read("issue-29.json"), '{"version":1,');
});

Deno.test("JsonObservationStore keeps in its journal what it cannot flush", async () => {
  using temp = new TempStore();
  await filled(temp, 29);
  const kept = sample("Stored before the damage");
  await temp.store.store([kept, sample("Other", { issueNumber: 30 })]);
  const good = temp.read("issue-29.json");
  temp.write("issue-29.json", "damaged");
  await temp.store.close();
  assertEquals(temp.read("journal.jsonl"), `${JSON.stringify(kept)}\n`);
  assertEquals((await temp.another().getByIssue(30)).length, 1);
  temp.write("issue-29.json", good);
  await temp.another().close();
  assertEquals((await temp.another().getByIssue(29)).length, 2);
});

Deno.test("JsonObservationStore steps over a half-written line of its journal", async () => {
  using temp = new TempStore();
  const [a, b, c] = samples(3);
  await temp.store.store([a, b]);
  const text = temp.read("journal.jsonl");
  temp.write("journal.jsonl", text.slice(0, -20));
  assertEquals(await temp.another().getByIssue(29), [a]);
  assert(temp.notices.some((notice) => notice.includes("line 2 of")), temp.notices.join());
  await temp.another().store([c]);
  assertEquals(await temp.another().getByIssue(29), [a, c]);
  await temp.another().close();
  assertEquals(await temp.another().getByIssue(29), [a, c]);
});

for (const name of ["manifest.json", "issue-29.json"]) {
  const list = name === "manifest.json" ? "entries" : "observations";
  const newer = JSON.stringify({ version: 2, issueNumber: 29, updatedAt: "", [list]: [] });
  const foreign = JSON.stringify({ name: "an app", short_name: "app" });
  const cases = name === "manifest.json" ? [newer] : [newer, foreign];
  for (const text of cases) {
    const code = text === newer ? "NEWER_STATE" : "CORRUPT_STATE";
    Deno.test(`JsonObservationStore writes nothing beside a ${name} with ${code}`, async () => {
      using temp = new TempStore();
      temp.write(name, text);
      const before = temp.snapshot();
      const { store } = temp;
      for (
        const action of [
          () => store.store([sample("More")]),
          () => store.search("more"),
          () => store.rebuild(),
          () => store.remove("obs-engineer-29-1-aaaaaa"),
        ]
      ) await refusal(code, action);
      await store.close();
      assertEquals(temp.snapshot(), before);
    });
  }
}

const NOT_A_FILE_OF_OURS = ["[]", "null", "7", '"text"', "{}", '{"version":1}'];

for (
  const text of [
    ...NOT_A_FILE_OF_OURS,
    '{"a":1}',
    '{"version":"9","entries":[]}',
    '{"version":0,"entries":[]}',
    '{"version":null}',
  ]
) {
  Deno.test(`JsonObservationStore makes a manifest.json anew that holds ${text}`, async () => {
    using temp = new TempStore();
    await temp.store.store(samples(3));
    await temp.store.close();
    temp.write("manifest.json", text);
    assertEquals((await temp.another().search("observation")).length, 3);
    assert(temp.notices.some((notice) => notice.startsWith("Memory manifest rebuilt")));
    temp.write("manifest.json", text);
    assertEquals(await temp.another().rebuild(), 3);
    assertEquals(JSON.parse(temp.read("manifest.json")).entries.length, 3);
    temp.write("manifest.json", text);
    await temp.store.store([sample("More")]);
    await temp.store.close();
    assertEquals(JSON.parse(temp.read("manifest.json")).total, 4);
  });
}

for (const text of NOT_A_FILE_OF_OURS) {
  Deno.test(`JsonObservationStore skips an issue file that holds ${text}, and leaves it`, async () => {
    using temp = new TempStore();
    await temp.store.store(samples(3, { issueNumber: 30 }));
    await temp.store.close();
    temp.write("issue-29.json", text);
    assertEquals((await temp.another().search("observation")).length, 3);
    assert(temp.notices.some((notice) => notice.includes("issue-29.json")));
    await temp.store.store([sample("More")]); // it waits in the journal until the file is mended
    assertEquals(temp.read("issue-29.json"), text);
  });
}

for (const errno of ["ENOSPC", "EROFS"]) {
  Deno.test(`JsonObservationStore.store() leaves nothing behind when ${errno} stops the append`, async () => {
    using temp = new TempStore();
    await temp.store.store([sample("Before")]);
    const before = temp.snapshot();
    for (const step of ["writeAt", "sync"] as const) {
      using _ = replaceFiles(/journal\.jsonl$/, (file) => ({
        [step]: (text: string) => {
          if (step === "writeAt") file.writeAt(text.slice(0, 20), "end");
          throw fault(errno);
        },
      }));
      const error = await refusal("IO_ERROR", () => temp.store.store([sample("More")]));
      assertEquals(error.details.errno, errno);
      assertEquals(temp.snapshot(), before);
    }
    assertEquals((await temp.store.store([sample("More")])).length, 1);
  });

  Deno.test(`JsonObservationStore loses nothing when ${errno} stops the flush`, async () => {
    using temp = new TempStore();
    const all = samples(64);
    await temp.store.store(all.slice(0, 50));
    for (let allowed = 0; allowed < 4; allowed++) {
      let writes = 0;
      using _ = replace("writeNewFile", (real) => (...args) => {
        if (writes++ >= allowed) throw fault(errno);
        real(...args);
      });
      await temp.store.store(all.slice(50 + allowed, 51 + allowed));
      await temp.another().close();
      const ids = (await temp.another().getByIssue(29)).map(({ id }) => id);
      assertEquals(ids, all.slice(0, 51 + allowed).map(({ id }) => id));
    }
    await temp.another().close();
    assertEquals((await temp.another().getByIssue(29)).length, 54);
    assertEquals(temp.names().filter((name) => name.endsWith(".tmp")), []);
  });
}

Deno.test("JsonObservationStore empties its journal only when all that follows from it is written", async () => {
  using temp = new TempStore();
  const all = samples(64);
  await temp.store.store(all.slice(0, 50));
  const isDerived = (path: string) => /manifest\.json$|\/index\//.test(path);
  {
    using _ = replace("rename", (real) => (from, to) => {
      if (isDerived(to)) throw fault("ENOSPC");
      real(from, to);
    });
    await temp.store.store(all.slice(50));
    assertEquals(temp.read("journal.jsonl").split("\n").length, 65);
  }
  assert(temp.notices.some((notice) => notice.startsWith("Observations remain in the journal")));
  assertEquals((await temp.another().search("observation", 100)).length, 64);
  await temp.another().close();
  assertEquals(temp.read("journal.jsonl"), "");
  assertEquals((await temp.another().search("observation", 100)).length, 64);
});
