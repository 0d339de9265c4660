import { assert } from "@std/assert";
import { extractFromTranscript } from "../../../lib/memory/extract/extract.ts";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { renderScores, scoreSessions } from "../sessions/score.ts";
import { type Half, readSessions } from "../sessions/sessions.ts";

for (const half of ["dev", "held_out"] as Half[]) {
  Deno.test(`extraction finds 0.70 of the facts of ${half}, with less than 5 % junk`, () => {
    const result = scoreSessions(
      readSessions(half),
      (sessionId, text) =>
        extractFromTranscript(readTranscript(text), {
          agent: "engineer",
          issueNumber: 1,
          sessionId,
        }),
    );
    const { found, facts, junk, items } = result.total;
    const table = renderScores(result);
    assert(found >= 0.7 * facts, table);
    assert(junk < 0.05 * items, table);
    assert(items <= 30 * result.sessions.length, table);
  });
}
