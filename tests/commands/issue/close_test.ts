import { assertEquals } from "@std/assert";
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

Deno.test("issue close closes where the assumptions cannot be read", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Pay"]);
  workspace.write(".agentx/state/assumptions.json", "{");
  const { code, err } = await workspace.run(["issue", "close", "1"]);
  assertEquals([code, err.startsWith("note: "), workspace.issue(1).state], [0, true, "closed"]);
});
