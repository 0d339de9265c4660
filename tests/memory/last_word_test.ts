import { assertEquals } from "@std/assert";
import { claimOf, relationOf } from "../../lib/memory/last_word.ts";
import { remembered } from "./session_of.ts";

/** What was said, and what was said later. */
export const CORRECTIONS: readonly [string, string][] = [
  [
    "The client must make 3 retries before it gives up.",
    "The client must make 5 retries before it gives up.",
  ],
  ["We decided on 3 retries for the upload.", "Upload uses 5 retries, because 3 were not enough."],
  [
    "Timeout of the health check must be 30 seconds.",
    "Timeout of the health check must be 60 seconds.",
  ],
  ["The service always runs on Node 18.", "The service always runs on Node 20."],
  ["Keep knex pinned to 3.2.6.", "Keep knex pinned to 3.3.0."],
  ["Sessions must be kept in Redis.", "Sessions must be kept in Postgres."],
  ["Use Redis for the job queue.", "Use Postgres instead of Redis for the job queue."],
  ["The flag should always be called --dry-run.", "The flag should always be called --preview."],
  ["Keep the fuzzy search on the handbook.", "Don't keep the fuzzy search on the handbook."],
  ["Logs always contain bodies of requests.", "Logs never contain bodies of requests."],
  [
    "Sorting is needed in the session list.",
    "Sorting is not needed in the session list, only dates.",
  ],
  [
    "Keep elysia-protobuf pinned to a commit.",
    "elysia-protobuf is no longer pinned to a commit, it follows master.",
  ],
  [
    "The default folder must be `history` for sync.",
    "The default folder must be `.ai/history` for sync.",
  ],
  ["Deploys always go out on Friday.", "Deploys always go out on Monday."],
  ["The API must listen on port 8080.", "The API must listen on port 9090."],
  ["Use REST between the services.", "Use gRPC between the services."],
  [
    "The queue limit must be 500 waiters.",
    "The queue limit must be raised from 500 to 800 waiters.",
  ],
  ["All tables must live in the schema public.", "All tables must live in the schema billing."],
  ["Umlauts must be folded at indexing.", "Umlauts must not be folded at indexing any more."],
  ["The parser must accept comments.", "The parser must not accept comments."],
];

Deno.test("of 20 corrections within a session, the last word is kept, and only that", () => {
  for (const [said, later] of CORRECTIONS) {
    const found = remembered(`user: ${said}`, "assistant: OK.", `user: ${later}`);
    assertEquals(found.map((one) => one.replace(/^[a-z-]+: /, "")), [later]);
  }
});

Deno.test("relationOf() leaves apart what is about something else", () => {
  const apart = [
    ["`src/a.ts`: timeout raised to 30 s", "`src/b.ts`: timeout raised to 60 s"],
    ["Redis is slow at startup.", "Postgres is slow at startup."],
    ["Added gemini to the list of sources.", "Added codex to the list of readers."],
    ["The logo is blue.", "The logo is large."],
    ["Step 3 adds the lock.", "Step 4 adds the lock."],
    ["The pool holds 10 connections.", "The queue holds 500 waiters."],
    ["Never use two locks in the store.", "Never use two clocks in the log."],
    ["The parser accepts comments.", "The printer does not keep comments."],
  ];
  for (const [said, later] of apart) {
    assertEquals([later, relationOf(claimOf(later), claimOf(said))], [later, "other"]);
  }
});

Deno.test("relationOf() says that a repetition is the same, but not where a number differs", () => {
  const said = claimOf("The pool is exhausted because `cancel()` never releases its connection.");
  const again = claimOf("Pool exhausted: `cancel()` never releases its connection, as said.");
  assertEquals(relationOf(again, said), "same");
  const [ten, twelve] = ["10", "12"].map((n) =>
    claimOf(`The pool of the API has ${n} connections.`)
  );
  assertEquals(relationOf(twelve, ten), "replaced");
});

Deno.test("relationOf() is not sure about a name in the middle that nobody called a correction", () => {
  const [one, other] = ["Redis", "Memcached"].map((name) =>
    claimOf(`We measured ${name} for the cache.`)
  );
  assertEquals(relationOf(other, one), "unsure");
});
