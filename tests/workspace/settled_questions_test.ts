/**
 * One truth: what questions, people and sessions decided on one topic of an issue is told and used only as
 * far as it holds.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

/** Answers with what stands in a file, and shows what it was asked. */
const READS = "cat >asked.txt; cat answer.txt";

function workspace(): TempWorkspace {
  const temp = new TempWorkspace({ agents: { architect: READS } });
  temp.write("answer.txt", "PostgreSQL, because operations back it up.");
  return temp;
}

async function settle(temp: TempWorkspace): Promise<void> {
  assertEquals((await temp.run(ASK)).code, 0);
  const resolve = ["clarify", "resolve", "CLR-42-001", "Thanks", "--as", "engineer"];
  assertEquals((await temp.run(resolve)).code, 0);
}

const recallOf = async (temp: TempWorkspace) =>
  (await temp.run(["memory", "recall", "--agent", "engineer", "--issue", "42"])).out;

Deno.test("a resolved question is recalled as one sentence, and quoted to who is asked next", async () => {
  using temp = workspace();
  await settle(temp);
  const sentence = "Database layer: PostgreSQL, because operations back it up.";
  const recall = await recallOf(temp);
  assert(recall.includes(sentence), recall);
  await temp.run(ASK.with(9, "Pooling").with(10, "How many connections?"));
  const prompt = temp.read("asked.txt");
  assert(prompt.includes(`> ${sentence} (CLR-42-001)`), prompt);
});

Deno.test("the same question on an issue is answered once, says so, and is asked anew with --again", async () => {
  using temp = workspace();
  await settle(temp);
  temp.write("answer.txt", "SQLite.");
  const { out, code } = await temp.run(ASK.with(10, "  postgresql OR sqlite? "));
  assertEquals([code, temp.ledger().clarifications.length], [0, 1]);
  assert(out.includes("PostgreSQL, because") && out.includes("--again"), out);
  await temp.run([...ASK, "--again"]);
  assertEquals(temp.ledger().clarifications.length, 2);
});

Deno.test("an answer is not used again once a file that the thread names has changed", async () => {
  using temp = workspace();
  temp.write("docs/db.md", "draft");
  temp.write("answer.txt", "As docs/db.md says.");
  await settle(temp);
  assertEquals((await temp.run(ASK), temp.ledger().clarifications.length), 1);
  temp.write("docs/db.md", "decided");
  await temp.run(ASK);
  assertEquals(temp.ledger().clarifications.length, 2);
});

Deno.test("a question that differs in a number, a name or a negation is asked; what is like it is shown", async () => {
  using temp = workspace();
  const ask = (question: string) => temp.run(ASK.with(10, question));
  await ask("May the parser keep 3 retries of a request?");
  const others = [
    "May the parser keep 5 retries of a request?",
    "May the router keep 3 retries of a request?",
    "May the parser not keep 3 retries of a request?",
  ];
  for (const [at, question] of others.entries()) {
    const { out } = await ask(question);
    assertEquals(temp.ledger().clarifications.length, at + 2);
    assert(out.includes("Much like CLR-42-0"), out);
  }
});

Deno.test("open questions with the same words and different topics stay apart", async () => {
  using temp = new TempWorkspace();
  for (const topic of ["Access logs", "Audit logs", " access  LOGS"]) {
    await temp.run([...ASK.with(9, topic).with(10, "How long do we keep them?"), "--non-blocking"]);
  }
  assertEquals(temp.ledger().clarifications.map(({ topic }) => topic), [
    "Access logs",
    "Audit logs",
  ]);
});

Deno.test("a new answer to the same question replaces the old one, which names its successor", async () => {
  using temp = workspace();
  await settle(temp);
  temp.write("answer.txt", "Thirty connections.");
  await temp.run(ASK.with(10, "How many connections?"));
  temp.write("answer.txt", "SQLite, because it needs no server.");
  await temp.run([...ASK, "--again"]);
  for (const id of ["CLR-42-002", "CLR-42-003"]) {
    const { code, err } = await temp.run(["clarify", "resolve", id, "Thanks", "--as", "engineer"]);
    assertEquals(code, 0, err);
  }
  assertEquals(temp.ledger().clarifications.map(({ supersededBy }) => supersededBy), [
    "CLR-42-003",
    undefined,
    undefined,
  ]);
  const { out } = await temp.run(["clarify", "view", "CLR-42-001"]);
  assert(out.includes("PostgreSQL, because") && out.includes("by CLR-42-003"), out);
  const recall = await recallOf(temp);
  assert(recall.includes("Database layer: Thirty") && recall.includes("SQLite, because"), recall);
  assert(!recall.includes("PostgreSQL"), recall);
});

Deno.test("a later decision replaces a settled question, and says so", async () => {
  using temp = workspace();
  await settle(temp);
  const note = ["memory", "note", "--agent", "engineer", "--issue", "42", "--category", "decision"];
  const { err } = await temp.run([...note, "Database layer: SQLite, because it needs no server."]);
  assert(err.includes("CLR-42-001"), err);
  const recall = await recallOf(temp);
  assert(recall.includes("SQLite") && !recall.includes("PostgreSQL"), recall);
  await temp.run(ASK);
  assertEquals(temp.ledger().clarifications.length, 2, "the answer does not hold any more");
});

/** A question that architect answers by hand, and a human then decides with these words. */
async function decided(temp: TempWorkspace, decision: string): Promise<void> {
  await temp.run(ASK);
  const said: readonly (readonly string[])[] = [
    ["answer", "CLR-42-001", "--as", "architect", "PostgreSQL it is."],
    ["clarify", "escalate", "CLR-42-001", "--as", "engineer"],
    ["answer", "CLR-42-001", decision],
  ];
  for (const step of said) {
    const { code, err } = await temp.run(step);
    assertEquals(code, 0, err);
  }
}

Deno.test("a decision of a human replaces the answer and is remembered, however short", async () => {
  using temp = new TempWorkspace();
  await decided(temp, "SQLite");
  const { out } = await temp.run(ASK);
  assert(out.includes("SQLite\n") && out.includes("still holds"), out);
  assert(!out.includes("PostgreSQL it is."), out);
  const { similar } = await temp.json(ASK.with(10, "PostgreSQL or SQLite, please?"));
  assertEquals(similar[0].answer, "SQLite");
  const recall = await recallOf(temp);
  assert(recall.includes("Database layer: SQLite") && !recall.includes("PostgreSQL it"), recall);
});

Deno.test("an answer that a human accepts by its letter holds and is remembered with its words", async () => {
  using temp = new TempWorkspace();
  await decided(temp, "a");
  const accepted = "a) accept the last answer of architect: PostgreSQL it is.";
  assert((await temp.run(ASK)).out.includes(accepted));
  const recall = await recallOf(temp);
  assert(recall.includes(accepted), recall);
});

Deno.test("an answer does not hold where a human allows more rounds, or says nothing", async () => {
  for (const decision of ["c", "Resolved."]) {
    using temp = new TempWorkspace();
    await decided(temp, decision);
    assertEquals([(await temp.run(ASK)).code, temp.ledger().clarifications.length], [7, 2]);
    assert(!(await recallOf(temp)).includes("Database layer"));
  }
});

Deno.test("an answer that comes after the end of its question is not used again", async () => {
  using temp = workspace();
  await settle(temp);
  await temp.run(["answer", "CLR-42-001", "--as", "architect", "MySQL, after all."]);
  const { out } = await temp.run(ASK);
  assert(out.includes("PostgreSQL, because") && !out.includes("MySQL"), out);
});

/** Two assumptions that a person confirmed. */
async function confirmed(temp: TempWorkspace, decisions: readonly string[]): Promise<void> {
  for (const [at, decision] of decisions.entries()) {
    const assume = ["assumptions", "add", "--from", "engineer", "-i", "42"];
    const how = ["--because", "it is usual", "--risk", "low", decision];
    const made = await temp.run([...assume, ...how]);
    assertEquals(made.code, 0, made.err);
    await temp.run(["assumptions", "confirm", `ASM-00${at + 1}`]);
  }
}

Deno.test("a later decision supersedes the assumption that a person confirmed", async () => {
  using temp = workspace();
  await confirmed(temp, ["Retries are 3 for each request"]);
  const note = ["memory", "note", "--agent", "engineer", "--issue", "42", "--category", "decision"];
  const { err } = await temp.run([...note, "Retries are 5 for each request (it is usual)"]);
  assert(err.includes("ASM-001 is superseded"), err);
  assert((await temp.run(["assumptions"])).out.includes("superseded"));
});

Deno.test("two confirmed assumptions that contradict wait in the inbox until one is confirmed anew", async () => {
  using temp = workspace();
  await confirmed(temp, [
    "Every ledger file is stored compressed in the state folder",
    "Every ledger file is stored plain in the state folder",
  ]);
  const { out } = await temp.run(["inbox"]);
  assert(out.includes("ASM-001") && out.includes("ASM-002"), out);
  await temp.run(["assumptions", "confirm", "ASM-002"]);
  assert(!(await temp.run(["inbox"])).out.includes("ASM-00"));
});

Deno.test("an assumption that a person confirms is remembered, however long its reasons", async () => {
  using temp = workspace();
  const assume = ["assumptions", "add", "--from", "engineer", "-i", "42", "--risk", "low"];
  const decision = `Retries are 3 ${"for each request ".repeat(80)}`.trim();
  await temp.run([...assume, "--because", "It is usual. ".repeat(70).trim(), decision]);
  assertEquals((await temp.run(["assumptions", "confirm", "ASM-001"])).code, 0);
  const [{ id }] = (await temp.json(["memory", "search", "retries"])).observations;
  const { content } = (await temp.json(["memory", "view", id])).observation;
  assert(content.startsWith(decision) && content.endsWith("usual.)"), content);
});
