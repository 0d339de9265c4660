import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";

/** Issues 1, 2, ... with these labels. */
async function withIssues(...labels: string[]): Promise<TempWorkspace> {
  const workspace = new TempWorkspace();
  for (const [index, label] of labels.entries()) {
    const argv = label === "" ? [] : ["-l", label];
    await workspace.run(["issue", "create", "-t", `Issue ${index + 1}`, ...argv]);
  }
  return workspace;
}

Deno.test("deps shows what an issue waits for and what waits for it, however far", async () => {
  using workspace = await withIssues("", "blocked_by:#1", "blocked_by:#2", "", "blocked_by:#3");
  await workspace.run(["issue", "close", "1"]);
  const { code, out } = await workspace.run(["deps", "3"]);
  assertEquals(code, 0);
  assertEquals(out.trimEnd().split("\n"), [
    "  #3 Issue 3 (Backlog)",
    "  waits for",
    "    #2 Issue 2 (Backlog)",
    "      #1 Issue 1 (Done)",
    "  is waited for by",
    "    #5 Issue 5 (Backlog)",
  ]);
});

Deno.test("deps shows the way behind an issue once", async () => {
  using workspace = await withIssues("", "blocked_by:#1", "blocked_by:#1", "blocks:#4");
  await workspace.run(["issue", "update", "4", "-l", "blocked_by:#2,blocked_by:#3"]);
  const { out } = await workspace.run(["deps", "4"]);
  assertEquals(out.match(/#1 Issue 1/g)?.length, 2);
  assert(out.includes("#1 Issue 1 (Backlog) (see above)"));
});

Deno.test("deps says that an issue stands alone", async () => {
  using workspace = await withIssues("");
  assert((await workspace.run(["deps", "1"])).out.includes("nothing waits for it"));
});

Deno.test("deps names circles", async () => {
  using workspace = await withIssues("", "blocked_by:#1", "blocked_by:#2");
  await workspace.run(["issue", "update", "1", "-b", "## Dependencies\n- Blocked by #3\n"]);
  const { code, out } = await workspace.run(["deps", "2"]);
  assertEquals(code, 0);
  assert(out.includes("These wait for each other: #1 -> #3 -> #2 -> #1"));
});

Deno.test("deps leaves out circles that have nothing to do with the issue", async () => {
  using workspace = await withIssues("blocked_by:#2", "blocked_by:#1", "");
  assertEquals((await workspace.json(["deps", "3"])).cycles, []);
});

Deno.test("deps gives issues, edges and circles as JSON", async () => {
  using workspace = await withIssues("blocked_by:#2", "blocked_by:#1,blocked_by:#9");
  const unknown = { number: 9, title: null, status: null, state: "unknown" };
  const [first, second] = [1, 2].map((number) => ({
    number,
    title: `Issue ${number}`,
    status: "Backlog",
    state: "open",
  }));
  assertEquals(await workspace.json(["deps", "1"]), {
    schemaVersion: 1,
    kind: "dependencies",
    issue: first,
    issues: [first, second, unknown],
    edges: [
      { waiter: 1, blocker: 2 },
      { waiter: 2, blocker: 1 },
      { waiter: 2, blocker: 9 },
    ],
    cycles: [[1, 2]],
    elsewhere: [],
  });
});

Deno.test("deps names an issue that does not exist", async () => {
  using workspace = await withIssues("blocked_by:#9");
  const { code, out } = await workspace.run(["deps", "1"]);
  assertEquals(code, 0);
  assert(out.includes("#9 (missing or unreadable)"));
});

Deno.test("deps --mermaid draws a chart in which titles are inert", async () => {
  using workspace = await withIssues("", "blocked_by:#1");
  await workspace.run(["issue", "update", "1", "-t", 'a"]; click i1 "javascript:x" %%{init}%%']);
  const { out } = await workspace.run(["deps", "2", "--mermaid"]);
  const [head, first, second, edge] = out.trimEnd().split("\n");
  assertEquals([head, edge], ["graph LR", "  i2 -->|waits for| i1"]);
  assertEquals(second, '  i2["#35;2 Issue 2 #40;Backlog#41;"]');
  assert(/^ {2}i1\["[^"%{}[\]]*"\]$/.test(first), first);
});

Deno.test("deps of an unknown issue is not found", async () => {
  using workspace = new TempWorkspace();
  assertEquals((await workspace.run(["deps", "7"])).code, 4);
});

Deno.test("deps names a corrupt file, does the rest and exits 8", async () => {
  using workspace = await withIssues("", "blocked_by:#1");
  workspace.write(".agentx/issues/1.json", "{");
  const { code, out, err } = await workspace.run(["deps", "2"]);
  assertEquals(code, 8);
  assert(out.includes("#2 Issue 2") && err.includes("issues/1.json"));
});

Deno.test("deps lets no escape sequence of a title through", async () => {
  using workspace = await withIssues("blocked_by:#2", "");
  await workspace.run(["issue", "update", "2", "-t", "\x1b[2Jboo"]);
  for (const flags of [[], ["--mermaid"], ["--json"]]) {
    assert(!(await workspace.run(["deps", "1", ...flags])).out.includes("\x1b"));
  }
});

Deno.test("issue deps --off leaves the dependency on an issue of another project", async () => {
  using temp = new TempWorkspace();
  const labels = "blocked_by:owner/repo#2,blocked_by:#2";
  await temp.run(["issue", "create", "Pay", "-l", labels]);
  assertEquals((await temp.run(["issue", "deps", "1", "--off", "2"])).code, 0);
  assertEquals(temp.issue(1).labels, ["blocked_by:owner/repo#2"]);
  assertEquals((await temp.run(["issue", "deps", "1", "--off", "2"])).code, 4);
});
