import { assert, assertEquals, assertThrows } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { encode as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as o200k } from "gpt-tokenizer/encoding/o200k_base";
import type { TranscriptMessage } from "../../lib/transcripts/transcript.ts";
import { ContextCompactor } from "../../lib/run/budget.ts";
import { estimatedTokens } from "../../lib/text/token_estimate.ts";
import { extractObservations } from "../../lib/memory/extract/extract.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Prose in English and code of this repository, each long enough to count. */
const TEXTS = [
  ...["README.md", "CHANGELOG.md", "LICENSE", ".github/ARCHITECTURE.md", ".github/CONTRIBUTING.md"],
  ...Array.from(walkSync(`${ROOT}lib`, { includeDirs: false, exts: ["ts"] }), ({ path }) => path)
    .map((path) => path.slice(ROOT.length))
    // Tables of patterns are neither.
    .filter((path) => !/^lib\/(?:redact|guard)\/rules\//.test(path)),
].map((path) => [path, Deno.readTextFileSync(ROOT + path)] as const)
  .filter(([, text]) => text.length > 3_000);

Deno.test("estimatedTokens() is within 15 % of real tokenizers on prose and on code", () => {
  assert(TEXTS.length > 50);
  for (const encode of [o200k, cl100k]) {
    const wrong = TEXTS.map(([path, text]) =>
      [path, Math.round(100 * (estimatedTokens(text) / encode(text).length - 1))] as const
    ).filter(([, percent]) => Math.abs(percent) > 15);
    assertEquals(wrong, []);
  }
});

const OTHERS: readonly string[] = [
  "\u6211\u4eec\u51b3\u5b9a\u6bcf\u4e2a\u95ee\u9898\u4f7f\u7528\u4e00\u4e2a\u6587\u4ef6",
  "\u5404\u30a4\u30b7\u30e5\u30fc\u306b\u4e00\u3064\u306e\u30d5\u30a1\u30a4\u30eb\u3092\u4f7f\u3046",
  "\uc6b0\ub9ac\ub294 \ub370\uc774\ud130\ubca0\uc774\uc2a4 \ub300\uc2e0 \ud30c\uc77c\uc744 \uc0ac\uc6a9",
  "\u041c\u044b \u0440\u0435\u0448\u0438\u043b\u0438 \u0445\u0440\u0430\u043d\u0438\u0442\u044c",
  "Wir haben uns f\u00fcr eine Datei je Vorgang entschieden",
  "\u{1f389}\u{1f680}\u{1f44d}",
  "TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24",
];

for (const text of OTHERS) {
  Deno.test(`estimatedTokens() of "${text.slice(0, 12)}" is not absurd`, () => {
    const estimate = estimatedTokens(text);
    const [least, most] = [o200k(text).length, cl100k(text).length].sort((a, b) => a - b);
    assert(estimate > least / 2 && estimate < most * 2, `${estimate} for ${least} to ${most}`);
  });
}

Deno.test("ContextCompactor counts what is tracked, by category, and replaces what it knows", () => {
  const compactor = new ContextCompactor();
  assertEquals(compactor.checkBudget().limit, 200_000);
  compactor.trackItem("skill", "testing", "Write the test first.");
  compactor.trackItem("skill", "testing", "Write it first.");
  const { tokens } = compactor.trackItem("memory", "recalled-observations", "One file per issue.");
  const usage = compactor.getUsageByCategory();
  assertEquals([usage.skill, usage.memory], [estimatedTokens("Write it first."), tokens]);
  assertEquals(compactor.checkBudget().recalledTokens, tokens);
  compactor.trackItem("skill", "testing", "");
  assertEquals(compactor.checkBudget().freshTokens, 0);
});

/** A word of three letters has 1.1 tokens. */
const LEVELS: [words: number, status: string, isOverThreshold: boolean][] = [
  [400, "GOOD", false],
  [500, "OK", false],
  [690, "WARNING", true],
  [830, "CRITICAL", true],
  [2_000, "CRITICAL", true],
];

for (const [words, status, isOverThreshold] of LEVELS) {
  Deno.test(`ContextCompactor.checkBudget() is ${status} with ${words} words in 1,000 tokens`, () => {
    const compactor = new ContextCompactor({ limit: 1_000 });
    compactor.trackItem("conversation", "messages", "one ".repeat(words));
    const budget = compactor.checkBudget();
    assertEquals([budget.status, budget.isOverThreshold], [status, isOverThreshold]);
  });
}

Deno.test("ContextCompactor.compactConversation() keeps decisions and reports, as memory reads them", () => {
  const compactor = new ContextCompactor({ folders: ["/home/me/project"] });
  const summary = compactor.compactConversation([
    { role: "user", text: "Never use a database: one JSON file per issue is enough." },
    { role: "assistant", text: "Let me look.\n\nDecision: the lock is taken first." },
    { role: "tool", tool: "edit", text: "The file lib/ledger.ts has been updated." },
    {
      role: "assistant",
      text: "I implemented the ledger in /home/me/project/lib/ledger.ts, with a lock of its own, " +
        "and took the old file out of the repository.",
    },
  ], "engineer");
  assert(summary.startsWith("Compacted from 4 messages of engineer.\n\n### Decisions\n"), summary);
  assert(summary.includes("### Code changes\n\n- I implemented the ledger"), summary);
  assert(!summary.includes("Let me look") && !summary.includes("/home/me"), summary);
  const again = extractObservations(summary, "engineer", 42, "s");
  const lines = summary.split("\n").filter((line) => line.startsWith("- "));
  assertEquals(again.map(({ content }) => `- ${content}`), lines);
});

Deno.test("ContextCompactor.compactConversation() makes an item of each line, and keeps each decision", () => {
  const decisions = [
    "Chose per-issue JSON files for observation storage",
    "Decided: no ORM",
    "We chose Redis for the cache",
    "Decision: migrations run at deploy",
    ..."abcdefgh".split("").map((name) => `Decision: module ${name}x is written in Go`),
  ];
  const lines = (summary: string) => summary.split("\n").filter((line) => line.startsWith("- "));
  const items = decisions.map((decision) => `- ${decision}`);
  const messages: TranscriptMessage[][] = [
    [{ role: "assistant", text: decisions.join("\n") }],
    [{ role: "user", text: decisions.join("\n") }],
    [{ role: "assistant", text: `## Decisions\n${decisions.join("\n")}` }],
    [{ role: "assistant", text: decisions.join("\n") }, { role: "user", text: "Next, please." }, {
      role: "assistant",
      text: "Let me look.",
    }],
  ];
  for (const each of messages) {
    assertEquals(lines(new ContextCompactor().compactConversation(each, "engineer")), items);
  }
  // SPEC-AgentX section 4.2
  const seed =
    "Chose per-issue JSON files for observation storage. Evaluated SQLite, single JSON " +
    "file, and LevelDB.";
  const said: TranscriptMessage = { role: "assistant", text: seed };
  const summary = new ContextCompactor().compactConversation([said], "engineer");
  assertEquals(lines(summary), ["- Chose per-issue JSON files for observation storage."]);
});

Deno.test("ContextCompactor.formatBudgetReport() tells recalled tokens from fresh ones", () => {
  const compactor = new ContextCompactor({ limit: 2_000 });
  compactor.trackItem("memory", "recalled-observations", "one ".repeat(100));
  compactor.trackItem("conversation", "messages", "one ".repeat(1_000));
  assertEquals(
    compactor.formatBudgetReport(),
    `Context budget: 1,210 of 2,000 tokens (61 %), OK
  memory                        110
  conversation                1,100

Memory
  recalled-observations         110
  Memory recall displaced 110 tokens of manual re-read; 1,100 are fresh

There is room; load only what is needed.`,
  );
});

Deno.test("ContextCompactor refuses a limit that means nothing", () => {
  assertThrows(() => new ContextCompactor({ limit: 0 }), RangeError);
});
