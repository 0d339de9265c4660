import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../temp_workspace.ts";

Deno.test("agentx guard says the verdict, the rule and why, and runs nothing", async () => {
  using workspace = new TempWorkspace();
  const allowed = await workspace.run(["guard", "ls -la"]);
  assertEquals([allowed.code, allowed.out.split(":")[0]], [0, "  allow"]);
  const asked = await workspace.run(["guard", "ln -s a made.txt"]);
  assertEquals([asked.code, workspace.has("made.txt")], [7, false]);
  const blocked = await workspace.run(["guard", "--json", "git reset --hard"]);
  assertEquals(blocked.code, 6);
  assertEquals(JSON.parse(blocked.out).judgement.rule, "git-discard");
});

Deno.test("agentx guard heeds the policy of the repository, and the user's own", async () => {
  using workspace = new TempWorkspace();
  workspace.write(".agentx/policy.toml", '[rules]\nlook = "block"\nnetwork = "allow"\n');
  assertEquals((await workspace.run(["guard", "ls"])).code, 6);
  assertEquals((await workspace.run(["guard", "curl x"])).code, 7);
  workspace.write(".agentx/policy.toml", "[rules]\nlook = 1\n");
  const wrong = await workspace.run(["guard", "ls"]);
  assertEquals(wrong.code, 2);
  assert(wrong.err.includes("policy.toml"));
});

Deno.test("an agent's session starts no paid run of a workflow, and deletes no memory, unasked", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Pay by card", "-l", "type:feature"]);
  const note = ["memory", "note", "--agent", "engineer", "--issue", "1"];
  const { id } = (await workspace.json([...note, "Tests need TZ=UTC."])).observation;
  const sessions: Record<string, string>[] = [{ CLAUDECODE: "1" }, { AGENTX_AGENT: "engineer" }];
  for (const env of sessions) {
    const run = await workspace.run(["workflow", "run", "1"], { env });
    assertEquals(run.code, 6, run.err);
    assert(run.err.includes("A person starts them: agentx workflow run 1"), run.err);
    assertEquals((await workspace.run(["workflow", "run", "1", "--dry-run"], { env })).code, 0);
    const removed = await workspace.run(["memory", "delete", id, "--yes"], { env });
    assertEquals(removed.code, 6, removed.err);
  }
  assertEquals((await workspace.run(["memory", "view", id])).code, 0);
  assertEquals((await workspace.run(["memory", "delete", id, "--yes"])).code, 0);
});
