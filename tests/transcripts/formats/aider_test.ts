import { assertEquals } from "@std/assert";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { said } from "./said.ts";

const HISTORY = `
# aider chat started at 2026-02-28 09:00:00

#### An earlier session

# aider chat started at 2026-03-01 10:00:00

> Aider v0.86.1
> Main model: m with diff edit format

#### /add src/a.py

#### Use a dataclass
#### and keep the name

I replace the dict.

> Tokens: 2.1k sent, 300 received.
> Applied edit to src/a.py
> Commit 1a2b3c4 refactor: use a dataclass

#### /ask Why so?

Because it is typed.
`;

Deno.test("readTranscript() reads the last session of aider's history", () => {
  const transcript = readTranscript(HISTORY);
  assertEquals(transcript.format, "aider");
  assertEquals(transcript.sessionId, "aider-2026-03-01-10-00-00");
  assertEquals(transcript.messages[0].timestamp, "2026-03-01T10:00:00.000Z");
  assertEquals(transcript.problems, ["The file holds 2 sessions; only the last one was read"]);
  assertEquals(said(HISTORY.replaceAll("\n", "\r\n")), said(HISTORY));
  assertEquals(said(HISTORY), [
    "tool(aider): Aider v0.86.1\nMain model: m with diff edit format",
    "user: Use a dataclass\nand keep the name",
    "assistant: I replace the dict.",
    "tool(aider): Tokens: 2.1k sent, 300 received.\nApplied edit to src/a.py\n" +
    "Commit 1a2b3c4 refactor: use a dataclass",
    "user: Why so?",
    "assistant: Because it is typed.",
  ]);
});
