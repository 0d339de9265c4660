import { assert, assertEquals } from "@std/assert";
import { extractFromTranscript, extractObservations } from "../../../lib/memory/extract/extract.ts";
import { MAX_CONTENT, parseObservationId } from "../../../lib/memory/schema.ts";
import { replace } from "../../lock/faults.ts";
import { observationsOf, remembered } from "../session_of.ts";

const NOW = 1_772_359_200_000;
replace("now", () => () => NOW);

function fromSummary(summary: string): string[] {
  return extractObservations(summary, "engineer", 29, "s-1")
    .map(({ category, content }) => `${category}: ${content}`);
}

const SUMMARY = `## Context Compaction Summary

Compacted from 41 messages (~12000 tokens).

The session was about the storage of observations and ended with green tests.

### Decisions
- decided to use one JSON file per issue
- chose lunr over a database because nothing has to be installed

### Code Changes
- created file src/memory/types.ts

### Errors Encountered
- error: Could not parse lock file
- no errors
- None

### Key Facts
- Important: memory budget is 20K tokens
`;

Deno.test("T1: extractObservations() reads all categories of a compaction summary", () => {
  assertEquals(fromSummary(SUMMARY), [
    "compaction-summary: The session was about the storage of observations and ended with green tests.",
    "decision: decided to use one JSON file per issue",
    "decision: chose lunr over a database because nothing has to be installed",
    "code-change: created file src/memory/types.ts",
    "error: error: Could not parse lock file",
    "key-fact: Important: memory budget is 20K tokens",
  ]);
});

Deno.test("T1: extractObservations() makes whole observations", () => {
  const [first, second] = extractObservations(SUMMARY, "engineer@2", 29, "s-1");
  const { id, ...rest } = first;
  assertEquals(parseObservationId(id), { agent: "engineer@2", issueNumber: 29, timestampMs: NOW });
  assert(id !== second.id);
  const content = "The session was about the storage of observations and ended with green tests.";
  assertEquals(rest, {
    agent: "engineer@2",
    issueNumber: 29,
    category: "compaction-summary",
    content,
    summary: content,
    tokens: 20,
    timestamp: new Date(NOW).toISOString(),
    sessionId: "s-1",
  });
});

Deno.test("extractObservations() keeps at most 50, and decisions rather than changes", () => {
  const items = (word: string) =>
    Array.from(
      { length: 40 },
      (_, index) => `- ${word} part${index} of shelf${index * 7} for room${index * 13}`,
    );
  const summary = ["### Code Changes", ...items("changed"), "### Decisions", ...items("decided")];
  const kept = fromSummary(summary.join("\n"));
  assertEquals(kept.length, 50);
  assertEquals(kept.filter((each) => each.startsWith("decision")).length, 40);
});

Deno.test("extractObservations() of nothing is nothing", () => {
  for (const summary of ["", " \n", "ok", "### Decisions\n\n### Errors\n- none"]) {
    assertEquals(fromSummary(summary), []);
  }
});

Deno.test("extractFromTranscript() takes a person's word for what holds beyond the task", () => {
  assertEquals(
    remembered(
      "user: Please don't add a dependency for this, the standard library is enough.",
      "assistant: Understood.",
      "user: Logs are pasted below.\n\nWe never log bodies, that is a legal requirement. Can you check it?",
    ),
    [
      "decision: Please don't add a dependency for this, the standard library is enough.",
      "decision: We never log bodies, that is a legal requirement.",
    ],
  );
});

const EDIT = "tool: The file /w/src/pool.ts has been updated.";

Deno.test("extractFromTranscript() quotes what the agent reports after work, and not what it offers", () => {
  const answer = `Done, here is what happened.

## Changes
- \`src/pool.ts\`: connections are released in a finally block
- \`src/health.ts\` - readiness asks the database

**Root cause** - \`cancel()\` threw before the connection was released.

## Next steps
- We could replace \`src/pool.ts\` by a library, which never leaks.

All 41 tests pass. If you want, I could also bound the queue in \`src/queue.ts\`.

\`\`\`ts
const decided = "instead of prose"; // because this is code
\`\`\`
`;
  const report =
    "Done, here is what happened. - `src/pool.ts`: connections are released in a finally " +
    "block - `src/health.ts` - readiness asks the database **Root cause** - `cancel()` threw before " +
    "the connection was released.";
  const [one, ...others] = observationsOf(["user: fix it", EDIT, `assistant: ${answer}`]);
  assertEquals([one.content, one.category, one.source, others], [
    report,
    "code-change",
    "report",
    [],
  ]);
  assertEquals(remembered("user: what is it?", "$ ls: a", "assistant: Here is the plan."), []);
});

Deno.test("extractFromTranscript() takes the explanation before a test run or a commit for the report", () => {
  const why =
    "assistant: The pool leaked since `cancel()` threw before `release()`; it is released in finally now.";
  const kept = [`code-change: ${why.slice("assistant: ".length)}`];
  for (
    const after of [
      ["$ npm test: 41 passing", "assistant: All tests pass."],
      ["$ git commit -m x: [main 1a2b3c4] fix the leak of the pool", "assistant: Committed."],
    ]
  ) {
    assertEquals(remembered("user: fix it", EDIT, why, ...after), kept);
  }
});

Deno.test("extractFromTranscript() keeps a list below a lead of any words", () => {
  const lead = "assistant: Both tests that were open next to the plan files are there:\n\n" +
    "- `tests/pool_test.ts` proves that a dead connection is dropped\n" +
    "- `tests/queue_test.ts` proves that the queue is bounded at 500";
  const [{ content }] = observationsOf(["user: go", EDIT, lead]);
  assert(content.includes("dead connection") && content.includes("bounded at 500"), content);
});

Deno.test("extractFromTranscript() takes a report below a lone word for one, where no tool is on record", () => {
  const items =
    "- Prices are kept in cents, since floats lose some of them.\n- Each rounds where it shows.";
  const messages = [{ role: "user" as const, text: "Mend prices." }, {
    role: "assistant" as const,
    text: `Done.\n\n## Decisions\n\n${items}`,
  }];
  const transcript = {
    format: "claude" as const,
    sessionId: null,
    messages,
    recalled: [],
    problems: [],
  };
  const [report] = extractFromTranscript(transcript, {
    agent: "engineer",
    issueNumber: 1,
    sessionId: "s",
  });
  assert(report?.content.includes("in cents"), report?.content);
});

Deno.test("extractFromTranscript() keeps no proposal as a fact", () => {
  for (
    const offered of [
      "assistant: The cheaper way would be an index on `at`. Then we could read `at` anywhere.",
      "assistant: Two options:\n\n1. Keep `at` as text, and parse it in `read()` at each request.\n" +
      "2. Migrate `at` to a timestamp, and drop the parser in `read()`.",
      "assistant: ## Proposal\n\n- First write `X` in `save()`\n- then read `X` anywhere in the program",
    ]
  ) {
    assertEquals(remembered("user: go", EDIT, offered), [], offered);
  }
});

Deno.test("extractFromTranscript() takes for a decision what is called so, whatever its reason", () => {
  for (
    const said of [
      "We decided to keep one file per issue, because it avoids a conflict at each merge.",
      "We decided to keep the list in Redis, because the upstream allows 10 requests a minute.",
      "Decision: the lock is taken before the file is read.",
    ]
  ) {
    assertEquals(remembered("user: how?", `assistant: ${said}`, "user: fine, go on"), [
      `decision: ${said}`,
    ]);
    assertEquals(remembered("user: how?", `assistant: ${said}`, "user: no, that is wrong"), []);
  }
});

Deno.test("extractFromTranscript() keeps why something was so, that was answered before the work", () => {
  const why = "The upload fails because `client_max_body_size` of nginx is 1 MB.";
  const done = "assistant: Done, the limit in `nginx.conf` is 20 MB now.";
  assertEquals(remembered("user: why?", `assistant: ${why}`, "user: fix it", EDIT, done), [
    `key-fact: ${why}`,
  ]);
  assertEquals(
    remembered("user: why?", "assistant: Maybe it fails because `nginx` is too old.", "user: hm"),
    [],
  );
});

Deno.test("extractFromTranscript() leaves out a report that a later one overtakes", () => {
  const [first, last] = ["60 seconds", "300 seconds"].map((ttl) =>
    `assistant: The price list in \`src/cache.ts\` is kept for ${ttl} now, which the upstream can bear.`
  );
  assertEquals(
    remembered("user: cache it", EDIT, first, "user: longer please", EDIT, last),
    [`code-change: ${last.slice("assistant: ".length)}`],
  );
});

Deno.test("extractFromTranscript() takes what a person answered through a tool for a decision", () => {
  assertEquals(
    remembered('tool: User has answered your questions: "Which store?"="SQLite, one file"'),
    ['decision: "Which store?"="SQLite, one file"'],
  );
});

Deno.test("extractFromTranscript() leaves out what was reported where the person then objects", () => {
  const report =
    "assistant: Fixed. Added a sorted list of agents to `Detect()` in `registry.ts`, which walks it in order.";
  const last =
    "assistant: Handlers now call `hookAgent()`, which takes the name of the agent from the command.";
  assertEquals(
    remembered(
      "user: fix it",
      EDIT,
      report,
      "user: but the hook knows its agent, why don't we use that?",
      EDIT,
      last,
    ),
    [`code-change: ${last.slice("assistant: ".length)}`],
  );
  assertEquals(remembered("user: fix it", EDIT, report, "user: great, thanks").length, 1);
});

const OTHER_LANGUAGES = {
  Chinese:
    "\u6211\u4eec\u51b3\u5b9a\u6bcf\u4e2a\u95ee\u9898\u4f7f\u7528\u4e00\u4e2a\u6587\u4ef6\uff0c\u4e0d\u8981\u7528 SQLite\u3002",
  Japanese:
    "\u30c7\u30d5\u30a9\u30eb\u30c8\u306f Markdown \u306b\u3057\u305f\u307b\u3046\u304c\u3088\u3055\u305d\u3046\u3067\u3059\u306d\u3002",
  Korean:
    "\ucee4\ubc0b\ud558\uae30 \uc804\uc5d0 \ud56d\uc0c1 \ud14c\uc2a4\ud2b8\ub97c \ub3cc\ub824\uc8fc\uc138\uc694.",
  Russian:
    "\u0411\u0430\u0437\u0430 \u0434\u0430\u043d\u043d\u044b\u0445 \u043d\u0435 \u043d\u0443\u0436\u043d\u0430, \u0445\u0432\u0430\u0442\u0438\u0442 \u0444\u0430\u0439\u043b\u043e\u0432.",
  German: "Das ist mir nie passiert, agreed? Wir nehmen immer den anderen Weg, prefer Kaffee.",
};

for (const [language, said] of Object.entries(OTHER_LANGUAGES)) {
  Deno.test(`extractFromTranscript() makes no rule out of small talk in ${language}`, () => {
    assertEquals(remembered(`user: ${said}`, `assistant: ${said}`), []);
  });
}

Deno.test("extractFromTranscript() drops a report where it cannot tell whether the person objects", () => {
  const done =
    "assistant: `src/pool.ts` releases the connection in finally now, also where `cancel()` throws an error.";
  const kept = [`code-change: ${done.slice("assistant: ".length)}`];
  assertEquals(remembered("user: fix it", EDIT, done), kept);
  assertEquals(remembered("user: fix it", EDIT, done, "user: push it"), kept);
  for (const said of [OTHER_LANGUAGES.Korean, OTHER_LANGUAGES.German]) {
    assertEquals(remembered("user: fix it", EDIT, done, `user: ${said}`), []);
  }
});

Deno.test("extractFromTranscript() leaves out a cause where a later report finds another one", () => {
  const [first, last] = ["the `pool` was too small", "`release()` was never called on the `pool`"]
    .map((cause) =>
      `assistant: The root cause in \`src/db/pool.ts\`: ${cause}, as the load test of today shows.`
    );
  assertEquals(remembered("user: fix it", EDIT, first, "user: go on", EDIT, last), [
    `code-change: ${last.slice("assistant: ".length)}`,
  ]);
});

Deno.test("extractFromTranscript() keeps no narration of an agent that still works", () => {
  for (
    const said of [
      "I\u2019m fixing the signatures of the provider first, then I\u2019ll add wrappers for the tests of it.",
      "The reviewer is still working on it, with 27 calls of tools so far; waiting for its completion.",
      "These new functions will be named `unionGen` and `unionAsyncGen`, and they will use `function*`.",
    ]
  ) {
    assertEquals(remembered("user: fix it", EDIT, `assistant: ${said}`), []);
  }
});

Deno.test("extractFromTranscript() says once what was said twice, as it was said last", () => {
  assertEquals(
    remembered(
      "user: Never use a database for the ledger of this project.",
      "assistant: ok",
      "user: As said, never use a database for the ledger of this project.",
    ),
    ["decision: As said, never use a database for the ledger of this project."],
  );
});

const JUNK = [
  "user: Do not summarise, and never commit before I said so in this chat.",
  "user: Implement the plan. Never edit the plan file itself.",
  "user: can you always run the tests first please",
  "assistant: Now I need to update `src/a.ts` so that it never waits.",
  "assistant: It seems that `src/pool.ts` leaks because of the timeout.",
  "assistant: I think we should use `x` instead of y in `src/a.ts`.",
  "assistant: Let me look at the configuration of the pool in src/db/pool.ts first.",
  "assistant: I'll run the tests in tests/pool_test.ts now.",
  "assistant: No errors. All tests pass. 0 errors, 0 warnings. Done.",
  "assistant: Should I also update README.md instead of the wiki?",
  "assistant: Let me know if you would like me to change src/a.ts as well.",
  "assistant: ```\nerror: we decided to use `x` because of y in src/z.ts\n```",
  "assistant: ~~~ts\nconst x = 1;\n\nWe decided to use x instead of y.",
  "assistant: 2026-03-01T10:00:00Z INFO [pool] we decided to use 10 connections",
  "assistant: diff --git a/x.ts b/x.ts\n@@ -1 +1 @@\n-const a = 1;\n+const a = 2;",
  "assistant:     at Pool.acquire (/app/src/pool.js:120:14)",
  "assistant: You are an expert engineer working in src/a.ts and must obey.",
  "assistant: because `cancel()` throws before it releases",
  "assistant: There are two ways to fix this:\n1. give the job in src/a.ts an id\n2. use the debounce option",
  "assistant: Fixed.\n\nThis ensures that `cancel()` never runs twice in `src/pool.ts`.",
  "assistant: Fixed.\n\nThe returned agent now has what the caller of these tests needs in `src/a.ts`.",
  "assistant: Fixed.\n\n- Triggers `src/sync.ts` when the pull from a fork is merged",
  "assistant: Fixed.\n\nResolved the conflict in `src/pool.ts` and pushed to `main`.",
  "assistant: Fixed.\n\n`tests/pool_test.ts` - checks that `cancel()` never leaks a connection.",
  "assistant: Fixed.\n\nAll review comments on `src/pool.ts` are addressed in `src/queue.ts`.",
  "assistant: Fixed.\n\nYou must never remove `PYPI_TOKEN` from your settings in `pypi.toml`.",
  "assistant: Fixed.\n\nCapture totals in `docs/`: `pages=171`, rather than `pages=34`.",
  "user: I don't recall adding the file there myself",
  "user: At line 576, manager is created but never used in watch.go.",
  "user: - Never edit `src/gen.ts` by hand\n- Always run `make gen` instead",
  'tool: User has answered your questions: "Push the branch now?"="Yes, push it"',
  "user: thanks!",
  "user: ok",
  "user: > We decided to use per-issue files, said the agent in src/a.ts.\n\nperfect",
  "tool: 0 errors, 0 warnings in src/a.ts",
  "tool: no error: everything in order here",
  "tool: Finished with 0 failed, no errors found in 12 files",
  "tool: 2026-03-01 10:00:00 ERROR [pool] Error: connection refused by host",
  "tool: npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported",
  "tool: 6b8ed9a chore: bump deps\n9f5a35f Merge branch 'main'",
  "tool: const error = new Error('we decided to use x instead of y');",
  "tool: [main 1a2b3c4] fix typo",
  "user: Our token: [redacted: github-token]",
  "system: We decided to use per-issue files because they merge well.",
];

for (const line of JUNK) {
  Deno.test(`extractFromTranscript() does not remember ${JSON.stringify(line.slice(0, 60))}`, () => {
    assertEquals(remembered(line), []);
  });
}

Deno.test("extractFromTranscript() gives the same contents in the same order", () => {
  const lines = Array.from(
    { length: 60 },
    (_, index) => `user: Never use lock${index} of f${index}.ts in part${index}.`,
  );
  const contents = () => observationsOf(lines).map(({ content }) => content);
  assertEquals(contents(), contents());
  const numbers = contents().map((content) => Number(/f(\d+)/.exec(content)?.[1]));
  assertEquals(numbers, numbers.toSorted((a, b) => a - b));
});

Deno.test("extractFromTranscript() keeps at most eight, of persons first", () => {
  const lines = Array.from({ length: 300 }, (_, index) => [
    EDIT,
    `assistant: The file \`src/f${index}.ts\` takes lock${index} now, as part${index} of the store writes it too.`,
    `user: ${index % 60 === 0 ? `Never use room${index} in shelf${index} of the store.` : "go on"}`,
  ]).flat();
  const kept = observationsOf(lines);
  assertEquals(kept.length, 8);
  assertEquals(kept.filter(({ category }) => category === "decision").length, 5);
});

Deno.test("extractFromTranscript() dates an observation as its message, or else now", () => {
  const said = { role: "user", text: "Never use two locks in the store." } as const;
  const timestamp = "2026-02-01T10:00:00.000Z";
  const messages = [{ ...said, timestamp }, {
    ...said,
    text: "Always keep the oldest entry of the journal.",
  }];
  const observations = extractFromTranscript(
    { format: "codex", sessionId: null, messages, recalled: [], problems: [] },
    { agent: "engineer", issueNumber: 1, sessionId: "x" },
  );
  assertEquals(observations.map((each) => each.timestamp), [
    timestamp,
    new Date(NOW).toISOString(),
  ]);
  const ids = observations.map(({ id }) => parseObservationId(id).timestampMs);
  assertEquals(ids, [Date.parse(timestamp), NOW]);
});

Deno.test("extractObservations() cuts a long content between words", () => {
  const words = Array.from({ length: 400 }, (_, index) => `token${index}`).join(" ");
  const [{ content }] = extractObservations(words, "engineer", 1, "s");
  assert(content.length <= MAX_CONTENT);
  assert(words.split(" ").includes(content.split(" ").at(-1)!));
  assertEquals(
    remembered(`user: ${"x".repeat(5_000)} ${"y".repeat(5_000)} never use those two`),
    [],
  );
});

Deno.test("extractFromTranscript() takes no instruction of a person for a decision", () => {
  for (
    const said of [
      "Use the right skills for this.",
      "We need to add a test for the parser.",
      "Only the sync one.",
      "Use the format `Tool: NAME` instead of the title.",
      "Note what we decided about the cache.",
      "Please note the decision that we agreed on in CHANGELOG.md.",
      "Record why we prefer SQLite in the notes.",
      "Write down which rules we agreed on today and yesterday.",
    ]
  ) {
    assertEquals(remembered(`user: ${said}`), []);
  }
  for (
    const why of [
      "We need `--with-context` because sessions with all of their files are massive.",
      "Note that we never store tokens in the cache.",
      "Remember the cache must never hold tokens.",
    ]
  ) assertEquals(remembered(`user: ${why}`), [`decision: ${why}`]);
});

const BUILT = [
  "user: Make the retries configurable.",
  "$ git commit -m retries: [main 1234567] feat: retries",
  "assistant: Done. The limit of retries is read from `retry.max`, as operations change it without a release.",
];

Deno.test("extractFromTranscript() leaves to the agent's notes what came before them, in their turn too", () => {
  assertEquals(remembered(...BUILT).length > 0, true);
  assertEquals(remembered(...BUILT.slice(0, 2), "note:", BUILT[2]), []);
  const [asked, committed, said] = BUILT.map((line) =>
    line.replaceAll("etries", "imeouts").replaceAll("retry", "timeout")
  );
  const after = remembered(...BUILT.slice(0, 2), "note:", BUILT[2], asked, committed, said);
  assertEquals(after.some((text) => text.includes("timeout.max")), true, after.join("\n"));
  assertEquals(after.some((text) => text.includes("retry.max")), false, after.join("\n"));
});
