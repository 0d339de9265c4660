import { assert, assertEquals } from "@std/assert";
import { estimateTokens, type Observation, summaryOf } from "../../lib/memory/schema.ts";
import { replace } from "../lock/faults.ts";
import { mergeFile } from "../merge_file.ts";
import { refusal } from "../refusal.ts";
import { sample, SAMPLE_TIME_MS, TempStore } from "./temp_store.ts";

const DAY_MS = 86_400_000;

async function storeAll(temp: TempStore, list: Observation[]): Promise<void> {
  for (let from = 0; from < list.length; from += 50) {
    await temp.store.store(list.slice(from, from + 50));
  }
}

/** Observations one day apart, the first one the youngest. */
function daily(contents: string[]): Observation[] {
  return contents.map((content, days) =>
    sample(content, {
      timestamp: new Date(SAMPLE_TIME_MS - days * DAY_MS).toISOString(),
    })
  );
}

Deno.test("T11: JsonObservationStore.compact() archives the originals, and restore() brings them back", async () => {
  using temp = new TempStore();
  const old = daily(
    Array.from({ length: 130 }, (_, index) => `Observation w${index}a w${index}b w${index}c`),
  ).slice(100);
  const young = daily(["The newest of all"]);
  await storeAll(temp, [...old, ...young]);
  const dry = await temp.store.compact(29, { isDryRun: true });
  assertEquals((await temp.store.getByIssue(29)).length, 31);
  const { before, after, removed, added } = await temp.store.compact(29);
  assertEquals([dry.removed, dry.added], [removed, added]);
  assertEquals([before, removed.length], [31, 30]);
  assert(after <= 16 && added.length <= 15);
  const now = await temp.another().getByIssue(29);
  assertEquals(now.length, after);
  assertEquals(now.some(({ id }) => id === young[0].id), true);
  assertEquals((await temp.store.getById(old[0].id))?.content, old[0].content);
  assertEquals(await temp.store.compact(29), {
    issueNumber: 29,
    before: after,
    after,
    removed: [],
    added: [],
  });
  await temp.store.restore(29);
  const back = await temp.another().getByIssue(29);
  assertEquals(
    back.map(({ content }) => content).sort(),
    [...old, ...young].map(({ content }) => content).sort(),
  );
});

Deno.test("T11: JsonObservationStore.compact() takes an issue with very many old observations", async () => {
  using temp = new TempStore();
  const old = Array.from(
    { length: 300 },
    (_, index) =>
      sample(`Topic${index} ${`w${index} `.repeat(300)}`.slice(0, 900), {
        timestamp: new Date(SAMPLE_TIME_MS - (100 + index) * DAY_MS).toISOString(),
      }),
  );
  await storeAll(temp, old);
  const { after, added } = await temp.store.compact(29);
  assert(added.length > 100 && after <= 150, String(after));
  assertEquals((await temp.another().getByIssue(29)).length, after);
  assertEquals((await temp.store.restore(29)).length, 300);
  assertEquals((await temp.another().getByIssue(29)).length, 300);
});

/** Three old observations in one summary. */
async function compacted(temp: TempStore): Promise<Observation[]> {
  const texts = ["Alpha chose the zebra", "Beta fixed the walrus", "Gamma broke the heron"];
  const old = daily([...Array.from({ length: 100 }, () => ""), ...texts]).slice(100);
  await storeAll(temp, old);
  assertEquals((await temp.store.compact(29)).added.length, 1);
  return old;
}

Deno.test("T11: remove() of an archived original takes it out of its summary too", async () => {
  using temp = new TempStore();
  const [alpha, beta, gamma] = await compacted(temp);
  const [before] = await temp.store.getByIssue(29);
  assertEquals((await temp.store.search("walrus")).map(({ id }) => id), [before.id]);
  assertEquals(await temp.store.remove(beta.id), true);
  assertEquals(Object.values(temp.unpacked()).filter((text) => text.includes("walrus")), []);
  for (const store of [temp.store, temp.another()]) {
    assertEquals(await store.search("walrus"), []);
    assertEquals((await store.search("zebra")).map(({ id }) => id), [before.id]);
  }
  const [after] = await temp.store.getByIssue(29);
  const { content } = after;
  assertEquals(
    content,
    before.content.split("\n").filter((line) => !/walrus/.test(line)).join("\n"),
  );
  const told = { content, summary: summaryOf(content), tokens: estimateTokens(content) };
  assertEquals(after, { ...before, ...told, replaces: [gamma.id, alpha.id] });
  assertEquals(temp.notices, []);
  assertEquals(await temp.store.store([beta, { ...before, id: sample("x").id }]), []);
  assertEquals(await temp.store.remove(beta.id), false);
  await temp.store.restore(29);
  const back = (await temp.another().getByIssue(29)).map(({ id }) => id);
  assertEquals(back.sort(), [alpha.id, gamma.id].sort());
});

Deno.test("T11: a summary goes away with the last of its originals", async () => {
  using temp = new TempStore();
  for (const { id } of await compacted(temp)) assertEquals(await temp.store.remove(id), true);
  assertEquals(await temp.another().getByIssue(29), []);
  assertEquals(await temp.another().listByAgent("engineer"), []);
  assertEquals(await temp.store.restore(29), []);
});

Deno.test("T11: remove() stopped before the archive is ended by whoever reads next", async () => {
  using temp = new TempStore();
  const [, beta] = await compacted(temp);
  {
    using _ = replace("rename", (real) => (from, to) => {
      if (to.endsWith("archive/issue-29.json")) throw new Error("killed");
      real(from, to);
    });
    await temp.another().remove(beta.id).catch(() => {});
  }
  assert(Object.values(temp.unpacked()).some((text) => text.includes("walrus")));
  assertEquals(await temp.another().search("walrus"), []);
  assertEquals(await temp.another().remove(beta.id), false);
  assertEquals(Object.values(temp.unpacked()).filter((text) => text.includes("walrus")), []);
});

Deno.test("T11: retract() of an archived original says how to bring it back", async () => {
  using temp = new TempStore();
  const [alpha] = await compacted(temp);
  const failure = await refusal("INVALID_INPUT", () => temp.store.retract(alpha.id, "wrong"));
  assert(failure.message.endsWith("agentx memory compact --undo --issue 29"), failure.message);
});

/** Sessions of five old observations each. */
function sessions(count: number): Observation[] {
  return Array.from({ length: 5 * count }, (_, index) => {
    const session = Math.floor(index / 5);
    const words = Array.from({ length: 30 }, (_, at) => `s${session}w${index * 37 + at}`);
    return sample(`Session ${session} says ${words.join(" ")}.`, {
      sessionId: `session-${session}`,
      timestamp: new Date(SAMPLE_TIME_MS - 200 * DAY_MS + index * 60_000).toISOString(),
    });
  });
}

Deno.test("T11: JsonObservationStore.compact() lowers what memory takes on the disk", async () => {
  using temp = new TempStore();
  await storeAll(temp, sessions(40));
  await temp.store.close();
  await temp.store.search("session");
  const before = temp.store.bytes();
  assertEquals((await temp.store.compact(29)).removed.length, 200);
  assert(temp.store.bytes() < before, `${temp.store.bytes()} of ${before}`);
});

Deno.test("T11: a summary goes on in the session of its pieces, beside no strangers", async () => {
  using temp = new TempStore();
  const all = sessions(4);
  await storeAll(temp, all);
  await temp.store.compact(29);
  const sessionOf = new Map(all.map(({ id, sessionId }) => [id, sessionId]));
  for (const { sessionId, replaces = [] } of await temp.store.getByIssue(29)) {
    assertEquals([...new Set(replaces.map((id) => sessionOf.get(id)))], [sessionId]);
  }
});

Deno.test("T11: what two branches archived is all brought back after their merge", async () => {
  const all = sessions(4);
  using base = new TempStore();
  await storeAll(base, all.slice(0, 10));
  await base.store.compact(29);
  const path = "archive/issue-29.json";
  const sides = await Promise.all([all.slice(10, 15), all.slice(15)].map(async (more) => {
    using side = new TempStore();
    side.write("issue-29.json", base.read("issue-29.json"));
    Deno.mkdirSync(`${side.folder}/archive`);
    Deno.writeTextFileSync(`${side.folder}/${path}`, base.read(path));
    await storeAll(side, more);
    await side.store.compact(29);
    return [side.read("issue-29.json"), side.read(path)];
  }));
  using clone = new TempStore();
  const [ours, theirs] = sides;
  clone.write(
    "issue-29.json",
    mergeFile(["--union"], ours[0], base.read("issue-29.json"), theirs[0]),
  );
  Deno.mkdirSync(`${clone.folder}/archive`);
  const merged = mergeFile(["--union"], ours[1], base.read(path), theirs[1]);
  Deno.writeTextFileSync(`${clone.folder}/${path}`, merged);
  await clone.store.restore(29);
  const back = (await clone.another().getByIssue(29)).map(({ id }) => id);
  assertEquals(back.sort(), all.map(({ id }) => id).sort());
  assertEquals(clone.notices, []);
});

Deno.test("T11: restore() names an archive that is damaged, and changes nothing", async () => {
  using temp = new TempStore();
  await storeAll(temp, sessions(2));
  await temp.store.compact(29);
  const path = `${temp.folder}/archive/issue-29.json`;
  Deno.writeTextFileSync(
    path,
    temp.read("archive/issue-29.json").replace(/(?<="packed": \[\n +")[^"]{40}/, "?"),
  );
  const before = temp.snapshot();
  const { message } = await refusal("CORRUPT_STATE", () => temp.another().restore(29));
  assert(message.includes("archive/issue-29.json"), message);
  assertEquals(temp.snapshot(), before);
});
