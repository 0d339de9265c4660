import { assert } from "@std/assert";
import { extractFromTranscript } from "../../../lib/memory/extract/extract.ts";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { renderScores, scoreSessions } from "../sessions/score.ts";
import { type Half, readSessions } from "../sessions/sessions.ts";

for (const half of ["dev", "held_out"] as Half[]) {
  Deno.test(`extraction of ${half}: at most eight of a session, two in five facts, under 3 % junk`, () => {
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
    assert(found >= 0.4 * facts, table);
    assert(junk < 0.03 * items, table);
    for (const session of result.sessions) assert(session.items <= 8, table);
    assert(items <= 6 * result.sessions.length, table);
  });
}
