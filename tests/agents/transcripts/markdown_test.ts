import { assertEquals } from "@std/assert";
import { readTranscript } from "../../../lib/agents/transcripts/mod.ts";
import { said } from "./said.ts";

Deno.test("readTranscript() reads a chat in any style of markdown", () => {
  const chats = [
    "## User\n\nFix it\n\n## Assistant\n\nFixed.\n",
    "### :) User (2026-03-01 10:00)\nFix it\n### **Claude**\nFixed.\n",
    "**User:** Fix it\n\n**Assistant**: Fixed.\n",
    "Human: Fix it\nAI: Fixed.\n",
    "**You**\nFix it\n**ChatGPT:**\nFixed.\n",
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
  assertEquals(readTranscript(" \n").problems, ["Nobody says anything in the transcript"]);
});
