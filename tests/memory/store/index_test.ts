/**
 * The index is derived: whatever happens to it, what is asked is answered by what the files say.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { encodeLine, type Line } from "../../../lib/lines/line.ts";
import type { Observation } from "../../../lib/memory/schema.ts";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { IndexFiles } from "../../../lib/memory/store/index_files.ts";
import { Sources } from "../../../lib/memory/store/sources.ts";
import { JsonObservationStore } from "../../../lib/memory/store/store.ts";
import { changeOf, lineOf } from "../../../lib/memory/memory_line.ts";
import { tombstoneOf } from "../../../lib/memory/store/tombstones.ts";
import { fault, replace } from "../../lock/faults.ts";
import { sample, SAMPLE_TIME_MS, samples, TempStore } from "../temp_store.ts";

const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

const databaseOf = (temp: TempStore) =>
  `${temp.root}/state/${Deno.readTextFileSync(`${temp.root}/state/index.current`).split(" ")[0]}`;

async function filled(): Promise<TempStore> {
  const temp = new TempStore();
  await temp.store.store([...samples(20), sample("The retry queue doubles its delay")]);
  await temp.store.close();
  return temp;
}

async function assertFound(temp: TempStore): Promise<void> {
  const store = temp.another();
  assertEquals(
    (await store.search("retry queue"))[0]?.summary,
    "The retry queue doubles its delay",
  );
  assertEquals((await store.listAll()).length, 21);
  await store.close();
}

const HARM: Record<string, (temp: TempStore) => void> = {
  "gone": (temp) => Deno.removeSync(databaseOf(temp)),
  "empty": (temp) => Deno.truncateSync(databaseOf(temp)),
  "cut off": (temp) => Deno.truncateSync(databaseOf(temp), 5_000),
  "something else": (temp) => Deno.writeTextFileSync(databaseOf(temp), "garbage ".repeat(4_000)),
  "not named": (temp) => Deno.removeSync(`${temp.root}/state/index.current`),
  "named by nonsense": (temp) =>
    Deno.writeTextFileSync(`${temp.root}/state/index.current`, "../x 1\n"),
  "another one under its name": (temp) => {
    const path = databaseOf(temp);
    Deno.writeFileSync(path, Deno.readFileSync(path).fill(0, 60, 64)); // the number in the first page
  },
  "of an earlier form": (temp) => {
    const path = databaseOf(temp);
    const database = new DatabaseSync(path);
    database.exec("DROP TABLE failure");
    database.close();
    const [name, number] = Deno.readTextFileSync(`${temp.root}/state/index.current`).split(" ");
    const earlier = name.replace(/^index-\d+-/, "index-");
    Deno.renameSync(path, `${temp.root}/state/${earlier}`);
    Deno.writeTextFileSync(`${temp.root}/state/index.current`, `${earlier} ${number}`);
  },
};

for (const [what, harm] of Object.entries(HARM)) {
  Deno.test(`an index that is ${what} is made anew`, async () => {
    using temp = await filled();
    harm(temp);
    await assertFound(temp);
    const left = Array.from(Deno.readDirSync(`${temp.root}/state`), ({ name }) => name);
    assertEquals(left.filter((name) => name.startsWith("index-")).length, 1, left.join());
    assertEquals(temp.notices, []);
  });
}

Deno.test("an index whose maker was killed is resumed, and says the same as one made at once", async () => {
  using temp = new TempStore();
  const all = Array.from(
    { length: 24_000 },
    (_, at) => sample(`The part ${at} of queue ${at % 7}`),
  );
  const wrong = all[0] = sample("A zebra waits in the queue");
  const state = `${temp.root}/state`;
  Deno.mkdirSync(`${temp.folder}/2026-02`, { recursive: true });
  Deno.mkdirSync(state);
  const forget = changeOf(wrong.id, tombstoneOf(wrong), { by: "memory", time: wrong.timestamp });
  const lines = [...all.slice(0, 9_000).map((one) => lineOf(one)), forget];
  for (const [name, part] of [["a", lines], ["b", all.slice(9_000).map((one) => lineOf(one))]]) {
    const text = (part as Line[]).map((line) => `${encodeLine(line)}\n`).join("");
    Deno.writeTextFileSync(`${temp.folder}/2026-02/${name}.jsonl`, text);
  }
  const draft = `${state}/index.draft.new`;
  const maker = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", import.meta.resolve("./index_maker.ts"), temp.root],
  }).spawn();
  while (committedIn(draft).rows === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  maker.kill("SIGKILL");
  await maker.status;
  const { number, rows } = committedIn(draft);
  assert(rows > 0 && rows < all.length, `${rows} of ${all.length} were known`);
  const store = temp.another();
  const found = ids(await store.search("part 8999 queue"));
  assertEquals(Deno.readTextFileSync(`${state}/index.current`).split(" ")[1], `${number}\n`);
  assertEquals((await store.listAll()).map(({ id }) => id), ids(all.slice(1)));
  assertEquals(ids(await store.search("zebra")), []);
  await store.rebuild();
  assertEquals(ids(await store.search("part 8999 queue")), found);
  const left = Array.from(Deno.readDirSync(state), ({ name }) => name);
  assertEquals(left.filter((name) => name.startsWith("index")).length, 2, left.join());
  await store.close();
});

/** What a draft holds by now, and its number. */
function committedIn(path: string): { rows: number; number: number } {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const rows = Number(database.prepare("SELECT count(*) AS n FROM doc").get()?.n);
      return { rows, number: Number(database.prepare("PRAGMA user_version").get()?.user_version) };
    } finally {
      database.close();
    }
  } catch {
    return { rows: 0, number: 0 }; // it is not there yet, or being written
  }
}

Deno.test("a rebuild whose draft another process removes, since it forgets something, makes it again", async () => {
  using temp = await filled();
  class Removing extends FileLockManager {
    override withSafeLock<T>(...args: Parameters<FileLockManager["withSafeLock"]>): Promise<T> {
      if (args[0].endsWith("/index.current")) {
        Deno.removeSync(`${temp.root}/state/index.draft.new`);
      }
      return super.withSafeLock(...args) as Promise<T>;
    }
  }
  const recallsPath = `${temp.root}/state/memory-recalls.json`;
  await new JsonObservationStore(temp.folder, new Removing(), { recallsPath }).rebuild();
  await assertFound(temp);
  assertEquals(temp.notices, []);
});

Deno.test("the journal of an old index beside a new one changes nothing", async () => {
  using temp = await filled();
  const old = `${temp.root}/old.db`;
  const database = new DatabaseSync(old);
  database.exec(
    "CREATE TABLE a (b); PRAGMA cache_size = 1; BEGIN; INSERT INTO a VALUES (randomblob(90000))",
  );
  database.exec("UPDATE a SET b = randomblob(90000)");
  const journal = Deno.readFileSync(`${old}-journal`);
  database.exec("ROLLBACK");
  database.close();
  Deno.writeFileSync(`${databaseOf(temp)}-journal`, journal);
  await assertFound(temp);
});

const UNUSABLE: Record<string, (temp: TempStore) => Disposable> = {
  "locked": (temp) => {
    Deno.writeTextFileSync(`${temp.folder}/2026-02/zz.jsonl`, "");
    const database = new DatabaseSync(databaseOf(temp));
    database.exec("BEGIN EXCLUSIVE");
    return { [Symbol.dispose]: () => database.close() };
  },
  "in a folder where nobody may write": (temp) => {
    Deno.removeSync(`${temp.root}/state/index.current`);
    return replace("writeNewFile", (real) => (path, ...rest) => {
      if (path.includes("/index.")) throw fault("EACCES");
      real(path, ...rest);
    });
  },
};

for (const [what, spoil] of Object.entries(UNUSABLE)) {
  Deno.test(`where the index is ${what}, all is ranked in memory, and one line says so`, async () => {
    using temp = await filled();
    using _ = spoil(temp);
    temp.notices.length = 0;
    await assertFound(temp);
    assertEquals(
      temp.notices.filter((each) => each.startsWith("Memory is searched without")).length,
      1,
    );
    assertEquals(temp.notices.length, 1, temp.notices.join());
  });
}

const WORDS = "cache lock queue retry parser token index merge worker session".split(" ");

Deno.test("added and removed lines leave the index equal to a fresh one, and to the one in memory", async () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("store"), at: fc.nat(40) }) },
    fc.record({
      kind: fc.constantFrom("remove", "retract", "anchor", "compact", "restore", "pull", "leave"),
      at: fc.nat(40),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      using temp = new TempStore();
      using far = new TempStore();
      let made: Observation[] = [];
      for (const { kind, at } of steps) {
        const store = temp.another();
        const id = made[at % Math.max(1, made.length)]?.id;
        const fresh = () =>
          samples(1 + at % 4, {
            timestamp: new Date(SAMPLE_TIME_MS - (at % 3) * 90 * 86_400_000).toISOString(),
            sessionId: `s${at % 3}`,
          }).map((each, index) => ({
            ...each,
            content: `${WORDS[(at + index) % 10]} ${WORDS[at % 7]} ${each.id}`,
          }));
        if (kind === "store") made = [...made, ...await store.store(fresh())];
        if (kind === "pull") {
          await far.another().store(fresh());
          for (const [path, text] of Object.entries(far.snapshot())) {
            if (!path.endsWith(".jsonl")) continue;
            Deno.mkdirSync(`${temp.folder}/2026-02`, { recursive: true });
            Deno.writeTextFileSync(`${temp.folder}/2026-02/far.jsonl`, text);
          }
        }
        if (kind === "leave") await Deno.remove(`${temp.folder}/2026-02/far.jsonl`).catch(() => {});
        if (kind === "compact") await store.compact(29);
        if (kind === "restore") await store.restore(29);
        if (id !== undefined && await store.getById(id) !== null) {
          if (kind === "remove") await store.remove(id);
          if (kind === "retract") await store.retract(id, "Wrong");
          if (kind === "anchor") await store.reanchor(id, { commit: "abc", anchors: [] });
        }
        await store.search("lock");
        await store.close();
      }
      const answers = async () => {
        const store = temp.another();
        const hits = await Promise.all(
          WORDS.slice(0, 4).map((word) => store.search(`${word} lock`, 50)),
        );
        const all = (await store.listAll()).toSorted((a, b) => a.id < b.id ? -1 : 1);
        const lists = ids(await store.searchByFilters({ agent: "engineer" })).sort();
        await store.close();
        return { hits: hits.map((each) => ids(each).sort()), all, lists };
      };
      const before = await answers();
      await temp.another().rebuild();
      assertEquals(await answers(), before);
      Deno.removeSync(`${temp.root}/state/index.current`);
      using _ = replace("writeNewFile", (real) => (path, ...rest) => {
        if (path.includes("/index.")) throw fault("EACCES");
        real(path, ...rest);
      });
      assertEquals(await answers(), before);
    }),
    { numRuns: 25 },
  );
});

Deno.test("an observation written during the first search is found, without a note", async () => {
  using temp = new TempStore();
  await temp.store.store(samples(2));
  await temp.store.close();
  class EmptyAtFirst extends Sources {
    #isAsked = false;
    override list() {
      const all = this.#isAsked ? super.list() : [];
      this.#isAsked = true;
      return all;
    }
  }
  const said: string[] = [];
  const state = `${temp.root}/state`;
  const files = new IndexFiles(state, new EmptyAtFirst(temp.folder, `${state}/lines`), {
    locks: new FileLockManager(),
    tell: (message) => said.push(message),
  });
  assertEquals(await files.look((index) => index.totals().count), 2);
  assertEquals(said, []);
});
