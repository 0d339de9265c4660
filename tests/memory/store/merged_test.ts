/**
 * Memory on two branches: what git's union of both sides' lines leaves is read whole, whichever side
 * it is seen from, and cleared up by a repair.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Observation } from "../../../lib/memory/schema.ts";
import { mergeFile } from "../../merge_file.ts";
import { sample, samples, TempStore } from "../temp_store.ts";

const FILE = "issue-29.json";

/** Two stores that begin with the same files, and the text they began with. */
async function branches(begin: readonly Observation[]): Promise<[TempStore, TempStore, string]> {
  const [ours, theirs] = [new TempStore(), new TempStore()];
  for (const { store } of [ours, theirs]) {
    await store.store([...begin]);
    await store.close();
  }
  return [ours, theirs, begin.length === 0 ? "" : ours.read(FILE)];
}

const contents = async ({ store }: { store: TempStore["store"] }) =>
  (await store.getByIssue(29)).map(({ content }) => content).sort();

Deno.test("JsonObservationStore reads both sides of a union, and finds them", async () => {
  const [ours, theirs, base] = await branches(samples(2));
  using _ours = ours, _theirs = theirs;
  for (const [temp, content] of [[ours, "Our pools are set up once"], [theirs, "Their retries"]]) {
    await (temp as TempStore).store.store([sample(content as string)]);
    await (temp as TempStore).store.close();
  }
  ours.write(FILE, mergeFile(["--union"], ours.read(FILE), base, theirs.read(FILE)));
  assertEquals((await contents({ store: ours.another() })).length, 4);
  assertEquals((await ours.another().search("retries")).length, 1);
  assertEquals(ours.notices, []);
  await ours.another().store([sample("Later")]);
  await ours.another().close();
  assertEquals(JSON.parse(ours.read(FILE)).observations.length, 5);
});

for (const style of [[], ["--diff3"]]) {
  Deno.test(`JsonObservationStore reads around conflict markers ${style}, and repairs them`, async () => {
    const [ours, theirs, base] = await branches(samples(2));
    using _ours = ours, _theirs = theirs;
    await ours.store.store([sample("Ours")]);
    await theirs.store.store([sample("Theirs")]);
    await ours.store.close();
    await theirs.store.close();
    const marked = mergeFile(style, ours.read(FILE), base, theirs.read(FILE));
    assert(marked.includes("<<<<<<<"));
    ours.write(FILE, marked);
    const store = ours.another();
    assertEquals((await store.getByIssue(29)).length, 4);
    assertEquals((await store.search("theirs")).length, 1);
    assert(ours.notices.some((notice) => notice.includes("doctor --fix")));
    await store.store([sample("Waits in the journal")]);
    await store.close();
    assertEquals(ours.read(FILE), marked);
    assertEquals(await ours.another().repair(), [29]);
    assertEquals(await ours.another().repair(), []);
    await ours.another().close();
    assertEquals(JSON.parse(ours.read(FILE)).observations.length, 5);
    ours.notices.length = 0;
    assertEquals((await ours.another().search("theirs")).length, 1);
    assertEquals(ours.notices, []);
  });
}

Deno.test("JsonObservationStore does not bring back what one branch removed or retracted", async () => {
  const [first, second, third] = samples(3);
  const [ours, theirs, base] = await branches([first, second, third]);
  using _ours = ours, _theirs = theirs;
  await ours.store.remove(third.id);
  await ours.store.retract(second.id, "It was measured wrong");
  await theirs.store.store([sample("Theirs")]);
  await theirs.store.close();
  ours.write(FILE, mergeFile(["--union"], ours.read(FILE), base, theirs.read(FILE)));
  const store = ours.another();
  assertEquals((await store.getByIssue(29)).length, 3);
  assertEquals(await store.getById(third.id), null);
  assertEquals((await store.getById(second.id))?.retracted?.because, "It was measured wrong");
});

/** What somebody does on one branch. */
type Step = { kind: "store"; name: number } | { kind: "remove" | "retract"; index: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("store" as const), name: fc.nat(30) }) },
  fc.record({ kind: fc.constantFrom("remove" as const, "retract" as const), index: fc.nat(60) }),
);

async function take(temp: TempStore, steps: readonly Step[], made: Map<number, Observation>) {
  for (const step of steps) {
    const all = await temp.store.getByIssue(29);
    if (step.kind === "store") {
      const timestamp = new Date(Date.UTC(2026, 1, 1) + step.name * 60_000).toISOString();
      const observation = made.get(step.name) ??
        sample(`Fact number ${step.name}`, { timestamp });
      made.set(step.name, observation);
      await temp.store.store([observation]);
    } else if (all.length > 0) {
      const { id } = all[step.index % all.length];
      if (step.kind === "remove") await temp.store.remove(id);
      else await temp.store.retract(id, "Wrong");
    }
    await temp.store.close();
  }
}

Deno.test("any two branches merged in either order hold the same after a repair", async () => {
  const branch = fc.array(step, { maxLength: 8 });
  const begin = fc.array(fc.nat(30), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(begin, branch, branch, async (names, stepsA, stepsB) => {
      const made = new Map<number, Observation>();
      const steps = [...new Set(names)].map((name) => ({ kind: "store" as const, name }));
      using root = new TempStore();
      await take(root, steps, made);
      const base = root.read(FILE);
      const sides: string[] = [];
      for (const taken of [stepsA, stepsB]) {
        using side = new TempStore();
        side.write(FILE, base);
        await take(side, taken, made);
        sides.push(side.read(FILE));
      }
      const merged: string[] = [];
      for (const [ours, theirs] of [sides, sides.toReversed()]) {
        using clone = new TempStore();
        clone.write(FILE, mergeFile(["--union"], ours, base, theirs));
        const seen = await clone.another().getByIssue(29);
        await clone.another().repair();
        assertEquals(await contents({ store: clone.another() }), seen.map((o) => o.content).sort());
        merged.push(clone.read(FILE));
      }
      assertEquals(JSON.parse(merged[0]).observations, JSON.parse(merged[1]).observations);
      assertEquals(JSON.parse(merged[0]).forgotten, JSON.parse(merged[1]).forgotten);

      // Whatever one side holds, and the other did not remove, is there.
      const parsed = [...sides, ...merged].map((text) => JSON.parse(text));
      const forgotten = new Set(parsed.flatMap(({ forgotten = [] }) => forgotten));
      const ids = (file: { observations: Observation[] }) => file.observations.map(({ id }) => id);
      const expected = new Set([...ids(parsed[0]), ...ids(parsed[1])]);
      const gone = [...expected].filter((id) => !ids(parsed[2]).includes(id));
      assert(gone.length <= forgotten.size, gone.join());
    }),
    { numRuns: 40 },
  );
});
