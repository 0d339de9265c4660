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

Deno.test("extractFromTranscript() takes a person's word for a decision, and its reason with it", () => {
  assertEquals(
    remembered(
      "user: Please don't add a dependency for this, use the standard library instead.",
      "assistant: Understood.",
      "user: no, keep bull at 4.12. That is what the cluster runs until April. Can you check it?",
    ),
    [
      "decision: Please don't add a dependency for this, use the standard library instead.",
      "decision: keep bull at 4.12. That is what the cluster runs until April.",
    ],
  );
});

Deno.test("extractFromTranscript() reads what a closing message reports, and leaves out what it offers", () => {
  const answer = `Done, here is what happened.

## Changes
- \`src/pool.ts\`: connections are released in a finally block
- \`src/health.ts\` - readiness asks the database
- updated the tests

**Root cause** - \`cancel()\` threw before the connection was released.

## Decisions
1. The queue holds 500 waiters, because more would hide an outage.

## Next steps
- We could replace \`src/pool.ts\` by a library, which never leaks.

All 41 tests pass. If you want, I can also bound the queue in \`src/queue.ts\`.

\`\`\`ts
const decided = "instead of prose"; // because this is code
\`\`\`
`;
  assertEquals(remembered(`assistant: ${answer}`), [
    "code-change: `src/pool.ts`: connections are released in a finally block",
    "code-change: `src/health.ts` - readiness asks the database",
    "error: **Root cause** - `cancel()` threw before the connection was released.",
    "key-fact: The queue holds 500 waiters, because more would hide an outage.",
  ]);
});

Deno.test("extractFromTranscript() takes commits from tools where nobody summed up", () => {
  assertEquals(
    remembered(
      "tool: Applied edit to src/a.ts",
      "tool: Applied edit to src/a.ts",
      "tool: The file /w/src/b.ts has been updated. Here's the result of running `cat -n`:\n 1 x",
      "tool: Success. Updated the following files:\nM src/c.ts\nA src/d.ts\n",
      "tool: [main 1a2b3c4] fix(pool): release in finally\n 2 files changed, 3 insertions(+)",
      "tool: Commit 7e58170 test: Number of hours depends on the clock change",
    ),
    [
      "code-change: Commit 1a2b3c4: fix(pool): release in finally",
      "code-change: Commit 7e58170: test: Number of hours depends on the clock change",
    ],
  );
});

Deno.test("extractFromTranscript() tells an error with the call that ended it, and no other", () => {
  const failed = "Exit code 1\nError: EMFILE: too many open files, watch '/w/content'";
  assertEquals(
    remembered(`$ npm run dev: ${failed}`, "$ npm run dev --poll=0: ready in 1.4 s"),
    [
      "error: `npm run dev` failed: Error: EMFILE: too many open files, watch '/w/content'. " +
      "`npm run dev --poll=0` worked.",
    ],
  );
  // Nobody ended it; the code was changed; it only shows what others wrote.
  assertEquals(
    remembered(`$ npm run dev: ${failed}`, "$ git push origin main: Everything up-to-date"),
    [],
  );
  assertEquals(remembered(`$ npm test: ${failed}`, "$ npm test: ok"), []);
  assertEquals(remembered(`$ cat a.log: ${failed}`, "$ cat b.log: ok"), []);
});

Deno.test("extractFromTranscript() takes what a person answered through a tool for a decision", () => {
  assertEquals(
    remembered('tool: User has answered your questions: "Which store?"="SQLite, one file"'),
    ['decision: "Which store?"="SQLite, one file"'],
  );
});

Deno.test("extractFromTranscript() leaves out what was done where the person then objects, and keeps the cause", () => {
  const report =
    "assistant: Fixed.\n\n**Root cause**: `Detect()` walks a map whose order is random.\n\n" +
    "Added a sorted list of agents to `Detect()` in `registry.ts`.";
  const cause = "error: **Root cause**: `Detect()` walks a map whose order is random.";
  assertEquals(
    remembered(
      report,
      "user: but the hook knows its agent, why don't we use that?",
      "assistant: Handlers now call `hookAgent()`, which takes the agent from the command.",
    ),
    [
      cause,
      "code-change: Handlers now call `hookAgent()`, which takes the agent from the command.",
    ],
  );
  assertEquals(remembered(report, "user: great, thanks").length, 2);
});

Deno.test("extractFromTranscript() remembers what a person says in another script", () => {
  const lines = [
    "user: \u6211\u4eec\u51b3\u5b9a\u6bcf\u4e2a\u95ee\u9898\u4f7f\u7528\u4e00\u4e2a\u6587\u4ef6\u3002",
    "user: \u0411\u0430\u0437\u0430 \u0434\u0430\u043d\u043d\u044b\u0445 \u043d\u0435 \u043d\u0443\u0436\u043d\u0430, \u0445\u0432\u0430\u0442\u0438\u0442 \u0444\u0430\u0439\u043b\u043e\u0432.",
  ];
  assertEquals(observationsOf(lines).map(({ content }) => `user: ${content}`), lines);
});

Deno.test("extractFromTranscript() says once what was said twice, as it was said last", () => {
  assertEquals(
    remembered(
      "assistant: The pool is exhausted because `cancel()` never releases its connection.",
      "user: go on",
      "assistant: - The pool is exhausted because `cancel()` never releases its connection, as said.\n" +
        "- `src/pool.ts`: its connection is now released in finally, whatever is thrown",
    ),
    [
      "error: The pool is exhausted because `cancel()` never releases its connection, as said.",
      "code-change: `src/pool.ts`: its connection is now released in finally, whatever is thrown",
    ],
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

Deno.test("extractFromTranscript() leaves out what was found or done before it was worked on again", () => {
  const found =
    "assistant: `parse()` in `src/a.ts` never checks its input, because it trusts callers.";
  const edit = "tool: The file /w/src/a.ts has been updated.";
  const first = "assistant: Done: `parse()` in `src/a.ts` now throws, because callers must know.";
  const last =
    "assistant: Done: `parse()` in `src/a.ts` now returns null, because callers catch nothing.";
  const kept = (line: string) => line.replace("assistant: Done: ", "code-change: ");
  assertEquals(remembered(found, "user: fix it", edit, first), [kept(first)]);
  assertEquals(remembered(found, "user: fix it", edit, first, "user: go on", edit, last), [
    kept(last),
  ]);
});

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
    `assistant: Done: \`src/f${index}.ts\` now takes lock${index}, because part${index} writes it.`,
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

Deno.test("extractFromTranscript() takes no instruction of a person for a decision, unless they say why", () => {
  for (
    const said of [
      "Use the right skills for this.",
      "We need to add a test for the parser.",
      "Only the sync one.",
    ]
  ) {
    assertEquals(remembered(`user: ${said}`), []);
  }
  const why = "We need `--with-context`, because sessions with all files are massive.";
  assertEquals(remembered(`user: ${why}`), [`decision: ${why}`]);
});

const BUILT = [
  "user: Make the retries configurable.",
  "$ git commit -m 'feat: retries': [main 1234567] feat: retries",
  "assistant: Done. The limit of retries is read from `retry.max`, because operations change it without a release.",
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
