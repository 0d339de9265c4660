import { assertEquals } from "@std/assert";
import { extractFromTranscript } from "../../../lib/memory/extract/extract.ts";
import { injectObservations } from "../../../lib/compat/recall_section.ts";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { observationsOf } from "../session_of.ts";

const SAID = [
  "user: We decided to write one file per issue.",
  "user: Never use a database for this, one JSON file per issue is enough.",
  "tool: The file /w/src/store.ts has been updated.",
  "assistant: `src/store.ts` writes one file per issue and renames it into place. The manifest is made from them.",
];

/** As a host records it: what a hook added, what a person typed, and an agent that repeats it. */
function sessionWith(recall: string, sentences: string[]): string {
  const lines = [
    {
      type: "attachment",
      attachment: { type: "hook_additional_context", content: [recall] },
    },
    { type: "user", message: { role: "user", content: `${recall}\n\nGo on with the issue.` } },
    {
      type: "assistant",
      message: {
        content: [{
          type: "text",
          text: `From memory:\n\n${sentences.map((each) => `- ${each}`).join("\n")}\n\nI go on.`,
        }],
      },
    },
    {
      type: "user",
      message: {
        content: [{ type: "tool_result", tool_use_id: "t", content: JSON.stringify({ recall }) }],
      },
    },
  ];
  return lines.map((line) => `${JSON.stringify({ ...line, sessionId: "s" })}\n`).join("");
}

Deno.test("20 sessions that capture what was recalled add nothing to the store", () => {
  const store = observationsOf(SAID);
  const before = store.length;
  for (let session = 1; session <= 20; session++) {
    const { section } = injectObservations(store);
    const transcript = readTranscript(sessionWith(section, store.map(({ content }) => content)));
    const whose = { agent: "engineer", issueNumber: 42, sessionId: `s-${session}` };
    store.push(...extractFromTranscript(transcript, whose));
  }
  assertEquals([before, store.length], [3, 3]);
});

Deno.test("extractFromTranscript() remembers what differs from what was recalled", () => {
  const recalled = ["> - Never use a database for this, one JSON file per issue is enough."];
  const said =
    "user: A database is needed now because one JSON file per issue became too slow at 10 GB.";
  assertEquals(observationsOf([SAID[1], said], recalled).map(({ content }) => content), [
    said.slice("user: ".length),
  ]);
});

Deno.test("extractFromTranscript() does not remember what the commands print", () => {
  const printed = `  engineer is working on #42.

  obs-engineer-42-1795168800000-ha26eu  key-fact  2026-11-20  7 tokens
    Move the queue of the billing service to Postgres.
> obs-engineer-42-1795169100000-nq4l5m  decision  2026-11-20  31 tokens
    Decided to retry queued jobs with exponential backoff in PostgreSQL rather
    than Redis, because Redis lost jobs on restart.

  obs-engineer-42-1795168800000-ha26eu  key-fact  2026-11-20  7 tokens
  engineer on #42, session s-1

    Move the queue of the billing service to Postgres.
`;
  const text = `I looked it up.\n\n${printed}\nWe decided to keep Redis for the cache only.`;
  const line = {
    type: "assistant",
    sessionId: "s",
    message: { content: [{ type: "text", text }] },
  };
  const transcript = readTranscript(`${JSON.stringify(line)}\n`);
  const whose = { agent: "engineer", issueNumber: 42, sessionId: "s" };
  assertEquals(extractFromTranscript(transcript, whose).map(({ content }) => content), [
    "We decided to keep Redis for the cache only.",
  ]);
});
