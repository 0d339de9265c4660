import { assertEquals } from "@std/assert";
import { readTranscript } from "../../../lib/transcripts/mod.ts";
import { said } from "./said.ts";

Deno.test("readTranscript() reads a chat in any style of markdown", () => {
  const chats = [
    "## User\n\nFix it\n\n## Assistant\n\nFixed.\n",
    "### :) User (2026-03-01 10:00)\nFix it\n### **Claude**\nFixed.\n",
    "**User:** Fix it\n\n**Assistant**: Fixed.\n",
    "Human: Fix it\nAI: Fixed.\n",
    "**You**\nFix it\n**ChatGPT:**\nFixed.\n",
    "_**User (2026-03-01 10:00Z)**_\n\nFix it\n\n_**Agent**_\n\nFixed.\n",
    "[10:32:01] Human: Fix it\n[10:32:20] AI: Fixed.\n",
  ];
  for (const chat of chats) {
    assertEquals(readTranscript(chat).format, "markdown");
    assertEquals(said(chat), ["user: Fix it", "assistant: Fixed."]);
  }
  assertEquals(readTranscript(chats[1]).messages[0].timestamp, "2026-03-01T10:00:00.000Z");
});

Deno.test("readTranscript() takes no heading and no code within an answer for a speaker", () => {
  const answer = "Done.\n\n### Result\n\n- **Model:** small\n\n```yaml\n## User\nuser: admin\n```";
  const chat = `## User\n\nGo\n\n## Tool (edit)\n\nApplied.\n\n## Assistant\n\n${answer}\n`;
  assertEquals(said(chat), ["user: Go", "tool(edit): Applied.", `assistant: ${answer}`]);
});

Deno.test("readTranscript() takes text that names nobody for the agent's, and says so", () => {
  const { messages, problems } = readTranscript("We chose JSON.\n");
  assertEquals(messages.map(({ role }) => role), ["assistant"]);
  assertEquals(problems.length, 1);
  assertEquals(readTranscript(" \n").problems, ["The transcript has no messages"]);
});

Deno.test("readTranscript() takes who is not known by name for the other side", () => {
  const chat = "Dana: Go\n\nAssistant: Note: it is done.\n\nDana: Thanks\n\nAssistant: Bye";
  assertEquals(said(chat), [
    "user: Go",
    "assistant: Note: it is done.",
    "user: Thanks",
    "assistant: Bye",
  ]);
  const model = "## User\nGo\n## Sonnet 4.5\n**Note:** done\n## User\nMore\n## Sonnet 4.5\nBye";
  assertEquals(said(model).map((line) => line.split(":")[0]), [
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
});

Deno.test("readTranscript() hears who speaks after a fence that is never closed", () => {
  const chat = "## User\n```\nlog\n\n## Assistant\nFixed.\n\n## User\nThanks";
  assertEquals(said(chat).length, 3);
});
