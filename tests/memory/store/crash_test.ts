/**
 * A process that dies at any of its writes, one after the other: the next one finds all or nothing
 * of what was under way, and everything that was acknowledged before, once.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { Killed } from "../../lock/dying.ts";
import { replace } from "../../lock/faults.ts";
import { dieAfter } from "../die_after.ts";
import { sample, SAMPLE_TIME_MS, samples, TempStore } from "../temp_store.ts";

interface Scenario {
  /** What happens before, unharmed. */
  prepare(temp: TempStore): Promise<void>;
  /** What is interrupted. */
  act(temp: TempStore): Promise<unknown>;
}

const all = samples(130);
const aged = samples(20, { timestamp: new Date(SAMPLE_TIME_MS - 30 * 86_400_000).toISOString() });
const ids = (list: ReadonlyArray<{ id: string }>) => list.map(({ id }) => id);
const next = sample("Whatever comes next");
const summary = sample("All of it", { category: "compaction-summary" });

async function fill(temp: TempStore): Promise<void> {
  for (const start of [0, 40, 80]) await temp.store.store(all.slice(start, start + 40));
  await temp.store.close();
}

const SCENARIOS: Record<string, Scenario> = {
  "store() that flushes": {
    prepare: async (temp) => void await temp.store.store(all.slice(0, 50)),
    act: (temp) => temp.another().store(all.slice(50, 80)),
  },
  "store() that seals a part": {
    async prepare(temp) {
      await fill(temp);
      await temp.store.store(all.slice(120, 125));
    },
    act: async (temp) => {
      await temp.another().store(all.slice(125));
      await temp.another().close();
    },
  },
  "remove()": { prepare: fill, act: (temp) => temp.another().remove(all[3].id) },
  "remove() of an archived one": {
    async prepare(temp) {
      await fill(temp);
      const remove = ids(all.slice(5, 110));
      await temp.store.replace(29, { remove, add: [{ ...summary, replaces: [all[7].id] }] });
    },
    act: (temp) => temp.another().remove(all[7].id),
  },
  "retract()": { prepare: fill, act: (temp) => temp.another().retract(all[3].id, "wrong") },
  "replace()": {
    prepare: fill,
    act: (temp) => temp.another().replace(29, { remove: ids(all.slice(5, 110)), add: [summary] }),
  },
  "restore()": {
    async prepare(temp) {
      await fill(temp);
      await temp.store.replace(29, { remove: ids(all.slice(5, 110)), add: [summary] });
    },
    act: (temp) => temp.another().restore(29),
  },
  "archiveBeyond()": {
    prepare: async (temp) => {
      await fill(temp);
      await temp.store.store(aged);
      await temp.store.close();
    },
    act: (temp) => temp.another().archiveBeyond(30_000),
  },
  "rebuild()": { prepare: fill, act: (temp) => temp.another().rebuild() },
};

/** A line or a manifest that was under way. */
const EXPECTED = /not finished|^Memory manifest rebuilt/;

/** The files of memory and of its archive that have an observation twice. */
function doubledIn(temp: TempStore): string[] {
  return Object.entries(temp.unpacked())
    .filter(([path]) => /issue-29\.([0-9]+\.)?json$/.test(path))
    .filter(([, text]) => {
      const lines = ids(JSON.parse(text).observations);
      return new Set(lines).size !== lines.length;
    })
    .map(([path]) => path);
}

/** What can be read and what can be found; both must agree. */
async function contentOf(temp: TempStore): Promise<string[]> {
  const list = await temp.another().getByIssue(29);
  assertEquals(new Set(ids(list)).size, list.length, "an observation is there twice");
  assertEquals(doubledIn(temp), []);
  const visible = list.filter(({ retracted }) => retracted === undefined);
  const found = await temp.another().listByAgent("engineer");
  assertEquals(ids(found).sort(), ids(visible).sort());
  return ids(visible).sort();
}

for (const [what, { prepare, act }] of Object.entries(SCENARIOS)) {
  Deno.test(`JsonObservationStore: ${what} is done or not done, wherever it is killed`, async () => {
    let before: string[] = [];
    let after: string[] = [];
    {
      using temp = new TempStore();
      await prepare(temp);
      before = await contentOf(temp);
      await act(temp);
      after = await contentOf(temp);
    }
    let writes = 0;
    for (let isThrough = false; !isThrough; writes++) {
      using temp = new TempStore();
      await prepare(temp);
      {
        using killer = dieAfter(writes);
        await act(temp).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        isThrough = !killer.isDead;
      }
      const content = await contentOf(temp);
      const expected = content.length === before.length ? before : after;
      if (what.startsWith("store()")) {
        // The batch is one append: what of it arrived may be there although nobody was told.
        assertEquals(before.filter((id) => !content.includes(id)), []);
        assertEquals(content.filter((id) => !after.includes(id)), []);
      } else assertEquals(content, expected, `at write ${writes}`);
      assertEquals(temp.notices.filter((notice) => !EXPECTED.test(notice)), []);
      // Whoever comes next can go on.
      if (what.startsWith("store()") || content.join() !== after.join()) await act(temp);
      assertEquals(await contentOf(temp), after, `after write ${writes}`);
      await temp.another().store([next]);
      assertEquals(await contentOf(temp), [...after, next.id].sort());
      assertEquals(temp.names().filter((name) => name.endsWith(".tmp")), []);
    }
    assert(writes > 3, `only ${writes} writes`);
  });
}

Deno.test("JsonObservationStore.rebuild() that is killed loses nothing that came while it was reading", async () => {
  for (let writes = 0, isThrough = false; !isThrough; writes++) {
    using temp = new TempStore();
    await fill(temp);
    const pulled = { ...sample("Pulled meanwhile"), id: all[3].id };
    const file = { version: 1, issueNumber: 29, updatedAt: "", observations: [pulled] };
    {
      let isPulled = false;
      using _ = replace("readTextFile", (real) => (path) => {
        const text = real(path);
        if (!isPulled && path.endsWith("/issue-29.json")) temp.write("issue-29.json", file);
        isPulled ||= path.endsWith("/issue-29.json");
        return text;
      });
      using killer = dieAfter(writes);
      await temp.another().rebuild().catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      isThrough = !killer.isDead;
    }
    await contentOf(temp);
    const found = (await temp.another().searchByFilters({})).map(({ summary }) => summary).sort();
    const stored = (await temp.another().listAll()).map(({ summary }) => summary).sort();
    assertEquals(found, stored, `after write ${writes}`);
  }
});

function archivedIn(temp: TempStore): string[] {
  return Object.entries(temp.unpacked())
    .filter(([path]) => path.includes("/archive/issue-29"))
    .flatMap(([, text]) => ids(JSON.parse(text).observations));
}

Deno.test("JsonObservationStore.replace() that was killed half-way is done once when it is done again", async () => {
  using temp = new TempStore();
  await fill(temp);
  const exchange = { remove: ids(all.slice(5, 110)), add: [summary] };
  {
    // The archive is complete, the issue is as it was.
    using _ = replace("rename", (real) => (from, to) => {
      if (to.endsWith("memory/issue-29.json")) throw new Killed();
      real(from, to);
    });
    await temp.another().replace(29, exchange).catch(() => {});
  }
  assert(JSON.stringify(archivedIn(temp)).includes(all[109].id));
  await temp.another().retract(all[7].id, "wrong");
  await temp.another().replace(29, exchange);
  assertEquals(doubledIn(temp), []);
  assertEquals(archivedIn(temp).sort(), [...exchange.remove].sort());
  await temp.another().restore(29);
  const restored = await temp.another().getByIssue(29);
  assertEquals(ids(restored).sort(), ids(all.slice(0, 120)).sort());
  assertEquals(restored.find(({ id }) => id === all[7].id)?.retracted?.because, "wrong");
});

Deno.test("JsonObservationStore.restore() after replace() was killed half-way keeps what is newer", async () => {
  using temp = new TempStore();
  await fill(temp);
  {
    using _ = replace("rename", (real) => (from, to) => {
      if (to.endsWith("memory/issue-29.json")) throw new Killed();
      real(from, to);
    });
    const exchange = { remove: ids(all.slice(5, 110)), add: [summary] };
    await temp.another().replace(29, exchange).catch(() => {});
  }
  await temp.another().retract(all[7].id, "wrong");
  await temp.another().restore(29);
  const restored = await temp.another().getByIssue(29);
  assertEquals(ids(restored).sort(), ids(all.slice(0, 120)).sort());
  assertEquals(restored.find(({ id }) => id === all[7].id)?.retracted?.because, "wrong");
  assertEquals((await temp.another().search("observation", 1_000)).length, 119);
});
