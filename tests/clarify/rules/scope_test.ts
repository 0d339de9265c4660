import { assert, assertEquals } from "@std/assert";
import { checkScope, scopeOf } from "../../../lib/clarify/rules/scope.ts";
import { parseWorkflow, type Workflow } from "../../../lib/config/workflow.ts";
import { refusal } from "../../refusal.ts";

/** A workflow with a step of each text, whose agent is an engineer unless it says so. */
function workflow(...steps: string[]): Workflow {
  const tables = steps.map((step, index) => {
    const agent = step.includes("agent =") ? "" : 'agent = "engineer"\n';
    return `[[steps]]\nid = "step-${index}"\n${agent}${step}\n`;
  });
  return parseWorkflow(tables.join("\n"), "/x/feature.toml");
}

const MAY_ASK = 'can_clarify = ["architect", "pm"]';

Deno.test("scopeOf() gives the documents' defaults", () => {
  assertEquals(scopeOf(workflow(MAY_ASK), "engineer"), {
    canClarify: ["architect", "product-manager"],
    maxRounds: { blocking: 5, nonBlocking: 6 },
    slaMinutes: 30,
    blockingAllowed: true,
  });
});

Deno.test("scopeOf() takes one limit of a step for both kinds", () => {
  const { maxRounds } = scopeOf(workflow(`${MAY_ASK}\nclarify_max_rounds = 3`), "engineer");
  assertEquals(maxRounds, { blocking: 3, nonBlocking: 3 });
});

Deno.test("scopeOf() is empty for an agent without a step, or whose step asks nobody", () => {
  for (const from of ["reviewer", "tester"]) {
    assertEquals(scopeOf(workflow(MAY_ASK, 'agent = "tester"'), from).canClarify, []);
  }
});

Deno.test("scopeOf() gives the documents' time limit where no step is the agent's", () => {
  assertEquals(scopeOf(workflow(MAY_ASK), "tester").slaMinutes, 30);
});

Deno.test("scopeOf() is that of the role for each worker", () => {
  const flow = workflow(MAY_ASK);
  assertEquals(scopeOf(flow, "engineer@2"), scopeOf(flow, "engineer"));
});

Deno.test("scopeOf() joins several steps: all targets, the largest limits", () => {
  const flow = workflow(
    'can_clarify = ["architect"]\nclarify_max_rounds = 2\nclarify_sla_minutes = 90\n' +
      "clarify_blocking_allowed = false",
    'can_clarify = ["architect", "ux"]\nclarify_max_rounds = 4\nclarify_sla_minutes = 10',
  );
  assertEquals(scopeOf(flow, "engineer"), {
    canClarify: ["architect", "ux-designer"],
    maxRounds: { blocking: 4, nonBlocking: 4 },
    slaMinutes: 90,
    blockingAllowed: true,
  });
});

Deno.test("scopeOf() counts a step without a limit by the default", () => {
  const flow = workflow(`${MAY_ASK}\nclarify_max_rounds = 2`, MAY_ASK);
  assertEquals(scopeOf(flow, "engineer").maxRounds, { blocking: 5, nonBlocking: 6 });
});

Deno.test("scopeOf() does not count a step that may ask nobody", () => {
  const flow = workflow(MAY_ASK + "\nclarify_blocking_allowed = false", "clarify_max_rounds = 9");
  const { blockingAllowed, maxRounds } = scopeOf(flow, "engineer");
  assertEquals([blockingAllowed, maxRounds.blocking], [false, 5]);
});

Deno.test("checkScope() lets a target of the scope pass, with and without a worker", () => {
  const scope = scopeOf(workflow(MAY_ASK), "engineer");
  for (const to of ["architect", "architect@3", "product-manager"]) {
    checkScope(scope, { from: "engineer", to, blocking: true });
  }
});

Deno.test("checkScope() refuses another target and gives the allowed ones", async () => {
  const scope = scopeOf(workflow(MAY_ASK), "engineer");
  const { details } = await refusal("SCOPE_VIOLATION", () => {
    checkScope(scope, { from: "engineer@2", to: "reviewer", blocking: false });
  });
  assertEquals(details, {
    from: "engineer@2",
    to: "reviewer",
    allowed: ["architect", "product-manager"],
  });
});

Deno.test("checkScope() refuses a requester that may ask nobody", async () => {
  const scope = scopeOf(workflow(""), "engineer");
  const { details } = await refusal("SCOPE_VIOLATION", () => {
    checkScope(scope, { from: "engineer", to: "architect", blocking: true });
  });
  assertEquals(details.allowed, []);
});

Deno.test("checkScope() refuses what blocks where the step allows only what does not", async () => {
  const scope = scopeOf(workflow(`${MAY_ASK}\nclarify_blocking_allowed = false`), "engineer");
  checkScope(scope, { from: "engineer", to: "architect", blocking: false });
  const { message } = await refusal("SCOPE_VIOLATION", () => {
    checkScope(scope, { from: "engineer", to: "architect", blocking: true });
  });
  assert(message.includes("--non-blocking"));
});
