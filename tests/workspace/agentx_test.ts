import { assert, assertEquals } from "@std/assert";
import type { AgentInvoker } from "../../lib/agents/agent_call.ts";
import { type Agentx, openWorkspace, type Question } from "../../lib/workspace/agentx.ts";
import { refusal } from "../refusal.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const QUESTION = {
  issue: 42,
  from: "engineer",
  to: "architect",
  question: "PostgreSQL or SQLite?\nThe code has both.",
} satisfies Question;

async function opened(
  temp: TempWorkspace,
  agents: Record<string, AgentInvoker> = {},
): Promise<Agentx> {
  return await openWorkspace({ root: temp.root, agents });
}

Deno.test("agentx.ask() waits for the answer of an agent that is a function", async () => {
  using temp = new TempWorkspace();
  const agentx = await opened(temp, { architect: () => Promise.resolve("PostgreSQL.") });
  const { id, status, answer, clarification } = await agentx.ask(QUESTION);
  assertEquals([id, status, answer], ["CLR-42-001", "answered", "PostgreSQL."]);
  assertEquals([clarification.topic, clarification.blocking], ["PostgreSQL or SQLite?", true]);
  const { round } = await agentx.ask({ id, question: "Which version?" });
  assertEquals([round, (await agentx.get(id)).thread.length], [2, 4]);
});

Deno.test("openWorkspace() knows an agent by its short name, and refuses what is no name", async () => {
  using temp = new TempWorkspace();
  const agentx = await opened(temp, { pm: () => Promise.resolve("By Friday.") });
  const { answer } = await agentx.ask({ ...QUESTION, from: "architect", to: "product-manager" });
  assertEquals(answer, "By Friday.");
  await refusal("INVALID_INPUT", () => opened(temp, { Architect: () => Promise.resolve("No.") }));
});

Deno.test("agentx.ask() takes an error of ours that an agent's function throws for a failed run of it", async () => {
  using temp = new TempWorkspace();
  let runs = 0;
  const agentx: Agentx = await openWorkspace({
    root: temp.root,
    agents: {
      async architect() {
        runs++;
        const { answer } = await agentx.ask({ ...QUESTION, from: "architect", to: "engineer" });
        return answer ?? "";
      },
    },
    retryDelayMs: 0,
  });
  const { status, clarification } = await agentx.ask(QUESTION);
  assertEquals([status, runs], ["escalated", 2]);
  assert(clarification.thread.at(-1)!.body.includes("Cannot ask engineer as architect"));
});

Deno.test("agentx.ask() says at once that nobody can be run, and what a person can do", async () => {
  using temp = new TempWorkspace();
  const { status, answer, reach } = await (await opened(temp)).ask(QUESTION);
  assertEquals([status, answer, reach?.by], ["pending", null, "nobody"]);
});

Deno.test("agentx.ask() only writes down what does not block", async () => {
  using temp = new TempWorkspace();
  let runs = 0;
  const agentx = await opened(temp, { architect: () => Promise.resolve(`run ${++runs}`) });
  const { id, status } = await agentx.ask({ ...QUESTION, blocking: false });
  assertEquals([id, status, runs], ["CLR-42-001", "pending", 0]);
});

for (const field of ["from", "to", "question"] as const) {
  Deno.test(`agentx.ask() refuses an empty ${field}, and writes nothing`, async () => {
    using temp = new TempWorkspace();
    const agentx = await opened(temp);
    const before = temp.snapshot();
    await refusal("INVALID_INPUT", () => agentx.ask({ ...QUESTION, [field]: "" }));
    assertEquals(temp.snapshot(), before);
  });
}

Deno.test("agentx.answer(), resolve() and escalate() act as who is meant, or as who is named", async () => {
  using temp = new TempWorkspace();
  const agentx = await opened(temp);
  const { id } = await agentx.ask(QUESTION);
  const { status, inTime } = await agentx.answer(id, "PostgreSQL.");
  assertEquals([status, inTime], ["answered", true]);
  assertEquals((await agentx.resolve(id, "Clear.")).thread.map(({ from }) => from), [
    "engineer",
    "architect",
    "engineer",
  ]);
  const other = await agentx.ask({ ...QUESTION, question: "And the cache?" });
  await refusal("INVALID_TRANSITION", () => agentx.answer(other.id, "Redis.", { by: "tester" }));
  const { status: now } = await agentx.escalate(other.id, "Nobody knows.");
  assertEquals([now, (await agentx.resolve(other.id, "Redis.", { by: "human" })).status], [
    "escalated",
    "resolved",
  ]);
});

Deno.test("agentx.list() gives the threads that match all that is named", async () => {
  using temp = new TempWorkspace();
  const agentx = await opened(temp);
  await agentx.ask(QUESTION);
  await agentx.ask({ ...QUESTION, issue: 43 });
  await agentx.answer("CLR-43-001", "PostgreSQL.");
  const ids = async (...filter: Parameters<Agentx["list"]>) =>
    (await agentx.list(...filter)).map(({ id }) => id);
  assertEquals(await ids(), ["CLR-42-001", "CLR-43-001"]);
  assertEquals(await ids({ issue: 43 }), ["CLR-43-001"]);
  assertEquals(await ids({ to: "architect", status: "pending" }), ["CLR-42-001"]);
  assertEquals(await ids({ from: "tester" }), []);
  await refusal("INVALID_INPUT", () => agentx.list({ issue: 0 }));
  await refusal("NOT_FOUND", () => agentx.get("CLR-44-001"));
});

Deno.test("agentx.issues are made, found ready, claimed and given back", async () => {
  using temp = new TempWorkspace();
  const { issues } = await opened(temp);
  const { number } = await issues.create({ title: "Pay by card" });
  const ready = async () => (await issues.ready()).map(({ number }) => number);
  assertEquals(await ready(), [number]);
  assertEquals((await issues.claim("engineer")).assignee, "engineer");
  assertEquals(await ready(), []);
  await issues.release(number, "engineer");
  assertEquals(await ready(), [number]);
  await issues.update(number, { status: "Done" }, "engineer");
  assertEquals((await issues.list()).map(({ state }) => state), ["closed"]);
  await refusal("NOT_FOUND", () => issues.get(number + 1));
  await refusal("INVALID_INPUT", () => issues.claim(""));
});

Deno.test("agentx.memory is that of the workspace, and agentx.events hears of it", async () => {
  using temp = new TempWorkspace();
  const { memory, events } = await opened(temp);
  const stored: string[][] = [];
  events.on("memory-stored", ({ observationIds }) => stored.push(observationIds));
  const { id } = await memory.note("Pools are set up once.", { agent: "engineer", issue: 42 });
  assertEquals(stored, [[id]]);
  const { observations } = await temp.json(["memory", "search", "pool"]);
  assertEquals(observations.map((found: { id: string }) => found.id), [id]);
  await memory.close();
});

Deno.test("agentx.wait() gives the answer that another process writes, or says that there is none in time", async () => {
  using temp = new TempWorkspace();
  const agentx = await opened(temp);
  const { id } = await agentx.ask(QUESTION);
  await refusal("WAIT_TIMEOUT", () => agentx.wait(id, { timeoutMs: 10 }));
  const [{ status, answer }] = await Promise.all([
    agentx.wait(id),
    temp.run(["answer", id, "--as", "architect", "PostgreSQL."]),
  ]);
  assertEquals([status, answer], ["answered", "PostgreSQL."]);
});
