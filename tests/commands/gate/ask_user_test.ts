/**
 * `agentx ask-user` and `agentx answer`, from a command line.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { renderBlock } from "../../../lib/gate/block.ts";
import { checkQuestion } from "../../../lib/gate/request.ts";
import { askWords, DANGEROUS, STRIPE } from "../../gate/samples.ts";
import { ended, TempWorkspace } from "../../temp_workspace.ts";
import { until } from "../../hosts/mcp/mcp_client.ts";

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
  const { code, out } = await temp.run([...askWords(), "--timeout", "300ms"]);
  assertEquals(code, 0);
  assert(out.includes("the fallback is taken: (a) Test mode"), out);
  const [{ status, outcome, deadline, resolved_at }] = stored(temp).agent_interactions;
  assertEquals([status, outcome, resolved_at], ["timeout", "timeout", deadline]);
});

Deno.test("A high-risk decision about security is never taken by silence", async () => {
  using temp = new TempWorkspace();
  const { code, out } = await temp.run([...askWords(DANGEROUS), "--timeout", "300ms"]);
  assertEquals(code, 7);
  assert(out.includes("is waiting for a human, as long as it takes"), out);
  const [{ status, deadline, decision }] = stored(temp).agent_interactions;
  assertEquals([status, deadline, decision], ["pending", null, null]);
});

Deno.test("A late answer replaces the fallback, and its assumption", async () => {
  using temp = new TempWorkspace();
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

Deno.test("ask-user takes JSON with the keys of its flags", async () => {
  using temp = new TempWorkspace();
  const { evidence, fallback, options: option, question, blockerType } = STRIPE;
  const { reasoning: because, confidence, risk } = fallback;
  const request = { phase: "planning", ...evidence, blockerType, option, because, confidence };
  const words = ["ask-user", "--from", "pm", "--no-wait", "--block", "-"];
  const whole = { issue: 42, session: "s1", ...request, fallback: "a", risk, question };
  const { code, err } = await temp.run(words, { stdin: JSON.stringify(whole) });
  assertEquals([code, err], [7, ""]);
  for (
    const [stdin, why] of [
      ["{", "is not valid JSON"],
      ["no block", "NEEDS_CLARIFICATION"],
      [JSON.stringify({ ...whole, colour: 1 }), 'unknown key "colour"'],
      [JSON.stringify({ ...whole, issue: "x" }), '"issue" must be'],
      [JSON.stringify({ ...whole, question: undefined }), "QUESTION is required"],
    ]
  ) {
    const { code, err } = await temp.run([...words, "--session", "s2"], { stdin });
    assertEquals(code, 2);
    assert(err.includes(why), err);
  }
});
