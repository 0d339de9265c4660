/**
 * A host that reports no end of a session: its recording is kept at each stop, and captured once.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "./hook_session.ts";

const line = (text: string, more: object) =>
  `${JSON.stringify({ uuid: text, sessionId: "s1", message: { parts: [{ text }] }, ...more })}\n`;
const asked = (text: string) => line(text, { type: "user", provenance: "real_user" });
const PROMPT = asked("How do we keep issues?");
const said = (text: string) =>
  line(text, { type: "assistant", message: { role: "model", parts: [{ text }] } });

async function observations(temp: TempWorkspace): Promise<string[]> {
  const { observations } = await temp.json(["memory", "export"]);
  return observations.map(({ content }: { content: string }) => content);
}

Deno.test("qwen: a session without an end is captured, with what it said after its first stop", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp, { host: "qwen" });
  const at = { transcript_path: `${temp.root}/chat.jsonl` };
  temp.write("chat.jsonl", PROMPT);
  await session.fire("Stop", { ...at, background_tasks: [{ status: "running" }] });
  await new HookSession(temp, { host: "qwen", id: "other" }).fire("SessionStart");
  assertEquals(await observations(temp), []);

  const first = "We decided to keep one JSON file per issue, because git merges those.";
  const later = "We use PostgreSQL 16 for the ledger, because the architect asked for it.";
  temp.write("chat.jsonl", PROMPT + said(first));
  await session.fire("Stop", at);
  temp.write("chat.jsonl", PROMPT + said(first) + asked("And the ledger?") + said(later));
  await session.fire("Stop", at);
  const old = new Date(Date.now() - 60_000);
  Deno.utimeSync(`${temp.root}/chat.jsonl`, old, old);
  for (const id of ["next", "last"]) {
    await new HookSession(temp, { host: "qwen", id }).fire("SessionStart");
    assertEquals((await observations(temp)).sort(), [first, later]);
    await session.fire("Stop", at); // resumed
  }
});
