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
