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

Deno.test("agentx log names who asked, answered, escalated and resolved, not who was asked", async () => {
  using temp = new TempWorkspace({ agents: { architect: "echo Yes." } });
  await temp.run(["issue", "create", "-t", "One"]);
  await temp.run(ASK);
  await temp.run(["clarify", "escalate", "CLR-42-001", "We disagree", "--as", "engineer"]);
  await temp.run(["clarify", "resolve", "CLR-42-001", "Yes."], { terminal: true });
  await temp.run([...ASK.slice(0, -1), "--non-blocking", "And which port?"]);
  await temp.run(["clarify", "answer", "CLR-42-002", "5432."], { terminal: true });
  const words = ["log", "--kind", "clarification"];
  const { lines } = await temp.json(words);
  const expected = [
    "clarification-requested engineer",
    "clarification-answered architect",
    "clarification-escalated engineer",
    "clarification-resolved human",
    "clarification-requested engineer",
    "clarification-answered human",
  ];
  assertEquals(
    lines.map(({ operation, agent }: Record<string, unknown>) => `${operation} ${agent}`),
    expected,
  );
  const { out } = await temp.run(words);
  assertEquals(
    out.trim().split("\n").slice(1).map((row) => row.trim().split(/\s{2,}/).slice(1, 3).join(" ")),
    expected,
  );
});

Deno.test("agentx log names nobody for a line of an earlier version that does not say who answered", async () => {
  using temp = new TempWorkspace();
  const time = new Date().toISOString();
  const line = { time, operation: "clarification-answered", clarificationId: "CLR-42-001" };
  const names = { fromAgent: "engineer", toAgent: "architect" };
  temp.write(
    `.agentx/log/${time.slice(0, 10)}.jsonl`,
    `${JSON.stringify({ ...line, ...names })}\n`,
  );
  const { out } = await temp.run(["log"]);
  assertEquals(/clarification-answered +- +#42 /.test(out), true, out);
});

Deno.test("agentx log shows tools of a captured recording as calls and results, each once", async () => {
  using temp = new TempWorkspace();
  const line = (second: number, type: string, block: object) =>
    JSON.stringify({
      ...{ type, uuid: `u${second}${type}`, sessionId: "s1", isSidechain: false },
      message: { role: type, content: [block] },
      timestamp: `2026-02-26T10:00:0${second}.000Z`,
    });
  const used = (second: number, name: string) => [
    line(second, "assistant", { type: "tool_use", id: `t${second}`, name, input: {} }),
    line(second, "user", { type: "tool_result", tool_use_id: `t${second}`, content: "SECRET" }),
  ];
  const recording = [...used(1, "Bash"), ...used(2, "rm -rf ~ $(x)")];
  const capture = async (lines: string[]) => {
    temp.write("session.jsonl", lines.join("\n"));
    const words = ["--agent", "engineer", "-i", "42", "--from", `${temp.root}/session.jsonl`];
    await temp.run(["memory", "capture", ...words]);
  };
  await capture(recording);
  await capture([...recording, ...used(3, "Edit")]);
  const tools = async (kind: string) => {
    const { lines } = await temp.json(["log", "--since", "999999h", "--kind", kind]);
    return lines.map((line: Record<string, unknown>) =>
      [line.time, line.agent, line.issueNumber, line.tool].join(" ")
    );
  };
  const times = ["2026-02-26T10:00:01.000Z", "2026-02-26T10:00:03.000Z"];
  const expected = [`${times[0]} engineer 42 Bash`, `${times[1]} engineer 42 Edit`];
  assertEquals(await tools("toolCall"), expected);
  assertEquals(await tools("toolResult"), expected);
});

Deno.test("agentx log --issue shows all of one issue in its order, however old: its events, threads and steps", async () => {
  using temp = new TempWorkspace({ agents: { architect: "echo Yes." } });
  const old = { time: "2026-02-26T10:00:00.000Z", operation: "agent-started", issueNumber: 42 };
  temp.write(".agentx/log/2026-02-26.jsonl", `${JSON.stringify(old)}\n`);
  temp.write(".agentx/issues/42.json", JSON.stringify({ number: 42, title: "Pay by card" }));
  await temp.run(["issue", "edit", "42", "-l", "type:story"]);
  await temp.run(["ready", "--claim", "engineer", "--issue", "42"]);
  await temp.run(ASK);
  await temp.run(["clarify", "resolve", "CLR-42-001", "PostgreSQL."]);
  const { lines } = await temp.json(["log", "--issue", "42"]);
  assertEquals(lines.map(({ operation }: { operation: string }) => operation), [
    "agent-started",
    "state-change",
    "state-change",
    "clarification-requested",
    "agent-started",
    "clarification-answered",
    "agent-completed",
    "clarification-resolved",
    "memory-stored",
  ]);
});
