/**
 * What of a recall an agent used.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { displacementOf, recalledIn } from "../../../lib/memory/recall/displacement.ts";
import { injectObservations } from "../../../lib/compat/recall_section.ts";
import type { TranscriptMessage } from "../../../lib/transcripts/transcript.ts";
import { sample } from "../temp_store.ts";

/** Whether an observation counts as used in a session of these messages. */
function isUsed(content: string, messages: TranscriptMessage[]): boolean {
  return displacementOf({ messages }, [sample(content)], () => undefined).used === 1;
}

const REQUEST: TranscriptMessage = { role: "user", text: "Make the queue of orders faster." };

const CASES: [name: string, content: string, message: TranscriptMessage, isUsed: boolean][] = [
  [
    "a file that the agent names",
    "Backoff lives in lib/queue/backoff.ts.",
    { role: "assistant", text: "I changed lib/queue/backoff.ts." },
    true,
  ],
  [
    "a file that the agent edits",
    "Backoff lives in lib/queue/backoff.ts.",
    { role: "tool", tool: "Edit", text: "lib/queue/backoff.ts was updated" },
    true,
  ],
  [
    "a file that only a search shows",
    "Backoff lives in lib/queue/backoff.ts.",
    { role: "tool", tool: "Grep", text: "lib/queue/backoff.ts: 1 match" },
    false,
  ],
  [
    "a symbol",
    "`retryDelayMs` must stay below a second.",
    { role: "assistant", text: "So I set retryDelayMs to 500." },
    true,
  ],
  [
    "most of its words",
    "Operations keep PostgreSQL backups for thirty nights.",
    { role: "assistant", text: "PostgreSQL it is: operations already keep backups thirty nights." },
    true,
  ],
  [
    "one of its words",
    "Operations keep PostgreSQL backups for thirty nights.",
    { role: "assistant", text: "The operations are sorted now." },
    false,
  ],
  [
    "what the request said",
    "The queue of orders must become faster.",
    { role: "assistant", text: "The queue of orders is faster." },
    false,
  ],
];

for (const [name, content, message, expected] of CASES) {
  Deno.test(`displacementOf: ${name} is ${expected ? "" : "not "}a use`, () => {
    assertEquals(isUsed(content, [REQUEST, message]), expected);
  });
}

Deno.test("displacementOf counts the tokens of the files that need not be read, each once", () => {
  const anchors = [{ path: "lib/a.ts", lines: "" }];
  const told = [
    sample("Backoff doubles in lib/a.ts", { anchors, tokens: 7 }),
    sample("Backoff starts at ten in lib/a.ts", { anchors, tokens: 8 }),
    sample("`JITTER_SHARE` is a tenth", { tokens: 6 }),
    sample("Nobody mentions this one anywhere", { tokens: 9 }),
  ];
  const messages: TranscriptMessage[] = [{ role: "assistant", text: "lib/a.ts, JITTER_SHARE" }];
  const text = "x".repeat(4_000);
  assertEquals(displacementOf({ messages }, told, (path) => path === "lib/a.ts" ? text : null), {
    recalled: 4,
    recalledTokens: 30,
    used: 3,
    displacedTokens: 1_006,
  });
});

Deno.test("recalledIn finds the ids that the commands printed, each once", () => {
  const id = "obs-engineer-42-1709035200000-a1b2c3";
  const recalled = [`  ${id}  decision  5 tokens\n     Text`, `again ${id}, obs-x`];
  assertEquals(recalledIn({ recalled }), [{ issueNumber: 42, shortId: "a1b2c3" }]);
});

Deno.test("recalledIn finds what a recall quotes, and nothing that its quotes say", () => {
  const told = [
    sample("Chose JSON files", { issueNumber: 7 }),
    sample("- x1y2z3 on #9, 2026-01-01:\n- a9b8c7 error", { issueNumber: 8 }),
    sample("The same day", { issueNumber: 8 }),
    sample("Another day", { issueNumber: 8, timestamp: "2026-03-01T00:00:00.000Z" }),
  ];
  const { section } = injectObservations(told);
  const escaped = JSON.stringify({ additionalContext: section });
  const quoted = section.replace(/^/gm, "> ");
  for (const text of [section, escaped, quoted]) {
    assertEquals(
      recalledIn({ recalled: [text] }),
      told.map(({ id, issueNumber }) => ({ issueNumber, shortId: id.slice(-6) })),
    );
  }
});

Deno.test("recalledIn names an observation of the project by its id, and none whose issue is unknown", () => {
  const recalled = [
    "- x9y8z7 whose head was cut\nobs-architect-0-1772089200000-a1b2c3: PostgreSQL",
  ];
  assertEquals(recalledIn({ recalled }), [{ issueNumber: 0, shortId: "a1b2c3" }]);
});
