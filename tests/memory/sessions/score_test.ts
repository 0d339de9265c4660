import { assert, assertEquals } from "@std/assert";
import { junkReason } from "./junk.ts";
import { normalise, renderScores, scoreSession, scoreSessions } from "./score.ts";
import { type Half, type LabelledSession, readSessions } from "./sessions.ts";

const SESSION: LabelledSession = {
  name: "made.md",
  tool: "chat-markdown",
  text: "",
  facts: [
    {
      category: "decision",
      text: "we stay on version 6 until the migration",
      any: ["version 6 is kept until the move is done"],
    },
    { category: "error", text: "the pool is exhausted after ten failing calls" },
  ],
  junk: ["heartbeat ok from worker"],
};

Deno.test("scoreSession() finds a fact in a longer observation, whatever its markup", () => {
  const score = scoreSession(SESSION, [
    {
      category: "error",
      content: "So **the pool** is\n exhausted after `ten` failing calls, always.",
    },
  ]);
  assertEquals([score.found, score.byCategory.error.found, score.rightCategory], [1, 1, 1]);
  assertEquals(score.missed, ["we stay on version 6 until the migration"]);
});

Deno.test("scoreSession() finds a fact by an alternative, and by a long part of it", () => {
  const score = scoreSession(SESSION, [
    { category: "key-fact", content: "Version 6 is kept until the move is done" },
    { category: "error", content: "pool is exhausted after ten failing" },
  ]);
  assertEquals([score.found, score.carrying, score.rightCategory], [2, 2, 1]);
});

Deno.test("scoreSession() does not count a short part", () => {
  assertEquals(
    scoreSession(SESSION, [{ category: "error", content: "ten failing calls" }]).found,
    0,
  );
});

Deno.test("scoreSession() counts junk of the session with its reason", () => {
  const score = scoreSession(SESSION, [
    { category: "key-fact", content: "There was a heartbeat OK from worker 7 at noon" },
    { category: "decision", content: "We stay on version 6 until the migration." },
  ]);
  assertEquals([score.items, score.junk, score.junkReasons], [2, 1, { labelled: 1 }]);
});

Deno.test("junkReason() knows what nobody wants to read", () => {
  const cases: [string, string][] = [
    ["2026-03-04T10:22:31.123Z INFO [queue-3] job 4412 completed in 132ms", "log line"],
    ["at Pool.acquire (/app/src/pool.js:120:14)", "log line"],
    [
      "npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported",
      "log line",
    ],
    ["ok 12 - keeps the lock of a successor", "log line"],
    ["release() leaves the lock of a successor ... ok (61ms)", "log line"],
    ["const previous = await queue.getJob(jobId)", "code"],
    ["if (age > this.staleMs) await sys.remove(path);", "code"],
    ["({ a: [1, 2], b: '-' }) => [...c]", "code"],
    ["because it throws before the release", "fragment"],
    ["Two options", "fragment"],
    ["and then it failed", "fragment"],
    ["Here is what I would change in the pool:", "fragment"],
    ["<system-reminder>Your todo list is empty</system-reminder>", "scaffolding"],
    ["No errors found in the log.", "empty"],
    ["Thanks, looks good!", "empty"],
    ["Let me first look at the configuration of the pool.", "empty"],
    ["All tests pass.", "empty"],
  ];
  for (const [content, reason] of cases) {
    assertEquals([content, junkReason(content)], [content, reason]);
  }
});

Deno.test("junkReason() leaves what a colleague wants to know", () => {
  const contents = [
    "The pool is exhausted because `cancel()` throws before `release()`.",
    "`src/db/pool.ts`: the queue is limited to 500 waiters",
    "- **Root cause** - every edit queued a further job",
    "use a deterministic id, not debounce",
    "I'll go to 3.3.0 as the binding order was corrected there.",
    "No errors are reported when the glob matches nothing",
    "Error: EMFILE: too many open files, watch 'content/assets'",
    "knex upgraded from 3.2.6 to 3.3.0",
    "but the originals have to remain on the device for 30 days",
    "ok leave it at 6.9 until the migration",
    "Let me look at the pool first. It leaks a connection when the order is unknown.",
    "The image is from 2021 and does not know checksums. Bump it:",
    "chokidar 4 removed glob support.",
  ];
  for (const content of contents) assertEquals([content, junkReason(content)], [content, null]);
});

for (const half of ["dev", "held_out"] as Half[]) {
  Deno.test(`sessions of ${half}: every fragment is in its session, of a fair length`, () => {
    for (const session of readSessions(half)) {
      const said = normalise(allStrings(session).join("\n"));
      assert(session.facts.length >= 8 && session.facts.length <= 25, session.name);
      for (const fact of session.facts) {
        for (const fragment of [fact.text, ...fact.any ?? []]) {
          assert(said.includes(normalise(fragment)), `${session.name}: ${fragment}`);
          assert(fragment.length >= 25 && fragment.length <= 200, fragment);
          assertEquals([fragment, junkReason(`It says ${fragment} now`, session.junk)], [
            fragment,
            null,
          ]);
        }
      }
      for (const fragment of session.junk) assert(said.includes(normalise(fragment)), fragment);
    }
  });

  Deno.test(`sessions of ${half}: at least ten, of 8 to 80 kB`, () => {
    const sessions = readSessions(half);
    assert(sessions.length >= 10);
    for (const { name, text } of sessions) {
      assert(text.length >= 8_000 && text.length <= 80_000, `${name}: ${text.length}`);
    }
  });
}

Deno.test("scoreSessions() gives everything to an oracle and little to its neighbours", () => {
  const sessions = readSessions("dev");
  const oracle = new Map(sessions.map((session) => [session.name, session.facts]));
  const best = scoreSessions(
    sessions,
    (name) =>
      oracle.get(name)!.map(({ category, text }) => ({ category, content: `Note: ${text}.` })),
  );
  assertEquals([best.total.found, best.total.rightCategory], [
    best.total.facts,
    best.total.carrying,
  ]);
  assertEquals(best.total.junk, 0);
  const lines = scoreSessions(
    sessions,
    (_name, text) => text.split("\n").map((content) => ({ category: "key-fact", content })),
  );
  assert(lines.total.junk / lines.total.items > 0.5, renderScores(lines));
});

/** What is said in a file of whatever format, without the marks at the start of markdown lines. */
function allStrings({ name, text }: LabelledSession): string[] {
  if (name.endsWith(".md")) return text.split("\n").map((line) => line.replace(/^(#{1,6}|>) /, ""));
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string") found.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  const texts = name.endsWith(".jsonl") ? text.trimEnd().split("\n") : [text];
  texts.forEach((json, index) => {
    try {
      visit(JSON.parse(json));
    } catch (error) {
      // A session that was cut off ends in half a line.
      if (index !== texts.length - 1 || index === 0) throw error;
    }
  });
  return found;
}
