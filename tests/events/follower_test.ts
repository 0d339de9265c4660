import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { AgentxError } from "../../lib/base/errors.ts";
import { LogFollower } from "../../lib/events/follower.ts";
import { EventLog } from "../../lib/events/log.ts";
import { sys } from "../../lib/sys/mod.ts";
import { replace } from "../lock/faults.ts";
import { often } from "../often.ts";

const NOON = Date.UTC(2026, 1, 26, 12);
const TODAY = "2026-02-26.jsonl";

/** A log folder with a clock, and a follower that starts when it is asked for. */
class TempLog implements Disposable {
  readonly folder = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  readonly warnings: string[] = [];
  nowMs = NOON;
  readonly #clock = replace("now", () => () => this.nowMs);
  readonly #log = new EventLog(this.folder, { warn: () => {} });

  /** Appends a line a second later than the one before. */
  write(operation: string): void {
    this.nowMs += 1_000;
    this.#log.write(operation, { agent: "engineer" });
  }

  append(text: string, name = TODAY): void {
    Deno.writeTextFileSync(`${this.folder}/${name}`, text, { append: true });
  }

  /** Puts another file in its place. */
  replace(text: string): void {
    Deno.writeTextFileSync(`${this.folder}/fresh`, text);
    Deno.renameSync(`${this.folder}/fresh`, `${this.folder}/${TODAY}`);
  }

  empty(): void {
    Deno.truncateSync(`${this.folder}/${TODAY}`);
  }

  remove(): void {
    Deno.removeSync(`${this.folder}/${TODAY}`);
  }

  text(): string {
    return Deno.readTextFileSync(`${this.folder}/${TODAY}`);
  }

  /** Begins to follow; each call of the result gives the operations that came since the last. */
  follow(sinceMs?: number): () => string[] {
    const warn = (message: string) => void this.warnings.push(message);
    const follower = new LogFollower(this.folder, { sinceMs, warn });
    return () => Array.from(follower.poll(), ({ operation }) => operation);
  }

  [Symbol.dispose](): void {
    this.#clock[Symbol.dispose]();
    Deno.removeSync(this.folder, { recursive: true });
  }
}

Deno.test("LogFollower.poll() gives each line that came since it began, once", () => {
  using log = new TempLog();
  log.write("before");
  const poll = log.follow();
  assertEquals(poll(), []);
  log.write("a");
  log.write("b");
  assertEquals([poll(), poll()], [["a", "b"], []]);
});

Deno.test("LogFollower.poll() gives the fields of a line", () => {
  using log = new TempLog();
  const follower = new LogFollower(log.folder);
  log.write("lock-waited");
  const time = "2026-02-26T12:00:01.000Z";
  assertEquals([...follower.poll()], [{ time, operation: "lock-waited", agent: "engineer" }]);
});

Deno.test("LogFollower waits for a log that does not exist yet", () => {
  using log = new TempLog();
  Deno.removeSync(log.folder);
  const poll = log.follow();
  assertEquals(poll(), []);
  log.write("first");
  assertEquals([poll(), log.warnings], [["first"], []]);
});

Deno.test("LogFollower begins where it is told to, days ago as well", () => {
  using log = new TempLog();
  for (const operation of ["too old", "old", "new"]) {
    log.nowMs += 3 * 86_400_000;
    log.write(operation);
  }
  log.nowMs += 60_000;
  assertEquals(log.follow(log.nowMs - 61_000)(), ["new"]);
  assertEquals(log.follow(NOON + 4 * 86_400_000)(), ["old", "new"]);
});

Deno.test("LogFollower.poll() goes on in the file of the next day", () => {
  using log = new TempLog();
  const poll = log.follow();
  log.write("evening");
  assertEquals(poll(), ["evening"]);
  log.nowMs += 12 * 3_600_000;
  log.write("morning");
  assertEquals(poll(), ["morning"]);
});

Deno.test("LogFollower.poll() gives a line of yesterday that comes after midnight", () => {
  using log = new TempLog();
  log.write("evening");
  const poll = log.follow();
  log.nowMs += 12 * 3_600_000;
  log.write("morning");
  log.append('{"time":"2026-02-26T23:59:59.999Z","operation":"late"}\n');
  assertEquals(poll(), ["late", "morning"]);
});

Deno.test("LogFollower.poll() waits until a line is whole", () => {
  using log = new TempLog();
  log.write("before");
  const poll = log.follow();
  log.append('{"time":"2026-02-26T12:00:02.000Z","oper');
  assertEquals(poll(), []);
  log.append('ation":"whole"}');
  assertEquals(poll(), []);
  log.append("\n");
  assertEquals(poll(), ["whole"]);
});

Deno.test("LogFollower.poll() gives a line that was half written when it began", () => {
  using log = new TempLog();
  log.write("before");
  log.append('{"time":"2026-02-26T12:00:02.000Z",');
  const poll = log.follow();
  log.append('"operation":"whole"}\n');
  assertEquals(poll(), ["whole"]);
});

Deno.test("LogFollower.poll() finds the line after one that its writer never finished", () => {
  using log = new TempLog();
  const poll = log.follow();
  log.append('{"time":"2026-02-26T12:00:00.000Z","operation":"cut sho');
  log.write("next");
  assertEquals(poll(), ["next"]);
});

Deno.test("LogFollower.poll() leaves out what is no line of the log", () => {
  using log = new TempLog();
  const poll = log.follow();
  log.append('no JSON\n\n[]\nnull\n{"time":1,"operation":"x"}\n{"time":"soon","operation":"x"}\n');
  log.append("\0".repeat(100) + "\n");
  log.write("a line");
  assertEquals([poll(), log.warnings], [["a line"], []]);
});

Deno.test("LogFollower.poll() steps over a line that is longer than any of ours", () => {
  using log = new TempLog();
  const poll = log.follow();
  log.append("x".repeat(600_000));
  assertEquals(poll(), []);
  log.append("x".repeat(600_000) + "\n");
  log.write("next");
  assertEquals(poll(), ["next"]);
});

Deno.test("LogFollower.poll() reads a large log through to its end", () => {
  using log = new TempLog();
  const poll = log.follow(NOON);
  const operations = Array.from({ length: 10_000 }, (_, index) => `operation-${index}`);
  for (const operation of operations) log.write(operation);
  assertEquals(poll(), operations);
});

Deno.test("LogFollower.poll() goes on after the log was removed", () => {
  using log = new TempLog();
  log.write("before");
  const poll = log.follow();
  log.remove();
  assertEquals(poll(), []);
  log.write("fresh");
  assertEquals(poll(), ["fresh"]);
});

Deno.test("LogFollower.poll() notices a log that was removed and begun again in between", () => {
  using log = new TempLog();
  log.write("before");
  const poll = log.follow();
  log.remove();
  for (const operation of ["a", "b", "c"]) log.write(operation);
  assertEquals(poll(), ["a", "b", "c"]);
});

Deno.test("LogFollower.poll() goes on after the log was emptied", () => {
  using log = new TempLog();
  for (const operation of ["a", "b"]) log.write(operation);
  const poll = log.follow();
  log.empty();
  log.write("fresh");
  assertEquals(poll(), ["fresh"]);
});

Deno.test("LogFollower.poll() reads a log that was replaced from its start", () => {
  using log = new TempLog();
  for (const operation of ["a", "b", "c"]) log.write(operation);
  const poll = log.follow();
  const [, ...kept] = log.text().split(/(?<=\n)/);
  log.replace(kept.join(""));
  log.write("e");
  assertEquals([poll(), poll()], [["b", "c", "e"], []]);
});

Deno.test("LogFollower warns once of a log that it cannot read, and reads it when it can", () => {
  using log = new TempLog();
  const poll = log.follow();
  const { readPart } = sys;
  sys.readPart = (path) => {
    const details = { operation: "read", path: TODAY, errno: "EACCES" };
    throw new AgentxError("IO_ERROR", `Cannot read: permission denied ${path.length}`, { details });
  };
  try {
    assertEquals([poll(), poll()], [[], []]);
  } finally {
    sys.readPart = readPart;
  }
  log.write("readable");
  assertEquals([poll(), log.warnings.length], [["readable"], 1]);
});

Deno.test("LogFollower warns of a folder in the place of the log", () => {
  using log = new TempLog();
  Deno.mkdirSync(`${log.folder}/${TODAY}`);
  const poll = log.follow();
  assertEquals([poll(), log.warnings.length], [[], 1]);
});

Deno.test("LogFollower.poll() gives every line once, wherever the writes are cut", () => {
  const anyCuts = fc.array(fc.nat(60), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" }), { maxLength: 8 }),
      anyCuts,
      (names, cuts) => {
        using log = new TempLog();
        const poll = log.follow();
        const time = new Date(NOON).toISOString();
        let bytes = new TextEncoder().encode(
          names.map((operation) => JSON.stringify({ time, operation }) + "\n").join(""),
        );
        const seen: string[] = [];
        for (let i = 0; bytes.length > 0; i++) {
          const length = 1 + cuts[i % cuts.length];
          Deno.writeFileSync(`${log.folder}/${TODAY}`, bytes.subarray(0, length), { append: true });
          bytes = bytes.subarray(length);
          seen.push(...poll());
        }
        assertEquals(seen, names);
      },
    ),
    often(50),
  );
});
