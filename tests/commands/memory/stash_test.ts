import { assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";
import { git } from "../../pipeline/feature.ts";

Deno.test("memory: stash -u before its first commit, a note, and stash pop leave both notes", async () => {
  using temp = new TempWorkspace();
  git(temp, "init", "-q", "-b", "main");
  git(temp, "config", "user.name", "t");
  git(temp, "config", "user.email", "t@example.org");
  await temp.run(["init"]);
  git(temp, "add", "-A");
  git(temp, "commit", "-qm", "begin");
  const note = ["memory", "note", "--agent", "engineer", "--issue", "1"];
  await temp.run([...note, "Tests need TZ=UTC."]);
  await temp.run(["issue", "create", "-t", "One"]);
  git(temp, "stash", "--include-untracked", "--quiet");
  await temp.run([...note, "Builds need make."]);
  await temp.run(["issue", "create", "-t", "Two"]);
  git(temp, "stash", "pop", "--quiet");
  assertEquals((await temp.json(["memory", "search", "need"])).observations.length, 2);
  assertEquals((await temp.json(["issue", "list"])).issues.length, 2);
  assertEquals((await temp.run(["doctor"])).code, 0);
});
