/**
 * `agentx ask human` and `agentx answer`, from a command line.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { renderBlock } from "../../../lib/gate/block.ts";
import { checkQuestion } from "../../../lib/gate/request.ts";
import type { FakeIoOptions } from "../../cli/fake_io.ts";
import { askWords, DANGEROUS, STRIPE } from "../../gate/samples.ts";
import { ended, TempWorkspace } from "../../temp_workspace.ts";
import { until } from "../../mcp/mcp_client.ts";

import { BLOCKS } from "../../readme_blocks.ts";

const INTERACTIONS = ".agentx/state/agent-interactions.json";

// deno-lint-ignore no-explicit-any -- a test looks into it
function stored(temp: TempWorkspace): any {
  return JSON.parse(temp.read(INTERACTIONS));
}

const REFUSALS: [changes: Record<string, string | undefined>, reasons: string[]][] = [
  [{ "blocker-type": "technical_detail" }, ["blocker_type"]],
  [{ "codebase-search": undefined }, ["evidence_empty:codebaseSearch"]],
  [{ "similar-features": "n/a" }, ["evidence_empty:similarFeatures"]],
  [{ "attempted-inference": "[what reasoning was applied]" }, [
    "evidence_empty:attemptedInference",
  ]],
  [{ "similar-features": STRIPE.evidence.codebaseSearch!.toUpperCase() + "!" }, [
    "evidence_copied:similarFeatures",
  ]],
  [{ "attempted-inference": STRIPE.question }, ["evidence_copied:attemptedInference"]],
  [{ investigator: STRIPE.fallback.reasoning }, ["evidence_copied:investigator"]],
  [{ phase: "development" }, ["not_planning"]],
  [{ phase: "qa", "blocker-type": "style", "codebase-search": undefined }, [
    "blocker_type",
    "evidence_empty:codebaseSearch",
    "not_planning",
  ]],
];

for (const [changes, reasons] of REFUSALS) {
  Deno.test(`ask-user is refused: ${reasons.join(", ")} (${JSON.stringify(changes)})`, async () => {
    using temp = new TempWorkspace();
    const words = askWords(changes);
    const { code, err } = await temp.run(words);
    assertEquals(code, 6);
    assert(err.includes("Cannot ask the human: "), err);
    const { error } = await temp.json(words);
    assertEquals(error.code, "GATE_REFUSED");
    assertEquals(error.details, { gate: "human", issueNumber: 42, reasons });
    assert(!temp.has(INTERACTIONS));
  });
}

Deno.test("ask-user about a complex issue needs what an investigator found, and says who finds it", async () => {
  using temp = new TempWorkspace();
  const epic = { number: 42, title: "Payments", labels: ["type:epic"] };
  temp.write(".agentx/issues/42.json", JSON.stringify(epic));
  const { code, err } = await temp.run(askWords());
  assertEquals(code, 6);
  assert(err.includes("the evidence lacks what the investigator found, and #42 is complex"), err);
  const ask = "agentx ask investigator --issue 42 --from product-manager";
  assert(err.includes(ask), err);
  const asked = await temp.run([...ask.split(" ").slice(1), "Which environment?"]);
  assertEquals(asked.code, 7, asked.err);
  const found = { investigator: "src/pay.ts:12 reads STRIPE_MODE, and nothing sets it" };
  assertEquals((await temp.run([...askWords(found), "--no-wait"])).code, 7);
});

const RUN = ["ask", "human", "--run", "pm", "--issue", "42", "Integrate Stripe"];

/** What the log says of agents. */
function logged(temp: TempWorkspace): string[] {
  const [file] = Array.from(Deno.readDirSync(`${temp.root}/.agentx/log`), ({ name }) => name);
  return temp.read(`.agentx/log/${file}`).trim().split("\n")
    .map((line) => JSON.parse(line).operation)
    .filter((name) => name.startsWith("agent-"));
}

Deno.test("status shows the agent of ask human --run while it runs, and not once its process is gone", async () => {
  using temp = new TempWorkspace({
    agents: { "product-manager": "cat >/dev/null; echo $PPID >begun; sleep 30" },
  });
  const child = temp.spawn(RUN);
  const run = ended(child);
  await until(() => temp.has("begun"));
  const { running } = await temp.json(["status"]);
  const [{ agent, issue, since }] = running;
  assertEquals([running.length, agent.replace(/....$/, "X"), issue], [
    1,
    "product-manager@run-X",
    42,
  ]);
  assert(Math.abs(Date.now() - Date.parse(since)) < 60_000);
  child.kill("SIGKILL");
  await run;
  assertEquals((await temp.json(["status"])).running, []);
  const { agents } = await temp.json(["state", "product-manager"]);
  assertEquals(agents.map(({ gone }: { gone: boolean }) => gone), [true]);
  Deno.kill(-Number(temp.read("begun")), "SIGKILL"); // its whole group
});

for (const [script, operation] of [["echo The plan.", "completed"], ["exit 3", "error"]]) {
  Deno.test(`ask human --run logs its agent as started and ${operation}`, async () => {
    using temp = new TempWorkspace({ agents: { "product-manager": `cat >/dev/null; ${script}` } });
    await temp.run(RUN);
    assertEquals(logged(temp), ["agent-started", `agent-${operation}`]);
    assertEquals((await temp.json(["status"])).running, []);
  });
}

Deno.test("ask-user is kept as pending, and agentx answer ends it", async () => {
  using temp = new TempWorkspace();
  const asked = await temp.run([...askWords(), "--no-wait"]);
  assertEquals(asked.code, 7);
  assert(asked.out.includes("agentx answer ASK-001 a|b|c|TEXT"), asked.out);
  const { agent_interactions: [before], orchestrator_state: state } = stored(temp);
  assertEquals([before.status, before.user_response, before.resolved_at], ["pending", null, null]);
  assertEquals(state, {
    clarification_pending: true,
    clarification_requested_at: before.created,
    phase: "awaiting_clarification",
  });
  const answered = await temp.run(["answer", "ASK-001", "c"]);
  assertEquals([answered.code, answered.err], [0, ""]);
  const { agent_interactions: [after], orchestrator_state: { phase } } = stored(temp);
  assertEquals([after.status, after.outcome, phase], ["resolved", "human", "planning_complete"]);
  assertEquals(after.user_response, `User confirmed option (c): ${STRIPE.options[2]}`);
  const { assumptions: [assumption] } = await temp.json(["assumptions", "--issue", "42"]);
  assertEquals(
    [assumption.status, assumption.clarificationId, assumption.confidence],
    ["confirmed", "ASK-001", "high"],
  );
});

Deno.test("ask-user waits for the answer that is given elsewhere, and prints it", async () => {
  using temp = new TempWorkspace();
  const child = temp.spawn([...askWords(), "--json"]);
  await until(() => temp.has(INTERACTIONS));
  assertEquals((await temp.run(["answer", "1", "Neither: a sandbox of our own"])).code, 0);
  const { code, out } = await ended(child);
  const { interaction: { outcome, decision } } = JSON.parse(out);
  assertEquals([code, outcome], [0, "human"]);
  assertEquals(decision, { label: null, text: "Neither: a sandbox of our own" });
});

Deno.test("ask-user takes the fallback when its time is over, of the time of its deadline", async () => {
  using temp = new TempWorkspace();
  temp.user.hasOneSecond();
  const { code, out } = await temp.run([...askWords(), "--timeout", "300ms"]);
  assertEquals(code, 0);
  assert(out.includes("the fallback is taken: (a) Test mode"), out);
  const [{ status, outcome, deadline, resolved_at }] = stored(temp).agent_interactions;
  assertEquals([status, outcome, resolved_at], ["timeout", "timeout", deadline]);
});

Deno.test("A decision about security is never taken by silence, whatever its agent says of the risk", async () => {
  using temp = new TempWorkspace();
  temp.user.hasOneSecond();
  const harmless = { ...DANGEROUS, risk: "low - easy to change" };
  const { code, out } = await temp.run([...askWords(harmless), "--timeout", "300ms"]);
  assertEquals(code, 7);
  assert(out.includes("is waiting for a human, as long as it takes"), out);
  const [{ status, deadline, decision }] = stored(temp).agent_interactions;
  assertEquals([status, deadline, decision], ["pending", null, null]);
});

Deno.test("A late answer replaces the fallback, and its assumption", async () => {
  using temp = new TempWorkspace();
  temp.user.hasOneSecond();
  await temp.run([...askWords(), "--timeout", "100ms"]);
  assertEquals((await temp.run(["answer", "ASK-001", "b"])).code, 0);
  const { assumptions } = await temp.json(["assumptions"]);
  const brief = assumptions.map((one: Record<string, string>) => [
    one.id,
    one.status,
    one.supersededBy,
    one.user_response,
  ]);
  assertEquals(brief, [
    ["ASM-001", "superseded", "ASM-002", "timeout_assumed"],
    ["ASM-002", "confirmed", null, `User confirmed option (b): ${STRIPE.options[1]}`],
  ]);
});

Deno.test("ask-user takes the block of an agent's prose from a file or standard input", async () => {
  using temp = new TempWorkspace();
  const prose = `I am stuck.\n\n${renderBlock(checkQuestion(STRIPE), "5 minutes")}\nPlease help.`;
  temp.write("question.md", prose);
  const file = ["--block", `${temp.root}/question.md`, "--topic", "Stripe"];
  const words = ["ask-user", "-i", "42", "--from", "pm", "--no-wait"];
  assertEquals((await temp.run([...words, ...file])).code, 7);
  assertEquals((await temp.run(["answer", "1", "a"])).code, 0);
  const stdin = await temp.run([...words, "--session", "s2", "--block", "-"], { stdin: prose });
  assertEquals(stdin.code, 7);
  const [first, second] = stored(temp).agent_interactions;
  assertEquals([first.request.topic, second.request.topic], ["Stripe", STRIPE.question]);
  assertEquals([first.content, second.request.evidence], [
    renderBlock(checkQuestion(STRIPE), "5 minutes"),
    { ...STRIPE.evidence, investigator: null },
  ]);
});

Deno.test("ask-user refuses a file without a block, and a block without a question", async () => {
  using temp = new TempWorkspace();
  const words = ["ask-user", "-i", "42", "--from", "pm", "--no-wait", "--block", "-"];
  const block = renderBlock(checkQuestion(STRIPE), "5 minutes");
  for (
    const [stdin, why] of [
      ["no block", "NEEDS_CLARIFICATION"],
      [JSON.stringify({ question: "Which?" }), "NEEDS_CLARIFICATION"],
      [block.replace(STRIPE.question, ""), "as question: it is empty"],
    ]
  ) {
    const { code, err } = await temp.run(words, { stdin });
    assertEquals(code, 2);
    assert(err.includes(why), err);
  }
});

Deno.test("A session only lengthens the time that the human has, a human at a terminal decides it", async () => {
  using temp = new TempWorkspace();
  const asked = async (id: string, given: string, options: FakeIoOptions) => {
    const words = [...askWords({ session: id, from: "pm" }), "--no-wait", "--timeout", given];
    const { err } = await temp.run(words, options);
    const { created, deadline } = stored(temp).agent_interactions.at(-1);
    await temp.run(["answer", id, "a"]);
    return [Date.parse(deadline) - Date.parse(created), err];
  };
  const short = "note: The human has 5m (gate.timeout), not only 1ms\n";
  assertEquals(await asked("1", "1ms", { env: { CLAUDECODE: "1" } }), [300_000, short]);
  assertEquals(await asked("2", "1ms", {}), [300_000, short]);
  assertEquals(await asked("3", "1h", { env: { CLAUDECODE: "1" } }), [3_600_000, ""]);
  assertEquals(await asked("4", "2s", { terminal: true }), [2_000, ""]);
  const security = [...askWords({ ...DANGEROUS, session: "5" }), "--no-wait", "--timeout", "1ms"];
  const { err } = await temp.run(security, { env: { CLAUDECODE: "1" } });
  assertEquals([stored(temp).agent_interactions.at(-1).deadline, err], [null, ""]);
});

Deno.test("The gate closes when an engineer claims the issue, not when its planner does", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card"]);
  const words = [...askWords({ issue: "1" }), "--no-wait"];
  const claim = (assignee: string) => {
    const issue = { number: 1, title: "Pay by card", status: "In Progress", assignee };
    temp.write(".agentx/issues/1.json", JSON.stringify(issue));
  };
  claim("engineer@claude-3f2a");
  const { code, err } = await temp.run(words);
  assertEquals(code, 6);
  assert(err.includes("planning is over, since engineer@claude-3f2a has claimed issue #1"), err);
  claim("product-manager");
  assertEquals((await temp.run(words)).code, 7);
});

Deno.test("ask human takes the block of docs/decide.md, and refuses the template until it is filled in", async () => {
  using temp = new TempWorkspace();
  const words = ["ask", "human", "-i", "42", "--from", "pm", "--no-wait", "--block", "-"];
  const empty = await temp.run(["ask", "human", "--template"]);
  assertEquals([empty.code, empty.out.split("\n")[0]], [0, "## PM Status: NEEDS_CLARIFICATION"]);
  const refused = await temp.run(words, { stdin: empty.out });
  assert(refused.code === 2 || refused.code === 6, refused.err);
  assert(!temp.has(INTERACTIONS));
  const { text } = BLOCKS.find(({ text }) => text.includes("NEEDS_CLARIFICATION"))!;
  assertEquals((await temp.run(words, { stdin: text })).code, 7);
  assertEquals(stored(temp).agent_interactions[0].request.options.length, 2);
});

Deno.test("ask human takes the role and the issue from agentx here", async () => {
  using temp = new TempWorkspace();
  await temp.run(["here", "--as", "pm", "--issue", "42"]);
  const words = askWords({ from: undefined, issue: undefined });
  const { interaction } = await temp.json([...words, "--no-wait"]);
  assertEquals([interaction.request.agent, interaction.request.issue], ["product-manager", 42]);
});
