/**
 * Two sessions that change one file learn of each other, on every host that can carry a note.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { HostName } from "../../lib/hosts/hosts.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { replace } from "../lock/faults.ts";
import { HookSession } from "./hook_session.ts";

/** What each host sends after its editing tool. */
const EDITS: Partial<Record<HostName, (path: string) => [event: string, payload: object]>> = {
  claude: (path) => ["PostToolUse", { tool_name: "Edit", tool_input: { file_path: path } }],
  codex: (path) => {
    const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`;
    return ["PostToolUse", { tool_name: "apply_patch", tool_input: { command: patch } }];
  },
  gemini: (path) => ["AfterTool", { tool_name: "replace", tool_input: { file_path: path } }],
  cursor: (path) => ["postToolUse", { tool_name: "Write", tool_input: { file_path: path } }],
  vscode: (path) => [
    "PostToolUse",
    { tool_name: "replace_string_in_file", tool_input: { filePath: path } },
  ],
  opencode: (path) => ["tool.execute.after", { tool_name: "edit", tool_input: { filePath: path } }],
};

const idOf = (number: number) => `11111111-2222-4333-8444-55556666000${number}`;

/** A repository with a second worktree, and its files. */
function withWorktree(): { temp: TempWorkspace; tree: string } {
  const temp = new TempWorkspace();
  const git = (...args: string[]) => {
    const as = ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args];
    const { success } = new Deno.Command("git", { args: as, cwd: temp.root, stderr: "null" })
      .outputSync();
    assert(success);
  };
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "x");
  git("worktree", "add", "-q", "tree", "-b", "other");
  return { temp, tree: `${temp.root}/tree` };
}

/** What the session is told after it has edited a file. */
async function edit(session: HookSession, path: string, cwd: string): Promise<string> {
  const [event, payload] = EDITS[session.host]!(`${cwd}/${path}`);
  const { code, text, err } = await session.fire(event, { cwd, ...payload });
  assertEquals([code, err], [0, ""]);
  return text;
}

for (const host of ["claude", "codex", "gemini", "cursor", "vscode"] as const) {
  Deno.test(`${host}: a session that changes a file of another one is told once, with its issue`, async () => {
    const { temp, tree } = withWorktree();
    using _ = temp;
    const [own, other] = [idOf(1), idOf(2)].map((id) => new HookSession(temp, { host, id }));
    const reviewer = new HookSession(temp, { host: "claude", id: idOf(3) });
    await reviewer.run(["here", "--as", "reviewer", "--issue", "7"]);
    await reviewer.run(["issue", "create", "Pay"]);
    assertEquals(await edit(reviewer, "src/a.ts", tree), "");
    assertEquals(await edit(own, "src/b.ts", temp.root), "");
    const told = await edit(own, "src/a.ts", temp.root);
    const said = "reviewer@claude-0003 changed src/a.ts 0s ago for #7, in " + tree;
    assert(told.includes(said), told);
    assert(told.includes("agentx ask reviewer@claude-0003 --issue 7 QUESTION"), told);
    assertEquals(await edit(own, "src/a.ts", temp.root), "", "once a file");
    const back = await edit(reviewer, "src/a.ts", tree);
    assert(back.includes("changed src/a.ts") && back.includes("ask its human"), back);
    assert((await edit(other, "src/b.ts", temp.root)).includes("changed src/b.ts"), "one checkout");
    const { out } = await temp.run(["status"]);
    const row = `src/a.ts     0s  ${host}-0001, reviewer@claude-0003 (#7)`;
    assert(out.includes(`  Changed by several sessions\n    ${row}\n`), out);
    const { sharedFiles } = await temp.json(["status"]);
    assertEquals(sharedFiles.map(({ path }: { path: string }) => path), ["src/a.ts", "src/b.ts"]);
  });
}

Deno.test("a session whose host hears nothing after a tool is known to others, and shown by status", async () => {
  const { temp } = withWorktree();
  using _ = temp;
  const [one, two] = (["opencode", "claude"] as const)
    .map((host, index) => new HookSession(temp, { host, id: idOf(index) }));
  assertEquals(await edit(one, "a.ts", temp.root), "");
  assert((await edit(two, "a.ts", temp.root)).includes("changed a.ts"));
  assertEquals(await edit(one, "a.ts", temp.root), "");
  assertEquals((await temp.json(["status"])).sharedFiles.length, 1);
});

Deno.test("reading, failed edits, ended sessions, half an hour and other folders are no shared change", async () => {
  const { temp } = withWorktree();
  using _ = temp;
  const [one, two] = [1, 2].map((number) => new HookSession(temp, { id: idOf(number) }));
  const tool_input = { file_path: `${temp.root}/a.ts` };
  await one.fire("PostToolUse", { tool_name: "Read", tool_input });
  await one.fire("PostToolUseFailure", { tool_name: "Edit", tool_input, error: "no such text" });
  assertEquals(await edit(two, "a.ts", temp.root), "");
  const outside = { tool_name: "Edit", tool_input: { file_path: "/nowhere/a.ts" } };
  assertEquals((await one.fire("PostToolUse", outside)).text, "");
  await two.fire("SessionEnd");
  assertEquals(await edit(one, "a.ts", temp.root), "");
  await two.fire("SessionStart");
  assert((await edit(two, "a.ts", temp.root)).includes("changed a.ts"));
  const later = Date.now() + 31 * 60_000;
  using _clock = replace("now", () => () => later);
  assertEquals((await temp.json(["status"])).sharedFiles, []);
});
