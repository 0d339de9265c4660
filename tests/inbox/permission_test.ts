/**
 * Sessions that wait for a permission in their own terminal: who waits, since when, and for what.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "../hooks/hook_session.ts";

const ASKED = { tool_name: "Bash", tool_input: { command: "make deploy" } };

async function waiting(temp: TempWorkspace): Promise<unknown[]> {
  const { entries } = await temp.json(["inbox"]);
  // deno-lint-ignore no-explicit-any -- a test looks into it
  return entries.map(({ id, kind, agent, issue, topic }: any) => [id, kind, agent, issue, topic]);
}

Deno.test("a session that waits for a permission is in the inbox, with its role and issue, until it goes on", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp);
  await session.fire("SessionStart", { source: "startup" });
  await session.run(["here", "--as", "engineer", "--issue", "7"]);
  const { code, answer } = await session.fire("PermissionRequest", ASKED);
  assertEquals([code, answer], [0, undefined]);
  const entry = ["claude-3f2a", "permission", "engineer", 7, "make deploy"];
  assertEquals(await waiting(temp), [entry]);
  await session.fire("PostToolUse", { tool_name: "Bash", tool_input: { command: "ls" } });
  assertEquals(await waiting(temp), []);
});

Deno.test("a session that ended waits for no permission", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp);
  await session.fire("PermissionRequest", ASKED);
  assertEquals((await waiting(temp)).length, 1);
  await session.fire("SessionEnd", { reason: "other" });
  assertEquals(await waiting(temp), []);
});

Deno.test("a session that was refused a permission waits no more: its recording goes on, and no hook is called", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp);
  temp.write("session.jsonl", "{}\n");
  const transcript = `${temp.root}/session.jsonl`;
  await session.fire("PermissionRequest", { ...ASKED, transcript_path: transcript });
  assertEquals((await waiting(temp)).length, 1);
  const later = new Date(Date.now() + 5_000);
  Deno.utimeSync(transcript, later, later);
  assertEquals(await waiting(temp), []);
});

Deno.test("a request of Codex is shown as its command, without secrets", async () => {
  using temp = new TempWorkspace();
  const id = "01999999-2222-7333-8444-555566661a2b";
  const session = new HookSession(temp, { host: "codex", id });
  await session.fire("PermissionRequest", {
    tool_name: "Bash",
    tool_input: {
      command: "curl -H 'Authorization: Bearer ghp_abcdefghijklmnopqrstuvwxyz0123456789'",
    },
  });
  const [[, kind, , , topic]] = await waiting(temp) as string[][];
  assertEquals([kind, topic.startsWith("curl -H")], ["permission", true], topic);
  assertEquals(JSON.stringify(session.file).includes("ghp_"), false); // nor is it on disk
});

Deno.test("a session is not answered from elsewhere", async () => {
  using temp = new TempWorkspace();
  await new HookSession(temp).fire("PermissionRequest", ASKED);
  const { code, err } = await temp.run(["answer", "claude-3f2a", "a"]);
  assertEquals(code, 2, err);
});
