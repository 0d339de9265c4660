/** `agentx answer` for every kind of id, and the short forms of `ask` and `clarify run`. */

import { assert, assertEquals } from "@std/assert";
import { askWords } from "../gate/samples.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

Deno.test("answer takes the ids of every kind, and --json says which it was", async () => {
  using temp = new TempWorkspace();
  await temp.run([...ASK, "--non-blocking"]);
  await temp.run([...askWords({ issue: "9" }), "--no-wait"]);
  await temp.run([
    ...["assumptions", "add", "--issue", "7", "--from", "pm", "--because", "Found in api/auth.py"],
    ...["--risk", "high - every session would end", "JWT for sessions"],
  ]);
  const answered = await temp.json(["answer", "42-1", "PostgreSQL.", "--as", "architect"]);
  assertEquals([answered.kind, answered.status], ["clarification", "answered"]);
  const asked = await temp.json(["answer", "1", "b"]);
  assertEquals([asked.kind, asked.interaction.decision.label], ["interaction", "b"]);
  const judged = await temp.json(["answer", "ASM-1", "revert"]);
  assertEquals([judged.kind, judged.decision], ["inbox.decision", "reverted"]);
});

Deno.test("answer of a human decides what was escalated; that of its target is kept as late", async () => {
  using temp = new TempWorkspace();
  await temp.run([...ASK, "--non-blocking"]);
  await temp.run(["clarify", "escalate", "CLR-42-001"]);
  const late = await temp.json(["answer", "CLR-42-001", "SQLite.", "--as", "architect"]);
  assertEquals(late.status, "escalated");
  await temp.run(["answer", "CLR-42-001", "PostgreSQL."]);
  const [record] = temp.ledger().clarifications;
  assertEquals([record.status, record.thread.at(-1)!.body], ["resolved", "PostgreSQL."]);
});

Deno.test("ask AGENT takes role, issue and topic from here and from the question", async () => {
  using temp = new TempWorkspace();
  const missing = await temp.run(["ask", "architect", "PostgreSQL or SQLite?", "--issue", "42"]);
  assertEquals(missing.code, 2);
  assert(missing.err.includes("agentx here --as ROLE"), missing.err);
  await temp.run(["here", "--as", "engineer", "--issue", "42"]);
  const { clarification } = await temp.json([
    "ask",
    "architect",
    "PostgreSQL or SQLite?\nOr both?",
  ]);
  const { id, from, to, topic } = clarification;
  assertEquals([id, from, to, topic], [
    "CLR-42-001",
    "engineer",
    "architect",
    "PostgreSQL or SQLite?",
  ]);
  await temp.run(["answer", "CLR-42-001", "SQLite."]);
  await temp.run(["ask", "CLR-42-001", "And pooling?"]);
  assertEquals(temp.ledger().clarifications[0].round, 2);
});

Deno.test("ask human is ask-user, also where it stands elsewhere", async () => {
  using temp = new TempWorkspace();
  const [first, ...rest] = askWords({ issue: "9" });
  assertEquals(first, "ask-user");
  const { interaction } = await temp.json(["ask", "human", ...rest, "--no-wait"]);
  assertEquals(interaction.id, "ASK-001");
  const { code, err } = await temp.run(["ask", "-i", "42", "human", "Which?"]);
  assertEquals(code, 2);
  assert(err.includes("agentx ask human"), err);
});

Deno.test("clarify run runs the open questions, or one of them", async () => {
  using temp = new TempWorkspace({ agents: { architect: "echo PostgreSQL." } });
  for (const question of ["Which?", "Which pool?"]) {
    await temp.run([...ASK.slice(0, -1), question, "--non-blocking"]);
  }
  const open = () => temp.ledger().clarifications.filter(({ status }) => status === "pending");
  const before = open().length;
  const planned = await temp.json(["clarify", "run", "--dry-run"]);
  assertEquals([planned.kind, open().length], ["clarification.delivery", before]);
  const one = await temp.json(["clarify", "run", "CLR-42-001"]);
  assertEquals([one.kind, one.status ?? one.newStatus], ["clarification", "answered"]);
  await temp.run(["clarify", "run"]);
  assertEquals(open(), []);
});
