import { assert, assertEquals } from "@std/assert";
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

Deno.test("of 20 corrections within a session only the last word is kept, of most as a decision", () => {
  const kept = CORRECTIONS.filter(([said, later]) => {
    const decided = [said, later].map((each) => `Decision: ${each}`);
    const lines = [`assistant: ${decided[0]}`, "user: go on", `assistant: ${decided[1]}`];
    assertEquals(remembered("user: go", ...lines), [`decision: ${decided[1]}`]);
    const found = remembered(`user: ${said}`, "assistant: OK.", `user: ${later}`);
    assertEquals(found.filter((one) => one !== `decision: ${later}`), []);
    return found.length === 1;
  });
  assert(kept.length >= 12, String(kept.length));
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

/** What was said, and what was said later of the same. */
const SAME_SUBJECT: readonly [string, string][] = [
  [
    "The retry limit of module 19 is 22 because the upstream times out.",
    "The retry limit of module 19 is 32 because the upstream times out.",
  ],
  [
    "The session timeout is 30 minutes.",
    "The session timeout is 15 minutes, because the banks ask for it.",
  ],
  ["Use port 8080 for the proxy.", "Use port 9090 for the proxy."],
  ["Tokens expire after one hour.", "Tokens expire after two hours."],
  ["We cache results for 10 minutes.", "We cache results for 60 seconds."],
  ["The build targets ES2020.", "The build targets ES2022."],
  ["Max upload size is 10 MB.", "Max upload size is 25MB."],
  ["The v2 API returns at most 50 rows a page.", "The v2 API returns at most 100 rows a page."],
  ["Step 3 waits 5 seconds for the lock.", "Step 3 waits 10 seconds for the lock."],
  ["Migrations live in db/migrations.", "Migrations live in src/db/migrations."],
  ["Feature flags are enabled by default.", "Feature flags are disabled by default."],
  ["The worker does retry failed jobs.", "The worker no longer retries failed jobs."],
  ["Coverage must not fall under 80 %.", "Coverage must not fall under 85 %."],
  ["Tests of #12 run against Postgres 14.", "Tests of #12 run against Postgres 16."],
  ["The default branch is called main.", "The default branch is called trunk."],
  ["Passwords are hashed with bcrypt.", "Passwords are hashed with argon2."],
  [
    "The token bucket refills at 100 requests per minute.",
    "The token bucket refills at 60 requests per minute.",
  ],
  ["Backups are kept for 7 days.", "Backups are now kept for 30 days, not 7."],
  ["Prices are stored in cents as integers.", "Prices are not stored in cents as integers."],
  [
    "The pool of the reporting service holds 10 connections.",
    "The pool of the reporting service was raised from 10 to 20 connections.",
  ],
  [
    "We never log request bodies because they hold no value without the headers.",
    "We log request bodies because they hold no value without the headers.",
  ],
];

/** What was said, and what was said later of something else. */
const OTHER_SUBJECT: readonly [string, string][] = [
  [
    "The retry limit of module 19 is 22 because the upstream times out.",
    "The retry limit of module 29 is 32 because the upstream times out.",
  ],
  ["Module 19 is slow because of the upstream.", "Module 29 is slow because of the upstream."],
  ["Step 3 waits 5 seconds for the lock.", "Step 4 waits 10 seconds for the lock."],
  ["The service on port 8080 has 2 workers.", "The service on port 9090 has 4 workers."],
  ["The v1 API returns at most 50 rows a page.", "The v2 API returns at most 100 rows a page."],
  ["Issue #12 needs 3 reviewers.", "Issue #14 needs 2 reviewers."],
  ["The timeout in production is 30 s.", "The timeout in staging is 60 s."],
  ["The limit of `lib/a.ts` is 120 lines.", "The limit of `lib/b.ts` is 200 lines."],
  ["Node 18 fails the suite with 3 errors.", "Node 20 fails the suite with 1 error."],
  ["Chunk 7 of the upload has 512 bytes.", "Chunk 8 of the upload has 300 bytes."],
  ["Shard eu-1 keeps 30 days of logs.", "Shard us-2 keeps 90 days of logs."],
  ["The GET endpoint returns 200.", "The POST endpoint returns 201."],
  ["HTTP 429 is retried 3 times.", "HTTP 503 is retried 5 times."],
  ["`fetchUser` retries 3 times on timeout.", "`fetchOrder` retries 5 times on timeout."],
  ["In 2024 the fee was 3 %.", "In 2025 the fee is 4 %."],
  ["Worker 1 handles mail.", "Worker 2 handles mail."],
  ["The first retry waits 1 second.", "The second retry waits 2 seconds."],
  ["The parser of CSV files does not trim cells.", "The parser of TSV files does trim cells."],
  ["The table users has 3 indexes.", "The table orders has 5 indexes."],
  ["The build in CI is slow.", "The build in Docker is slow."],
];

Deno.test("relationOf() has the last word on the same subject replace the one before", () => {
  for (const [said, later] of SAME_SUBJECT) {
    assertEquals([later, relationOf(claimOf(later), claimOf(said))], [later, "replaced"]);
  }
});

Deno.test("relationOf() replaces nothing where what is named, or more than one value, differs", () => {
  for (const [one, other] of OTHER_SUBJECT.flatMap(([a, b]) => [[a, b], [b, a]])) {
    const relation = relationOf(claimOf(other), claimOf(one));
    assertEquals([other, ["other", "unsure"].includes(relation)], [other, true], relation);
  }
});
