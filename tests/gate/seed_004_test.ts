/**
 * The tests 1 to 5 and the examples 1 to 3 of seed 004, numbered as there: from a request to the plan,
 * with scripted agents, and the whole order of the orchestrator's steps.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { renderBlock } from "../../lib/gate/block.ts";
import { checkQuestion, type GateQuestion } from "../../lib/gate/request.ts";
import { until } from "../mcp/mcp_client.ts";
import { ended, TempWorkspace } from "../temp_workspace.ts";
import { STRIPE } from "./samples.ts";

const INTERACTIONS = ".agentx/state/agent-interactions.json";

/** Example 1 of the seed. */
const AUTH: GateQuestion = {
  ...STRIPE,
  blockerType: "mutually_exclusive_requirements",
  evidence: {
    codebaseSearch: "Found JWT utilities in /api/auth.py, no existing auth flow",
    similarFeatures: "No authentication currently implemented",
    attemptedInference: 'Request contains both "passwordless" and "set passwords"',
  },
  question: "Which authentication method should I implement?",
  options: [
    "Passwordless only (magic links, biometric, no passwords)",
    "Password-based only (traditional username/password)",
    "Both methods (passwordless as primary + password fallback)",
  ],
  fallback: {
    option: "b",
    reasoning: "it's more widely understood and has lower implementation risk",
    confidence: "medium",
    risk: "medium",
  },
};

const PLAN = `## PM Decision: SIMPLE MODE

### Task Groups Created

assumptions_made: [
  {
    "decision": "Using JWT for authentication",
    "blocker_type": "none",
    "user_response": "inferred_from_codebase",
    "reasoning": "Codebase already has JWT utils in /api/auth.py",
    "confidence": "high",
    "risk_if_wrong": "medium - would need to refactor auth approach"
  }
]
`;

/** An agent that prints these, one for each run, and keeps what it was asked. */
function scripted(replies: readonly string[]): string {
  const cases = replies.map((reply, index) => `${index}) cat <<'EOF'\n${reply}\nEOF\n;;`);
  return `n=$(ls | grep -c '^prompt-'); cat >"prompt-$n"; case $n in\n${cases.join("\n")}\nesac`;
}

function block(question: GateQuestion): string {
  return `I have looked everywhere.\n\n${renderBlock(checkQuestion(question), "5 minutes")}`;
}

function withPm(...replies: string[]): TempWorkspace {
  return new TempWorkspace({ agents: { "product-manager": scripted(replies) } });
}

const RUN = ["ask-user", "--run", "pm", "--issue", "42"];

/** What is on disk. */
function state(temp: TempWorkspace) {
  const { agent_interactions: interactions, orchestrator_state: orchestrator } = JSON.parse(
    temp.read(INTERACTIONS),
  );
  return { interactions, orchestrator };
}

async function assumptionsOf(temp: TempWorkspace) {
  // deno-lint-ignore no-explicit-any -- a test looks into them
  const { assumptions }: { assumptions: any[] } = await temp.json(["assumptions"]);
  return assumptions;
}

Deno.test("Seed 004, test 1: normal flow, no clarification is needed", async () => {
  using temp = withPm(PLAN);
  const { code, out, err } = await temp.run([...RUN, "Use the JWT utilities for authentication."]);
  assertEquals([code, err], [0, ""]);
  assert(out.includes("Plan: simple mode."), out);
  const { interactions, orchestrator } = state(temp);
  assertEquals([interactions, orchestrator.phase], [[], "planning_complete"]);
  assert(temp.read("prompt-0").includes("> Use the JWT utilities"), temp.read("prompt-0"));
  const [assumption, ...others] = await assumptionsOf(temp);
  assertEquals(others, []);
  const { decision, blocker_type, user_response, status } = assumption;
  assertEquals([decision, blocker_type, user_response, status], [
    "Using JWT for authentication",
    "none",
    "inferred_from_codebase",
    "open",
  ]);
});

Deno.test("Seed 004, test 2 and example 1: clarification with the human's response", async () => {
  using temp = withPm(block(AUTH), PLAN.replace("SIMPLE", "PARALLEL"));
  const child = temp.spawn([...RUN, "--json", "Passwordless, and users set strong passwords."]);
  await until(() => temp.has(INTERACTIONS) && state(temp).interactions.length > 0);
  const pending = state(temp);
  assertEquals(pending.interactions.map((one: { status: string }) => one.status), ["pending"]);
  assertEquals(pending.orchestrator, {
    clarification_pending: true,
    clarification_requested_at: pending.interactions[0].created,
    phase: "awaiting_clarification",
  });
  assertEquals((await temp.run(["answer", "ASK-001", "c"])).code, 0);
  const { code, out, err } = await ended(child);
  const run = JSON.parse(out);
  assertEquals([code, run.mode, run.interaction.outcome], [0, "PARALLEL", "human"]);
  const steps = [
    "product-manager needs clarification to proceed",
    "| Which authentication method should I implement?",
    "waiting for response (auto-proceed with fallback in 5 minutes)",
    "running product-manager again with the answer",
  ].map((step) => err.indexOf(step));
  assert(steps.every((at, index) => at > (steps[index - 1] ?? -1)), err);
  assert(temp.read("prompt-1").includes(`> (c) ${AUTH.options[2]}`), temp.read("prompt-1"));
  const { interactions: [record], orchestrator } = state(temp);
  assertEquals([orchestrator.clarification_pending, orchestrator.phase], [
    false,
    "planning_complete",
  ]);
  assertEquals([record.request_type, record.status, record.content], [
    "pm_clarification",
    "resolved",
    renderBlock(checkQuestion(AUTH), "5 minutes"),
  ]);
  assertEquals(record.user_response, `User confirmed option (c): ${AUTH.options[2]}`);
  assert(Date.parse(record.resolved_at) >= Date.parse(record.created));
  const [answered] = await assumptionsOf(temp);
  const { decision, blocker_type, confidence, risk_if_wrong } = answered;
  assertEquals([decision, blocker_type, confidence, risk_if_wrong], [
    `${AUTH.question} ${AUTH.options[2]}`,
    "mutually_exclusive_requirements",
    "high",
    "low - explicit user confirmation",
  ]);
});

Deno.test("Seed 004, test 3 and example 3: clarification with a time-out", async () => {
  using temp = withPm(block(STRIPE), PLAN);
  temp.user.hasOneSecond();
  const { code, err } = await temp.run([...RUN, "--timeout", "300ms", "Integrate Stripe."]);
  assertEquals(code, 0);
  assert(err.includes("running product-manager again with the fallback"), err);
  const prompt = temp.read("prompt-1");
  assert(prompt.includes("did not answer it (timeout). Proceed with your fallback"), prompt);
  assert(prompt.includes(`> (a) ${STRIPE.options[0]}`), prompt);
  const { interactions: [record], orchestrator } = state(temp);
  assertEquals([record.status, record.user_response, record.resolved_at], [
    "timeout",
    "timeout_assumed",
    record.deadline,
  ]);
  assertEquals(orchestrator.phase, "planning_complete");
  const [{ decision, user_response, confidence, risk_if_wrong, status }] = await assumptionsOf(
    temp,
  );
  assertEquals([decision, user_response, confidence, risk_if_wrong, status], [
    `${STRIPE.question} ${STRIPE.options[0]}`,
    "timeout_assumed",
    "medium",
    "low",
    "open",
  ]);
});

const TECHNICAL = { ...STRIPE, blockerType: "Technical Detail", question: "Which test framework?" };

Deno.test("Seed 004, test 4 and example 2: an invalid attempt, and the agent decides by itself", async () => {
  const invalid = block(STRIPE).replace("Missing External Data", TECHNICAL.blockerType)
    .replace(STRIPE.question, TECHNICAL.question);
  using temp = withPm(invalid, PLAN);
  const { code, out, err } = await temp.run([...RUN, "The tests are failing. Fix them."]);
  assertEquals(code, 0, err);
  assert(err.includes("Cannot ask the human: the blocker type is not one of the three"), err);
  assert(out.includes("Plan: simple mode."), out);
  const prompt = temp.read("prompt-1");
  assert(prompt.includes("## Your question was not asked"), prompt);
  assertEquals(state(temp).interactions, []);
  const [{ user_response, blocker_type }] = await assumptionsOf(temp);
  assertEquals([user_response, blocker_type], ["inferred_from_codebase", "none"]);
});

Deno.test("Seed 004, test 5: a second clarification fails the quota", async () => {
  using temp = withPm(block(STRIPE), block(AUTH), PLAN);
  temp.user.hasOneSecond();
  const words = [...RUN, "--json", "--timeout", "200ms", "Integrate Stripe, and authentication."];
  const { code, out } = await temp.run(words);
  const { mode, refused, interaction } = JSON.parse(out);
  assertEquals([code, mode, refused, interaction.id], [0, "SIMPLE", ["quota_session"], "ASK-001"]);
  assertEquals(state(temp).interactions.length, 1);
  assert(temp.read("prompt-2").includes("this session has asked already (ASK-001)"));
});

Deno.test("Tier 1: what the requirements engineer settles never reaches the gate", async () => {
  const settled = "Test mode, says docs/payments.md";
  const said = [
    { question: "Which Stripe environment to configure?", settled },
    { question: "Which currency?", settled: null },
  ];
  using temp = new TempWorkspace({
    agents: {
      "requirements-engineer": `cat >asked; echo 'I see: ${JSON.stringify(said)}'`,
      "product-manager": scripted([block(STRIPE), PLAN]),
    },
  });
  const { code, err } = await temp.run([...RUN, "Integrate Stripe."]);
  assertEquals(code, 0, err);
  assert(temp.read("asked").includes("> Integrate Stripe."));
  const first = temp.read("prompt-0");
  assert(first.includes(`> Which Stripe environment to configure? ${settled}`), first);
  assert(first.includes("> Which currency?"), first);
  assert(temp.read("prompt-1").includes(`has settled it: ${settled}`));
  assertEquals(state(temp).interactions, []);
});

Deno.test("Tier 1: a requirements engineer that replies in prose twice stops the run, and is quoted", async () => {
  const engineer = "cat >asked-$(ls | grep -c asked-); echo 'Nothing is ambiguous.'";
  using temp = new TempWorkspace({
    agents: { "requirements-engineer": engineer, "product-manager": scripted([PLAN]) },
  });
  const { code, err } = await temp.run([...RUN, "Integrate Stripe."]);
  assertEquals(code, 1);
  assert(err.includes("Nothing is ambiguous.") && temp.has("asked-1") && !temp.has("asked-2"), err);
  assert(!temp.has("prompt-0"));
});

const FOUND = "src/pay.ts:12 reads STRIPE_MODE, and nothing sets it.";

/** A planning agent and an investigator, and an issue of that size. */
async function withInvestigator(size: string, script = `cat >looked; echo '${FOUND}'`) {
  const temp = new TempWorkspace({
    agents: {
      investigator: script,
      "product-manager": scripted([block(STRIPE), block(STRIPE), PLAN]),
    },
  });
  const issue = { number: 42, title: "Payments", labels: [`size:${size}`] };
  temp.write(".agentx/issues/42.json", JSON.stringify(issue));
  temp.user.hasOneSecond();
  const ran = await temp.run([...RUN, "--timeout", "100ms", "Integrate Stripe."]);
  return { temp, ...ran };
}

Deno.test("Exhaustion: an investigator looks into the question about a complex issue, and is evidence", async () => {
  const { temp, code, err } = await withInvestigator("large");
  using _ = temp;
  assertEquals(code, 0, err);
  assert(err.includes("running the investigator"), err);
  assert(temp.read("looked").includes(`> ${STRIPE.question}`));
  assert(temp.read("prompt-1").includes(`## What the investigator found\n\n> ${FOUND}`));
  const [asked, ...more] = state(temp).interactions;
  assertEquals([asked.request.evidence.investigator, more], [FOUND, []]);
});

Deno.test("Exhaustion: nobody looks into the question about any other issue", async () => {
  const { temp, err } = await withInvestigator("small");
  using _ = temp;
  assertEquals([temp.has("looked"), state(temp).interactions.length], [false, 1], err);
});

Deno.test("Exhaustion: a question about a complex issue is refused where the investigator fails", async () => {
  const { temp, code, out, err } = await withInvestigator("large", "exit 3");
  using _ = temp;
  assertEquals([code, state(temp).interactions], [0, []], out + err);
  assert(err.includes("#42 is complex: its size is large"), err);
});

Deno.test("An agent that does nothing but ask is given up", async () => {
  using temp = withPm(...Array(5).fill(block(AUTH)));
  temp.user.hasOneSecond();
  const { code, err } = await temp.run([...RUN, "--timeout", "100ms", "Authentication."]);
  assertEquals(code, 1);
  assert(err.includes("product-manager does nothing but ask"), err);
  assertEquals(state(temp).interactions.length, 1);
});

Deno.test("an orchestrator continues with the files of a killed one", async () => {
  using temp = withPm(block(STRIPE), PLAN);
  const child = temp.spawn([...RUN, "Integrate Stripe."]);
  await until(() => temp.has(INTERACTIONS) && state(temp).interactions.length > 0);
  child.kill("SIGKILL");
  await ended(child);
  assertEquals((await temp.run(["answer", "1", "b"])).code, 0);
  assertEquals(state(temp).orchestrator.clarification_pending, true);
  const { code, out } = await temp.run([...RUN, "Integrate Stripe."]);
  assertEquals(code, 0);
  assert(out.includes("Plan: simple mode."), out);
  assert(temp.read("prompt-1").includes(`> (b) ${STRIPE.options[1]}`));
  assertEquals(state(temp).interactions.length, 1);
  assertEquals(state(temp).orchestrator.phase, "planning_complete");
});

Deno.test("A late answer is told to the agent at its next run", async () => {
  using temp = withPm(block(STRIPE), PLAN, PLAN);
  temp.user.hasOneSecond();
  await temp.run([...RUN, "--timeout", "100ms", "Integrate Stripe."]);
  assertEquals((await temp.run(["answer", "1", "c"])).code, 0);
  assertEquals((await temp.run([...RUN, "Integrate Stripe."])).code, 0);
  const prompt = temp.read("prompt-2");
  assert(prompt.includes(`The human answered:\n\n> (c) ${STRIPE.options[2]}`), prompt);
});
