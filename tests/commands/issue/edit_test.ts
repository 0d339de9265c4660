/**
 * `agentx issue edit` and `issue check`, as they protect what others wrote meanwhile.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { HookSession } from "../../hooks/hook_session.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const BODY = "Why.\n\n## Acceptance criteria\n\n- [ ] One\n- [ ] Two\n";

async function withIssue(): Promise<{ temp: TempWorkspace; seen: string }> {
  const temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay by card", "-b", BODY]);
  return { temp, seen: (await temp.json(["issue", "view", "1"])).version };
}

Deno.test("issue edit --seen refuses words that have changed since, names who, and writes nothing", async () => {
  const { temp, seen } = await withIssue();
  using _ = temp;
  await temp.run(["issue", "check", "1", "2", "--as", "engineer"]);
  const late = ["issue", "edit", "1", "--body", "Mine", "--seen", seen];
  const { code, err } = await temp.run(late);
  assertEquals(code, 6);
  assert(/engineer changed its description/.test(err), err);
  assert(temp.issue(1).body.includes("- [x] Two"), temp.issue(1).body);
  const { version } = await temp.json(["issue", "view", "1"]);
  assertEquals((await temp.run([...late.slice(0, -1), version])).code, 0);
  assertEquals(temp.issue(1).body, "Mine");
});

Deno.test("issue edit --seen takes an edit beside changes of other fields", async () => {
  const { temp, seen } = await withIssue();
  using _ = temp;
  await temp.run(["issue", "edit", "1", "-l", "p1", "-s", "In Progress"]);
  await temp.run(["issue", "comment", "1", "--comment", "Soon"]);
  assertEquals((await temp.run(["issue", "edit", "1", "-t", "Pay", "--seen", seen])).code, 0);
});

Deno.test("issue check --seen ticks nothing after a criterion was put before it", async () => {
  const { temp, seen } = await withIssue();
  using _ = temp;
  const body = BODY.replace("- [ ] One", "- [ ] Zero\n- [ ] One");
  await temp.run(["issue", "edit", "1", "--body", body]);
  assertEquals((await temp.run(["issue", "check", "1", "2", "--seen", seen])).code, 6);
  assertEquals(temp.issue(1).body, body);
});

Deno.test("issue edit --assignee assigns without an end, and none takes it back", async () => {
  const { temp } = await withIssue();
  using _ = temp;
  await temp.run(["ready", "--claim", "engineer", "--issue", "1", "--force"]);
  assertEquals((await temp.run(["issue", "edit", "1", "--assignee", "architect"])).code, 0);
  const { issue } = await temp.json(["issue", "view", "1"]);
  assertEquals([issue.assignee, issue.claimed, issue.leaseUntil], ["architect", null, null]);
  assertEquals((await temp.run(["issue", "edit", "1", "--assignee", "none"])).code, 0);
  assertEquals((await temp.json(["issue", "view", "1"])).issue.assignee, null);
});

Deno.test("issue edit --assignee refuses an unknown agent, and an agent that assigns", async () => {
  const { temp } = await withIssue();
  using _ = temp;
  assertEquals((await temp.run(["issue", "edit", "1", "--assignee", "enginer"])).code, 2);
  const session = new HookSession(temp);
  const { code } = await session.run(["issue", "edit", "1", "--assignee", "engineer"]);
  assertEquals(code, 6);
  assertEquals(temp.issue(1).assignee, null);
});

Deno.test("issue edit --seen: of six processes that edit from the same words, one wins", async () => {
  const { temp, seen } = await withIssue();
  using _ = temp;
  const codes = await Promise.all(Array.from({ length: 6 }, async (_, index) => {
    const words = ["issue", "edit", "1", "--body", `Body ${index}`, "--seen", seen];
    return (await temp.spawn(words).output()).code;
  }));
  assertEquals(codes.toSorted(), [0, 6, 6, 6, 6, 6]);
  assertEquals(temp.issue(1).body, `Body ${codes.indexOf(0)}`);
});
