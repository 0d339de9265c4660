import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../../temp_workspace.ts";

Deno.test("issue close names the open assumptions of the issue, and closes it", async () => {
  using workspace = new TempWorkspace();
  for (const title of ["Pay", "Ship"]) await workspace.run(["issue", "create", "-t", title]);
  for (const [issue, text] of [["1", "Cards only"], ["1", "No refunds"], ["2", "By post"]]) {
    await workspace.run([
      ...["assumptions", "add", "-i", issue, "--from", "pm", "--because", "x", "--risk", "low"],
      text,
    ]);
  }
  await workspace.run(["assumptions", "confirm", "ASM-002"]);
  const { code, err } = await workspace.run(["issue", "close", "1"]);
  const note = "note: #1 rests on ASM-001, which nobody has confirmed: Cards only\n";
  assertEquals([code, err, workspace.issue(1).state], [0, note, "closed"]);
});

Deno.test("issue close refuses while parts are open, and closes them with --with-parts", async () => {
  using workspace = new TempWorkspace();
  for (const [title, ...parent] of [["Shop"], ["Pay", "1"], ["Card", "2"], ["Ship", "1"]]) {
    const below = parent.flatMap((number) => ["--parent", number]);
    await workspace.run(["issue", "create", "-t", title, "-l", "needs:changes", ...below]);
  }
  await workspace.run(["issue", "close", "4"]);
  for (const words of [["close", "1"], ["edit", "1", "-s", "done"]]) {
    const { code, err } = await workspace.run(["issue", ...words]);
    assertEquals([code, workspace.issue(1).status], [6, "Backlog"], err);
    assert(err.includes("its parts #2, #3 are open") && err.includes("--with-parts"), err);
  }
  assertEquals((await workspace.run(["issue", "close", "1", "--with-parts"])).code, 0);
  const states = [1, 2, 3, 4].map((number) => workspace.issue(number));
  assertEquals(states.map(({ state }) => state), Array(4).fill("closed"));
  assertEquals(states.flatMap(({ labels }) => labels), [], "needs:changes leaves with Done");

  await workspace.run(["issue", "edit", "3", "-s", "Ready"]); // as a merge may reopen it
  const [tree, view] = [["tree"], ["view", "1"]].map((words) => workspace.run(["issue", ...words]));
  assert((await tree).out.includes("#1 Shop (Done, 1/2 done)"), (await tree).out);
  assert((await view).out.includes("Done") && (await view).out.includes("parts: 1/2 done"));
  const open = await workspace.run(["issue", "view", "2"]);
  assert(open.out.includes("Done"), open.out);
});

Deno.test("issue close closes where the assumptions cannot be read", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Pay"]);
  workspace.write(".agentx/state/assumptions.json", "{");
  const { code, err } = await workspace.run(["issue", "close", "1"]);
  assertEquals([code, err.startsWith("note: "), workspace.issue(1).state], [0, true, "closed"]);
});
