import { assert, assertEquals } from "@std/assert";
import { McpClient } from "../../mcp/mcp_client.ts";
import { HookSession } from "../../hooks/hook_session.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const WHO = ["--agent", "engineer", "--issue", "42"];

const SEVERAL = `- decision: JSON lines, because they merge without a rule
- error: npm ci fails on Node 18; it works on Node 20
- The ledger lives in src/ledger.ts
`;

Deno.test("memory note keeps several at once, each under its category", async () => {
  using temp = new TempWorkspace();
  const { observation, observations } = await temp.json(["memory", "note", ...WHO, "-"], {
    stdin: SEVERAL,
  });
  assertEquals(
    observations.map((one: { category: string; content: string }) => [one.category, one.content]),
    [
      ["decision", "JSON lines, because they merge without a rule"],
      ["error", "npm ci fails on Node 18; it works on Node 20"],
      ["key-fact", "The ledger lives in src/ledger.ts"],
    ],
  );
  assertEquals(observation.id, observations[0].id);
  await temp.json(["memory", "note", ...WHO, "-"], { stdin: SEVERAL });
  assertEquals((await temp.json(["memory", "export"])).observations.length, 3);
});

Deno.test("memory note takes the category that its text begins with", async () => {
  using temp = new TempWorkspace();
  const note = async (...words: string[]) => {
    const { observation } = await temp.json(["memory", "note", ...WHO, ...words]);
    return [observation.category, observation.content];
  };
  assertEquals(await note("decision: JSON lines"), ["decision", "JSON lines"]);
  assertEquals(await note("rule: no ORM"), ["key-fact", "rule: no ORM"]);
});

Deno.test("memory note refuses more than five at once", async () => {
  using temp = new TempWorkspace();
  const six = Array.from({ length: 6 }, (_, at) => `- note ${at} of it`).join("\n");
  const { code, err } = await temp.run(["memory", "note", ...WHO, "-"], { stdin: six });
  assertEquals(code, 2);
  assert(err.includes("it has 6 notes; the limit is 5"), err);
});

Deno.test("memory_note keeps several in one call, once, and the next session recalls them", async () => {
  using temp = new TempWorkspace();
  await using mcp = await McpClient.connect(temp, { era: "2025-11-25" });
  const given = { agent: "engineer", issue: 42, text: SEVERAL };
  await mcp.call("memory_note", given);
  await mcp.call("memory_note", given);
  temp.write(".git/HEAD", "ref: refs/heads/issue-42-cache\n");
  const { text } = await new HookSession(temp, { id: "next" }).fire("SessionStart");
  for (const said of ["JSON lines, because", "works on Node 20", "src/ledger.ts"]) {
    assert(text.includes(said), text);
  }
  assertEquals((await temp.json(["memory", "export"])).observations.length, 3);
});

Deno.test("a session without an issue is remembered for the project, and recalled by the next one", async () => {
  using temp = new TempWorkspace();
  const said = "Never use two locks in src/store.ts, because they wait for each other.";
  const transcript = `${temp.root}/t.jsonl`;
  const line = { type: "user", sessionId: "one", message: { role: "user", content: said } };
  temp.write("t.jsonl", `${JSON.stringify(line)}\n`);
  const first = new HookSession(temp, { id: "one" });
  await first.fire("SessionStart");
  await first.fire("SessionEnd", { transcript_path: transcript });
  const next = new HookSession(temp, { id: "two" });
  await next.fire("SessionStart");
  const { text } = await next.fire("UserPromptSubmit", { prompt: "Why do the two locks wait?" });
  assert(text.includes("Never use two locks in src/store.ts"), text);
  const [{ issueNumber }] = (await temp.json(["memory", "export"])).observations;
  assertEquals(issueNumber, 0);
});
