/** What is kept about an issue belongs to it, also while another one has its number. */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";

/** An issue of ours with all that belongs to it, until a merge brings an elder one of the same number. */
async function merged(): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Ours", "-l", "type:story"]);
  await temp.run(["memory", "note", "--agent", "engineer", "--issue", "1", "Cards are stored"]);
  const assumed = ["--from", "engineer", "--because", "x", "--risk", "high", "SQLite is fine"];
  await temp.run(["assumptions", "add", "-i", "1", ...assumed]);
  await temp.run(["loop", "start", "1"]);
  await temp.run(["hook", "start", "product-manager", "1"]);
  await temp.run(["hook", "finish", "product-manager", "1"]);
  await temp.run(["loop", "complete", "1"]);
  await temp.run(["hook", "start", "engineer", "1"]);
  await temp.run(["hook", "finish", "engineer", "1"]);
  const fields = { number: 1, title: "Theirs", status: "Backlog", labels: ["type:story"] };
  const line = { v: 1, id: "t.0", uid: "theirs", by: "x", op: "create", fields };
  const text = JSON.stringify({ ...line, time: "2026-01-01T00:00:00.000Z" });
  temp.write(".agentx/issues/2026-01/theirs.jsonl", `${text}\n`);
  assertEquals(temp.issue(1).title, "Theirs");
  return temp;
}

Deno.test("an issue is not told what was observed of another one that had its number", async () => {
  using temp = await merged();
  const recall = async (issue: string) =>
    (await temp.run(["memory", "recall", "--agent", "engineer", "--issue", issue])).out;
  assert(!(await recall("1")).includes("Cards are stored"));
  await temp.run(["doctor", "--fix"]);
  assertEquals(temp.issue(2).title, "Ours");
  assert((await recall("2")).includes("Cards are stored"));
});

Deno.test("doctor --fix lets assumptions follow their issue to its new number", async () => {
  using temp = await merged();
  await temp.run(["doctor", "--fix"]);
  const { assumptions } = await temp.json(["assumptions"]);
  assertEquals(assumptions.map(({ issue }: { issue: number }) => issue), [2]);
});

Deno.test("the loop of another issue is not changed, and what it finished does not count", async () => {
  using temp = await merged();
  const { code, err } = await temp.run(["loop", "start", "1"]);
  assertEquals([code, err.includes("agentx doctor --fix")], [8, true]);
  const finished = async (issue: string) =>
    JSON.stringify(
      (await temp.json(["issue", "route", issue])).first.map(({ agent }: { agent: string }) =>
        agent
      ),
    );
  const fresh = await finished("1");
  await temp.run(["doctor", "--fix"]);
  assert(await finished("2") !== fresh, fresh);
  assertEquals((await temp.run(["loop", "start", "1"])).code, 0);
  assertEquals((await temp.json(["loop", "status", "2"])).loops[0].status, "complete");
});
