import { assert, assertEquals } from "@std/assert";
import type { Issue } from "../../../lib/work/issue/issue.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

/** An epic #1 with the features #2 and #3; #2 has the stories #4 and #5. */
async function withTree(): Promise<TempWorkspace> {
  const workspace = new TempWorkspace();
  const made = [["Shop", []], ["Pay", [1]], ["Ship", [1]], ["Card", [2]], ["Refund", [2]]] as const;
  for (const [title, [parent]] of made) {
    const flags = parent === undefined ? ["-l", "type:epic"] : ["--parent", String(parent)];
    await workspace.run(["issue", "create", "-t", title, ...flags]);
  }
  return workspace;
}

Deno.test("issue tree shows each issue below what it is a part of, with what is done", async () => {
  using workspace = await withTree();
  await workspace.run(["issue", "close", "4"]);
  await workspace.run(["issue", "edit", "2", "-s", "Ready"]);
  const { out } = await workspace.run(["issue", "tree"]);
  assertEquals(out.trimEnd().split("\n"), [
    "  #1 Shop (Backlog, 1/3 done)",
    "    #2 Pay (Ready, 1/2 done)",
    "      #4 Card (Done)",
    "      #5 Refund (Backlog)",
    "    #3 Ship (Backlog)",
  ]);
  const { issues } = await workspace.json(["issue", "tree", "2"]);
  assertEquals(issues.map(({ number, depth }: Record<string, number>) => [number, depth]), [
    [2, 0],
    [4, 1],
    [5, 1],
  ]);
  const { issues: listed } = await workspace.json(["issue", "list"]);
  const { issue } = await workspace.json(["issue", "view", "2"]);
  assertEquals(
    [issues[0].status, issue.status, listed.find((one: Issue) => one.number === 2).status],
    ["Ready", "Ready", "Ready"],
  );
  const { out: view } = await workspace.run(["issue", "view", "2"]);
  assert(view.includes("  Ready") && view.includes("parts: 1/2 done"), view);
});

Deno.test("issue tree fits into 80 columns and shows a title as one line", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "\u001b[31m" + "long ".repeat(38)]);
  await workspace.run(["issue", "create", "-t", "x", "--parent", "1"]);
  const { out } = await workspace.run(["issue", "tree"]);
  assert(out.split("\n").every((line) => line.length <= 80), out);
  assert(out.includes("\\u{1b}[31m") && out.includes("0/1 done"));
});

Deno.test("issue edit refuses to make an issue a part of itself or of a part of it", async () => {
  using workspace = await withTree();
  for (const parent of ["1", "2", "4"]) {
    const { code, err } = await workspace.run(["issue", "edit", "1", "--parent", parent]);
    assertEquals(code, 2, err);
    assert(err.includes(`#${parent} is #1 itself, or a part of it`), err);
  }
  const { code } = await workspace.run(["issue", "edit", "1", "--parent", "99"]);
  assertEquals(code, 4);
});

Deno.test("issue edit --no-parent takes an issue out of what it was a part of", async () => {
  using workspace = await withTree();
  const { issue } = await workspace.json(["issue", "edit", "2", "--no-parent"]);
  assertEquals(issue.parent, null);
  const both = await workspace.run(["issue", "edit", "2", "--no-parent", "--parent", "1"]);
  assertEquals(both.code, 2);
});

Deno.test("a circle of parents that a merge made is shown, and cut for display", async () => {
  using workspace = await withTree();
  const { uid } = (await workspace.json(["issue", "view", "5"])).issue;
  const top = (await workspace.json(["issue", "view", "1"])).issue.uid;
  const line = {
    ...{ v: 1, id: "elsewhere.0", uid: top, time: "2026-03-01T10:00:00.000Z", by: "human" },
    ...{ op: "set", field: "parent", value: uid, after: [] },
  };
  workspace.write(".agentx/issues/2026-03/other.jsonl", JSON.stringify(line) + "\n");
  const { code, out, err } = await workspace.run(["issue", "tree"]);
  assertEquals([code, err], [0, ""]);
  assert(out.includes("  #1 Shop") && out.includes("parts of each other"), out);
  assertEquals(out.match(/#4 Card/g)?.length, 1);
  assertEquals((await workspace.run(["ready"])).code, 0);
  assertEquals((await workspace.run(["issue", "edit", "1", "--no-parent"])).code, 0);
  assertEquals((await workspace.json(["issue", "tree"])).cycles, []);
});

Deno.test("ready offers what has no parts, and says so of the others", async () => {
  using workspace = await withTree();
  const { issues, waiting } = await workspace.json(["ready"]);
  assertEquals(issues.map(({ number }: { number: number }) => number), [3, 4, 5]);
  assertEquals(
    waiting.map(({ number, reasons }: { number: number; reasons: { kind: string }[] }) => [
      number,
      reasons[0].kind,
    ]),
    [[1, "parts"], [2, "parts"]],
  );
  assertEquals((await workspace.run(["ready", "--claim", "engineer", "--issue", "2"])).code, 6);
});

Deno.test("issue create --parent gives the type of the parts of the parent's workflow", async () => {
  using workspace = await withTree();
  const { issue } = await workspace.json(["issue", "view", "2"]);
  assertEquals(issue.labels, ["type:feature"]);
  const own = await workspace.json([
    "issue",
    "create",
    "-t",
    "x",
    "--parent",
    "1",
    "-l",
    "type:bug",
  ]);
  assertEquals(own.issue.labels, ["type:bug"]);
});

Deno.test("issue split makes a part of each line, with the type that the workflow gives", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Shop", "-l", "type:epic"]);
  const { out } = await workspace.run(["issue", "split", "1"], { stdin: "- Pay\n\n2. Ship\r\n" });
  assertEquals(out, "  Created #2 (Backlog): Pay\n  Created #3 (Backlog): Ship\n");
  const { issue, parent } = await workspace.json(["issue", "view", "3"]);
  assertEquals([issue.labels, parent.number], [["type:feature"], 1]);
});

Deno.test("issue split takes two titles or more as words, and one word as a file", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Shop"]);
  const { issues } = await workspace.json(["issue", "split", "1", "Pay by card", "Ship"]);
  assertEquals(issues.map(({ title }: { title: string }) => title), ["Pay by card", "Ship"]);
  workspace.write("plan.md", "- Bill\n");
  const one = await workspace.json(["issue", "split", "1", `${workspace.root}/plan.md`]);
  assertEquals(one.issues.length, 1);
  const named = ["issue", "split", "1", "--file", `${workspace.root}/plan.md`];
  assertEquals((await workspace.json(named)).issues.length, 1);
  assertEquals((await workspace.run(["issue", "split", "1", "No such file"])).code, 4);
});

Deno.test("parts inherit the priority of their parent, and its type one step down", async () => {
  using workspace = new TempWorkspace();
  const parents = [
    "type:epic,p0",
    "type:feature,priority:p1",
    "type:story",
    "type:bug,p2",
    "area:ui",
  ];
  for (const [at, label] of parents.entries()) {
    await workspace.run(["issue", "create", "-t", `Parent ${at + 1}`, "-l", label]);
    await workspace.run(["issue", "split", `${2 * at + 1}`], { stdin: `Part ${at + 1}\n` });
  }
  const { issues } = await workspace.json(["issue", "list"]);
  const parts = issues.filter(({ parent }: { parent: number | null }) => parent !== null);
  assertEquals(
    parts.map(({ title, labels }: { title: string; labels: string[] }) => [title, labels]),
    [
      ["Part 1", ["type:feature", "p0"]],
      ["Part 2", ["type:story", "p1"]],
      ["Part 3", ["type:story"]],
      ["Part 4", ["type:bug", "p2"]],
      ["Part 5", []],
    ],
  );
  const own = ["issue", "create", "-t", "x", "--parent", "1", "-l", "p3"];
  assertEquals((await workspace.json(own)).issue.labels, ["p3", "type:feature"]);
});

const PLAN = `## PM Decision: PARALLEL MODE

### Task Groups Created

**Group A: Stripe Integration**
- Install Stripe SDK
- Write tests

**Group B: Checkout**
- Depends on: Group A
- Show the form

### Next Action
Orchestrator should spawn 2 developers
`;

Deno.test("issue split makes a part of each group of a plan, and links what waits", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Shop"]);
  workspace.write("plan.md", PLAN);
  const { issues } = await workspace.json(["issue", "split", "1", `${workspace.root}/plan.md`]);
  const seen = issues.map(({ title, body, labels }: Record<string, unknown>) => [
    title,
    body,
    labels,
  ]);
  assertEquals(seen, [
    ["Stripe Integration", "- Install Stripe SDK\n- Write tests", []],
    ["Checkout", "- Show the form", ["blocked_by:#2"]],
  ]);
  assertEquals(issues[1].linkedUids, [`#2 ${issues[0].uid}`]);
  const ready = await workspace.json(["ready"]);
  assertEquals(ready.issues.map(({ number }: { number: number }) => number), [2]);
});

Deno.test("issue split reads why a group waits, and that it waits for none", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Shop"]);
  const plan =
    "Group A: x\nDependencies: no other group\nGroup B: y\nDepends on: A (needs its schema)";
  workspace.write("plan.md", plan);
  const { issues } = await workspace.json(["issue", "split", "1", `${workspace.root}/plan.md`]);
  assertEquals(issues.map(({ labels }: { labels: string[] }) => labels), [[], ["blocked_by:#2"]]);
});

for (
  const plan of [
    "\n",
    "Group A: x\nDepends on: B\nGroup B: y\nDepends on: A",
    "Group A: x\nDepends on: C",
    `ok\n${"x".repeat(201)}`,
    Array.from({ length: 500 }, (_, at) => `Group G${at}: x`).join("\n"),
  ]
) {
  Deno.test(`issue split refuses ${JSON.stringify(plan.slice(0, 50))}, and makes nothing`, async () => {
    using workspace = new TempWorkspace();
    await workspace.run(["issue", "create", "-t", "Shop"]);
    assertEquals((await workspace.run(["issue", "split", "1"], { stdin: plan })).code, 2);
    assertEquals((await workspace.json(["issue", "list", "-a"])).issues.length, 1);
  });
}

Deno.test("issue split refuses a title of blanks without a long wait", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Shop"]);
  const startMs = performance.now();
  const stdin = `Group A: x${" ".repeat(60_000)}y`;
  assertEquals((await workspace.run(["issue", "split", "1"], { stdin })).code, 2);
  assert(performance.now() - startMs < 2_000);
});
