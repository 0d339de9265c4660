import { assertEquals } from "@std/assert";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

Deno.test("agentx log shows what was done by whom, filtered and counted", async () => {
  using temp = new TempWorkspace({ agents: { architect: "echo Yes." } });
  await temp.run(["issue", "create", "-t", "One"]);
  await temp.run(ASK);
  const operations = async (...words: string[]) => {
    const { lines } = await temp.json(["log", ...words]);
    return lines.map(({ operation }: { operation: string }) => operation);
  };
  assertEquals(await operations("--issue", "1"), ["state-change"]);
  const asked = ["clarification-requested", "clarification-answered"];
  assertEquals(await operations("--kind", "clarification"), asked);
  assertEquals(await operations("--kind", "clarification", "--limit", "1"), asked.slice(1));
  assertEquals(await operations("--kind", "clarification", "--agent", "reviewer"), []);
  assertEquals((await operations("--agent", "architect")).includes("clarification-answered"), true);
  const { summary } = await temp.json(["log", "--summary", "--kind", "clarification"]);
  assertEquals(summary, [
    { operation: "clarification-answered", count: 1 },
    { operation: "clarification-requested", count: 1 },
  ]);
  assertEquals((await temp.run(["log", "--kind", "nothing"])).out, "  Nothing in the log.\n");
});
