import { assert } from "@std/assert";
import { extractFromTranscript } from "../../../lib/memory/extract/extract.ts";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { renderScores, scoreSessions } from "../sessions/score.ts";
import { type Half, readSessions } from "../sessions/sessions.ts";

for (const half of ["dev", "held_out"] as Half[]) {
  Deno.test(`extraction finds 0.85 of the facts of ${half}, half of them under their category, with less than 3 % junk`, () => {
    const result = scoreSessions(
      readSessions(half),
      (sessionId, text) =>
        extractFromTranscript(readTranscript(text), {
          agent: "engineer",
          issueNumber: 1,
          sessionId,
        }),
    );
    const { found, facts, junk, items, carrying, rightCategory } = result.total;
    const table = renderScores(result);
    assert(found >= 0.85 * facts, table);
    assert(rightCategory >= 0.5 * carrying, table);
    assert(junk < 0.03 * items, table);
    assert(items <= 30 * result.sessions.length, table);
  });
}
