/**
 * What was compacted is had back as it was: most of it out of the summaries, the rest from the archive.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Observation } from "../../../lib/memory/schema.ts";
import { encodeMemoryFile, type IssueFile } from "../../../lib/memory/store/memory_file.ts";
import { Killed } from "../../lock/dying.ts";
import { replace } from "../../lock/faults.ts";
import { mergeFile } from "../../merge_file.ts";
import { refusal } from "../../refusal.ts";
import { dieAfter } from "../die_after.ts";
import { sample, SAMPLE_TIME_MS, TempStore } from "../temp_store.ts";

const DAY_MS = 86_400_000;
const FILE = "issue-29.json";
const ARCHIVE = `archive/${FILE}`;

/** When what is compacted was made, and so many minutes later. */
const longAgo = (minutes: number) =>
  new Date(SAMPLE_TIME_MS - 200 * DAY_MS + minutes * 60_000).toISOString();

/** So many old observations in sessions of four, each with a word of its own. */
function old(count: number, changes: Partial<Observation> = {}): Observation[] {
  return Array.from(
    { length: count },
    (_, index) =>
      sample(`The bird of nest ${index} is called quetzal${index}x, as everybody knows`, {
        sessionId: `session-${Math.floor(index / 4)}`,
        timestamp: longAgo(index),
        ...changes,
      }),
  );
}

/** Writes the file of the issue, as it would be written. */
function write(temp: TempStore, observations: readonly Observation[]): void {
  const updatedAt = new Date(SAMPLE_TIME_MS).toISOString();
  const sorted = observations.toSorted((a, b) => a.timestamp < b.timestamp ? -1 : 1);
  const file: IssueFile = { version: 1, issueNumber: 29, updatedAt, observations: sorted };
  temp.write(FILE, encodeMemoryFile(file, "observations"));
}

async function compacted(observations: readonly Observation[]): Promise<TempStore> {
  const temp = new TempStore();
  write(temp, observations);
  await temp.store.compact(29);
  return temp;
}

/** The observation with that id, in place or not, as its line would be. */
async function lineOf(temp: TempStore, id: string): Promise<string> {
  return JSON.stringify(await temp.another().getById(id));
}

/** Whether the store has each of them as it was, wherever. */
async function assertAll(temp: TempStore, observations: readonly Observation[], message = "") {
  for (const each of observations) {
    assertEquals(await lineOf(temp, each.id), JSON.stringify(each), message);
  }
}

const summariesIn = async (temp: TempStore) =>
  (await temp.another().getByIssue(29)).filter(({ replaces }) => replaces !== undefined);

/** The paths of what has a text, packed or not. */
const pathsWith = (temp: TempStore, text: string) =>
  Object.entries(temp.unpacked()).filter(([, content]) => content.includes(text))
    .map(([path]) => path);

function archivedWhole(temp: TempStore): string[] {
  return Object.entries(temp.unpacked())
    .filter(([path]) => path.includes("/archive/"))
    .flatMap(([, text]) => JSON.parse(text).observations ?? [])
    .map(({ id }: Observation) => id);
}

Deno.test("compact() archives nothing of what the summaries say", async () => {
  const all = old(24);
  using temp = await compacted(all);
  assert((await summariesIn(temp)).length < 8);
  assertEquals(archivedWhole(temp), []);
  await assertAll(temp, all);
  assertEquals(await temp.another().store(all.slice(0, 3)), []);
});

/** Texts that are hard to tell apart in a summary. */
const line = fc.oneof(
  fc.constantFrom(
    "- decision (engineer, 2025-08-11): The port is 1",
    "- error: it failed",
    "- key-fact (a",
    "- decision:",
    "\u{1f600} caf\u00e9 \u202e \ufeff",
    "",
    " ",
    "Ends with a colon: ",
    "__proto__",
  ),
  fc.string({ maxLength: 40, unit: "grapheme" }),
  fc.nat(40).map((count) => `word${count} `.repeat(count)),
);
const content = fc.oneof(
  fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n").toWellFormed()),
  fc.constantFrom("The pool is set up once", "The pool is set up once, in main"),
  fc.nat(9).map((number) => `Long number ${number} says ${"very much. ".repeat(90)}`),
).filter((text) => text.trim() !== "" && text.length <= 2_000);

/** What an observation may have besides, also from other versions and by hand. */
const anchors = [{ path: "src/pool.ts", symbol: "open", lines: "abcde" }];
const changes: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, unknown>>(
    { anchors, commit: "0123abc", issueUid: "aaaa" },
    { issueUid: "aaaa", commit: "4567def", anchors },
    { issueUid: "bbbb" },
    { note: null, later: { deep: [1, null] } },
    { ["__proto__"]: "own" },
    { tokens: 3 },
    { summary: "Its own summary" },
    { timestamp: "2025-08-11T10:00:00Z" },
    { timestamp: "2025-08-12T10:00:00.123456Z" },
    { retracted: { because: "wrong", timestamp: longAgo(1) } },
    { category: "lesson" },
    { agent: "reviewer.x" },
    { sessionId: "session-9" },
    { id: "by-hand" },
  ),
);
const drawn = fc.record({
  content,
  changes,
  minutes: fc.constantFrom(0, 1, 2, 1_500),
  category: fc.constantFrom("decision", "error", "key-fact"),
  session: fc.constantFrom("session-1", "session-2"),
  corrects: fc.boolean(),
  isTurned: fc.boolean(),
});

Deno.test("compact() and restore(): every original is what it was, before, between and after", async () => {
  let said = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(drawn, { minLength: 2, maxLength: 24 }), async (list) => {
      const all: Observation[] = [];
      for (const [index, each] of list.entries()) {
        const { category, minutes, session, corrects, isTurned } = each;
        const made = {
          ...sample(each.content, {
            category: category as Observation["category"],
            timestamp: longAgo(minutes),
            sessionId: session,
          }),
          ...(corrects && index > 3 ? { supersedes: all[index - 3].id } : {}),
          ...each.changes,
          ...("id" in each.changes ? { id: `by-hand-${index}` } : {}),
        };
        const keys = Object.entries(made);
        all.push(Object.fromEntries(isTurned ? keys.reverse() : keys) as unknown as Observation);
      }
      using temp = new TempStore();
      write(temp, all);
      const before = temp.read(FILE);
      const { removed } = await temp.store.compact(29);
      said += removed.length - archivedWhole(temp).length;
      await assertAll(temp, all.filter(({ id }) => id.startsWith("obs-")));
      await temp.another().restore(29);
      assertEquals(temp.read(FILE), before);
      assertEquals(temp.notices, []);
    }),
    { numRuns: 150 },
  );
  assert(said > 300, `only ${said} were in summaries`);
});

const words = "Grebes dive under floating weeds while bitterns boom nearby unseen";
const long = (bird: string) => `The ${bird} sings. ${`It sings of the ${bird}. `.repeat(60)}`;

/**
 * Old ones: six that summaries say whole; two that are cut; two of one time that say the same; and two
 * more, of which the older one is longer, beside one that has just room enough.
 */
const mixed: Observation[] = [
  ...old(6, { issueUid: "aaaa" }),
  ...["wren", "finch"].map((bird, index) =>
    sample(long(bird), { sessionId: "long", timestamp: longAgo(10 + index) })
  ),
  ...["The heron waits by the walrus", "The heron waits by the walrus."].map((text) =>
    sample(text, {
      anchors: [{ path: "src/heron.ts", lines: "abcde" }],
      sessionId: "twice",
      timestamp: longAgo(20),
    })
  ),
  ...[`${words} `.repeat(9).trim(), words, "Plover. ".repeat(220).trim()].map((text, index) =>
    sample(text, { sessionId: "full", timestamp: longAgo(30 + index) })
  ),
];
const [first, , third] = mixed;
const [heron, shorter] = [mixed[9], mixed[11]];

const summaryOfFirst = async (temp: TempStore) =>
  (await summariesIn(temp)).find(({ replaces }) => replaces?.includes(first.id));

const summaryOfHeron = async (temp: TempStore) =>
  (await summariesIn(temp)).find(({ replaces }) => replaces?.includes(heron.id));

const compactAll = (temp: TempStore) => temp.another().compact(29);
const evictAll = (temp: TempStore) => temp.another().archiveBeyond(1);
const forgetSummary = async (temp: TempStore, summaryOf = summaryOfFirst) => {
  const summary = await summaryOf(temp);
  if (summary !== undefined) await temp.another().remove(summary.id);
};
/** The originals are back in place, and in the archive, too. */
const restoreHalfWay = async (temp: TempStore) => {
  using _ = replace("removeFile", () => () => {
    throw new Killed();
  });
  await temp.another().restore(29).catch(() => {});
};

/** What is done, to what, and of what nothing may be left afterwards, once it was begun. */
const DEEDS: Record<string, {
  prepare: Array<(temp: TempStore) => Promise<unknown>>;
  act: (temp: TempStore) => Promise<unknown>;
  forgotten?: Observation[];
}> = {
  "compact()": { prepare: [], act: compactAll },
  "restore()": { prepare: [compactAll], act: (temp) => temp.another().restore(29) },
  "archiveBeyond()": { prepare: [compactAll], act: evictAll },
  "restore() of archived summaries": {
    prepare: [compactAll, evictAll],
    act: (temp) => temp.another().restore(29),
  },
  "remove() of an original": {
    prepare: [compactAll],
    act: (temp) => temp.another().remove(third.id),
    forgotten: [third],
  },
  "remove() of an original in an archived summary": {
    prepare: [compactAll, evictAll],
    act: (temp) => temp.another().remove(third.id),
    forgotten: [third],
  },
  "remove() of an original that the summary says short": {
    prepare: [compactAll],
    act: (temp) => temp.another().remove(shorter.id),
    forgotten: [shorter],
  },
  "remove() of an original that is back in place": {
    prepare: [compactAll, restoreHalfWay],
    act: (temp) => temp.another().remove(heron.id),
    forgotten: [heron],
  },
  "remove() of a summary": {
    prepare: [compactAll],
    act: (temp) => forgetSummary(temp),
    forgotten: mixed.slice(0, 4),
  },
  "remove() of a summary that has lost some of it": {
    prepare: [compactAll],
    act: (temp) => forgetSummary(temp, summaryOfHeron),
    forgotten: mixed.slice(6, 10),
  },
};

for (const [what, { prepare, act, forgotten = [] }] of Object.entries(DEEDS)) {
  Deno.test(`${what} of what was compacted, killed at any write, loses nothing`, async () => {
    const staying = mixed.filter((each) => !forgotten.includes(each));
    let writes = 0;
    for (let isThrough = false; !isThrough; writes++) {
      using temp = new TempStore();
      write(temp, mixed);
      for (const step of prepare) await step(temp);
      {
        using killer = dieAfter(writes);
        await act(temp).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        isThrough = !killer.isDead;
      }
      await assertAll(temp, staying, `dead at write ${writes}`);
      await act(temp).catch(() => {});
      await assertAll(temp, staying, `done after write ${writes}`);
      for (const { id, content } of forgotten) {
        assertEquals(pathsWith(temp, id), [], `after write ${writes}`);
        const isSaid = staying.some((each) => each.content.includes(content));
        if (!isSaid) assertEquals(pathsWith(temp, content), [], `after write ${writes}`);
      }
      assertEquals(await temp.another().store(mixed), [], "it is known");
      await temp.another().restore(29);
      const back = await temp.another().getByIssue(29);
      assertEquals(
        back.map((each) => JSON.stringify(each)),
        staying.map((each) => JSON.stringify(each)),
      );
    }
    assert(writes > 3, `only ${writes} writes`);
  });
}

Deno.test("remove() of a summary leaves nothing of it in parts of the archive, wherever it is killed", async () => {
  const all = Array.from(
    { length: 60 },
    (_, index) =>
      sample(long(`bird${index}x`), {
        sessionId: `session-${Math.floor(index / 2)}`,
        timestamp: longAgo(index),
      }),
  );
  let writes = 0;
  for (let isThrough = false; !isThrough; writes++) {
    using temp = await compacted(all);
    const [summary] = await summariesIn(temp);
    assert(temp.names().length > 0 && archivedWhole(temp).length === 60);
    {
      using killer = dieAfter(writes);
      await temp.another().remove(summary.id).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      isThrough = !killer.isDead;
    }
    await temp.another().remove(summary.id);
    for (const id of summary.replaces!) {
      const { content } = all.find((each) => each.id === id)!;
      assertEquals(pathsWith(temp, content.slice(0, 60)), [], `after write ${writes}`);
    }
    await assertAll(temp, all.filter(({ id }) => !summary.replaces!.includes(id)));
  }
  assert(writes > 6, `only ${writes} writes`);
});

Deno.test("remove() leaves nothing in what a death before it left behind", async () => {
  const all = old(120);
  const gone = all[7];
  for (const deed of [compactAll, evictAll]) {
    let isThrough = false;
    for (let writes = 0; !isThrough; writes++) {
      using temp = new TempStore();
      await temp.store.store(all.slice(0, 40));
      for (const from of [40, 80]) await temp.another().store(all.slice(from, from + 40));
      await temp.another().close();
      {
        using killer = dieAfter(writes);
        await deed(temp).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        isThrough = !killer.isDead;
      }
      await temp.another().remove(gone.id);
      assertEquals(pathsWith(temp, gone.content), [], `after write ${writes}`);
    }
  }
});

Deno.test("renumber() of what was compacted, killed at any write, takes along what summaries say", async () => {
  const contents = (list: readonly Observation[]) => list.map(({ content }) => content);
  const numbers = new Map([["aaaa", 31]]);
  const stayed = mixed.filter(({ issueUid }) => issueUid === undefined);
  for (let writes = 0, isThrough = false; !isThrough; writes++) {
    using temp = await compacted(mixed);
    {
      using killer = dieAfter(writes);
      await temp.another().renumber(numbers).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      isThrough = !killer.isDead;
    }
    await temp.another().renumber(numbers);
    for (const issue of [31, 29]) await temp.another().restore(issue);
    const moved = await temp.another().getByIssue(31);
    assertEquals(contents(moved), contents(mixed.filter((each) => !stayed.includes(each))));
    assertEquals(await temp.another().getByIssue(29), stayed);
  }
});

Deno.test("compact() goes on where time went by, and restore() brings back all of it", async () => {
  const all = old(40).map((each, index) => ({ ...each, timestamp: longAgo(index * 24 * 60) }));
  using temp = await compacted(all);
  const before = await summariesIn(temp);
  using _ = replace("now", () => () => SAMPLE_TIME_MS + 20 * DAY_MS);
  await compactAll(temp);
  const after = await summariesIn(temp);
  assertEquals(before.filter(({ id }) => !after.some((other) => other.id === id)), []);
  await assertAll(temp, all);
  await temp.another().restore(29);
  assertEquals(await temp.another().getByIssue(29), all);
});

/** As `compact()` of this release, and of the one before, left an issue: what is there has to be read for ever. */
for (const form of ["joined", "whole"]) {
  Deno.test(`restore() brings back what was compacted in the form that has originals ${form}`, async () => {
    const fixture = (name: string) =>
      Deno.readTextFileSync(new URL(`./compacted/${name}`, import.meta.url));
    using temp = new TempStore();
    Deno.mkdirSync(`${temp.folder}/archive`, { recursive: true });
    temp.write(FILE, fixture(`${form}/issue.txt`));
    temp.write(ARCHIVE, fixture(`${form}/archive.txt`));
    const before = fixture("before.txt");
    await assertAll(temp, JSON.parse(before).observations);
    await temp.another().restore(29);
    assertEquals(temp.read(FILE), before);
    assertEquals(temp.notices, []);
  });
}

/** Rewrites the file of the issue as a hand does. */
function edit(temp: TempStore, change: (observation: Observation) => Observation | undefined) {
  const file = JSON.parse(temp.read(FILE));
  temp.write(FILE, { ...file, observations: file.observations.map(change).filter(Boolean) });
}

Deno.test("restore() brings back what a hand made of a piece of a summary", async () => {
  using temp = await compacted(old(4));
  edit(temp, (each) => ({ ...each, content: each.content.replace("quetzal2x", "quagga") }));
  await temp.another().restore(29);
  const back = await temp.another().getByIssue(29);
  assertEquals(back.map(({ content }) => /qu\w+/.exec(content)?.[0]), [
    "quetzal0x",
    "quetzal1x",
    "quagga",
    "quetzal3x",
  ]);
  assertEquals(pathsWith(temp, "quetzal2x"), []);
});

for (
  const [what, change] of Object.entries({
    "has lost a piece": (text: string) => text.split("\n").slice(1).join("\n"),
    "has got a piece": (text: string) => `${text}\n- error: it rains`,
    "begins in another way": (text: string) => `So it was: ${text}`,
    "is of another day": (text: string) => text.replaceAll("2025", "2024"),
  })
) {
  Deno.test(`restore() keeps a summary that was edited and ${what}, and brings back the rest`, async () => {
    using temp = await compacted(mixed);
    const summary = (await summaryOfFirst(temp))!;
    const content = change(summary.content);
    edit(temp, (each) => each.id === summary.id ? { ...each, content } : each);
    const before = [temp.read(FILE), temp.read(ARCHIVE)];
    assertEquals(await temp.another().getById(third.id), null);
    assertEquals(await temp.another().remove(third.id), false);
    assertEquals([temp.read(FILE), temp.read(ARCHIVE)], before);
    await temp.another().restore(29);
    const back = await temp.another().getByIssue(29);
    assertEquals(back.find(({ id }) => id === summary.id)?.content, content);
    await assertAll(temp, mixed.filter(({ id }) => !summary.replaces!.includes(id)));
    assertEquals((await temp.another().search("quetzal3x")).map(({ id }) => id), [summary.id]);
    assert(temp.notices.some((notice) => notice.includes(`Kept "${summary.id}"`)));
  });
}

Deno.test("remove() of what an edited summary says, too, is refused: the rest of it would be lost", async () => {
  using temp = await compacted(mixed);
  const id = archivedWhole(temp)[0];
  const summary = (await summariesIn(temp)).find(({ replaces }) => replaces?.includes(id))!;
  const content = `So it was: ${summary.content}`;
  edit(temp, (each) => each.id === summary.id ? { ...each, content } : each);
  const before = [temp.read(FILE), temp.read(ARCHIVE)];
  const { message } = await refusal("INVALID_INPUT", () => temp.another().remove(id));
  assert(message.includes(summary.id), message);
  assertEquals([temp.read(FILE), temp.read(ARCHIVE)], before);
  await temp.another().remove(summary.id);
  assertEquals(pathsWith(temp, "So it was"), []);
});

Deno.test("a summary that was deleted by hand is gone with what it says, and nothing else", async () => {
  using temp = await compacted(mixed);
  const { id, replaces = [] } = (await summaryOfFirst(temp))!;
  edit(temp, (each) => each.id === id ? undefined : each);
  assertEquals(await temp.another().search("quetzal2x"), []);
  assertEquals(await temp.another().getById(third.id), null);
  assertEquals(pathsWith(temp, "quetzal2x"), []);
  await temp.another().restore(29);
  const left = mixed.filter((each) => !replaces.includes(each.id));
  assertEquals(await temp.another().getByIssue(29), left);
});

/** What somebody does on one branch. */
const BRANCHES: Record<string, (temp: TempStore) => Promise<unknown>> = {
  nothing: async () => {},
  compact: compactAll,
  undo: (temp) => temp.another().restore(29),
  forget: (temp) => temp.another().remove(third.id),
  "compact and forget": async (temp) => {
    await compactAll(temp);
    await temp.another().remove(third.id);
  },
  "compact, forget and undo": async (temp) => {
    await compactAll(temp);
    await temp.another().remove(third.id);
    await temp.another().restore(29);
  },
  "forget another": (temp) => temp.another().remove(mixed[1].id),
  "forget a summary": async (temp) => {
    await compactAll(temp);
    await forgetSummary(temp);
  },
  retract: (temp) => temp.another().retract(third.id, "wrong").catch(() => {}),
  evict: (temp) => temp.another().archiveBeyond(1),
  "add and compact": async (temp) => {
    const store = temp.another();
    await store.store(old(3, { sessionId: "session-0" }));
    await store.close();
    await store.compact(29);
  },
};
const FORGOTTEN: Record<string, Observation[]> = {
  forget: [third],
  "forget another": [mixed[1]],
  "compact and forget": [third],
  "compact, forget and undo": [third],
  "forget a summary": mixed.slice(0, 4),
};

const textOf = (temp: TempStore, path: string) => {
  try {
    return temp.read(path);
  } catch {
    return "";
  }
};

for (const isCompacted of [false, true]) {
  Deno.test(`merges of branches that ${isCompacted ? "had" : "had not"} compacted lose nothing`, async () => {
    using base = new TempStore();
    write(base, mixed);
    if (isCompacted) await compactAll(base);
    const texts = [FILE, ARCHIVE].map((path) => textOf(base, path));
    const sides = new Map<string, string[]>();
    for (const [name, act] of Object.entries(BRANCHES)) {
      using side = new TempStore();
      side.write(FILE, texts[0]);
      Deno.mkdirSync(`${side.folder}/archive`);
      if (isCompacted) side.write(ARCHIVE, texts[1]);
      await act(side);
      sides.set(name, [FILE, ARCHIVE].map((path) => textOf(side, path)));
    }
    for (const [ours, oursTexts] of sides) {
      for (const [theirs, theirsTexts] of sides) {
        const message = `${ours} and ${theirs}`;
        using clone = new TempStore();
        Deno.mkdirSync(`${clone.folder}/archive`, { recursive: true });
        for (const [index, path] of [FILE, ARCHIVE].entries()) {
          const [one, other] = [oursTexts[index], theirsTexts[index]];
          const isGone = one === "" || other === "";
          const merged = isGone ? one || other : mergeFile(["--union"], one, texts[index], other);
          if (merged !== "") clone.write(path, merged);
        }
        const gone = [...FORGOTTEN[ours] ?? [], ...FORGOTTEN[theirs] ?? []];
        const staying = mixed.filter((each) => !gone.includes(each));
        for (const each of staying) {
          const found = await clone.another().getById(each.id);
          assertEquals(
            { ...found, retracted: undefined },
            { ...each, retracted: undefined },
            message,
          );
        }
        const wasArchived = textOf(clone, ARCHIVE) !== "";
        await clone.another().restore(29);
        const back = await clone.another().getByIssue(29);
        for (const each of staying) {
          const found = back.find(({ id }) => id === each.id);
          assertEquals(
            { ...found, retracted: undefined },
            { ...each, retracted: undefined },
            message,
          );
        }
        assertEquals(back.filter(({ id }) => gone.some((each) => each.id === id)), [], message);
        for (const { id } of wasArchived ? gone : []) {
          assert(!clone.read(FILE).includes(id), message);
        }
        assertEquals(clone.notices, [], message);
      }
    }
  });
}

Deno.test("a summary that another branch forgot keeps what only it says, until that is back", async () => {
  const all = old(12, { sessionId: "one" });
  const [gone, kept] = [all[0], all[11]];
  const retracted = { because: "wrong", timestamp: longAgo(1) };
  const between = all.slice(2, 10).map((each) => ({ ...each, retracted }));
  const begin = [gone, ...between, kept];
  using ours = await compacted(begin);
  using base = new TempStore();
  write(base, begin);
  await compactAll(base);
  await base.another().remove(gone.id);
  await base.another().restore(29);
  using plain = new TempStore();
  write(plain, begin);
  const text = mergeFile(["--union"], base.read(FILE), plain.read(FILE), ours.read(FILE));
  assertEquals([gone, kept].filter(({ id }) => text.includes(`{"id":"${id}"`)), []);
  ours.write(FILE, text);
  const later = sample("Later");
  await ours.another().store([later]);
  await ours.another().close();
  await ours.another().retract(later.id, "wrong");
  await ours.another().repair();
  assertEquals(await ours.another().search("quetzal11x"), []);
  await assertAll(ours, [kept]);
  assertEquals(await ours.another().remove(gone.id), true);
  assertEquals(pathsWith(ours, gone.content), []);
  await assertAll(ours, [kept]);
  await ours.another().restore(29);
  const back = await ours.another().getByIssue(29);
  assertEquals(back.map(({ id }) => id), [...between, kept, later].map(({ id }) => id));
});
