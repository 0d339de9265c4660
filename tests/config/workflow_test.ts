import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  listWorkflows,
  parseWorkflow,
  readWorkflow,
  stepOutput,
  upstreamOutputs,
  type Workflow,
} from "../../lib/config/workflow.ts";
import { AgentxError } from "../../lib/base/errors.ts";
import { growth } from "../count_steps.ts";

const PATH = ".agentx/workflows/feature.toml";
const SHIPPED = new URL("../../.agentx/workflows", import.meta.url).pathname;

/** The step of the PRD's "Workflow TOML Example". */
const EXAMPLE = `
[[steps]]
id = "architecture"
agent = "architect"

[[steps]]
id = "implement"
title = "Implement code and tests"
agent = "engineer"
needs = ["architecture"]
can_clarify = ["architect", "product-manager"]
clarify_max_rounds = 5
clarify_sla_minutes = 30
clarify_blocking_allowed = true
iterate = true
max_iterations = 10
completion_criteria = "All AC met, tests pass at 80% coverage"
status_on_start = "In Progress"
status_on_complete = "In Review"
`;

function refusal(text: string): AgentxError {
  return assertThrows(() => parseWorkflow(text, PATH), AgentxError);
}

function stepOf(workflow: Workflow, id: string) {
  return workflow.steps.find((step) => step.id === id)!;
}

Deno.test("parseWorkflow() reads every field of the documents' example", () => {
  assertEquals(parseWorkflow(EXAMPLE, PATH).steps[1], {
    id: "implement",
    title: "Implement code and tests",
    agent: "engineer",
    needs: ["architecture"],
    optional: false,
    condition: null,
    iterate: true,
    maxIterations: 10,
    completionCriteria: "All AC met, tests pass at 80% coverage",
    statusOnStart: "In Progress",
    statusOnComplete: "In Review",
    output: null,
    template: null,
    evidence: [],
    coverage: null,
    fixers: {},
    canClarify: ["architect", "product-manager"],
    clarifyMaxRounds: 5,
    clarifySlaMinutes: 30,
    clarifyBlockingAllowed: true,
  });
});

Deno.test("parseWorkflow() reads commands as programs with arguments, and refuses any other form", () => {
  const stepWith = (text: string) =>
    parseWorkflow(`[[steps]]\nid = "a"\nagent = "engineer"\n${text}\n`, PATH).steps[0];
  const { evidence, coverage } = stepWith('evidence = [["npm", "test"]]\ncoverage = 90.5');
  assertEquals([evidence, coverage], [[["npm", "test"]], 90.5]);
  for (
    const text of [
      'evidence = ["npm"]',
      'evidence = "npm test"',
      "evidence = [[]]",
      "coverage = 101",
      'fixers = ["x"]',
    ]
  ) {
    assertThrows(() => stepWith(text), AgentxError, "key");
  }
});

Deno.test("parseWorkflow() fills in the defaults of SPEC-1 section 9.5", () => {
  const [step] = parseWorkflow('[[steps]]\nid = "fix"\nagent = "engineer"\n', PATH).steps;
  assertEquals(step.canClarify, []);
  assertEquals(step.clarifyMaxRounds, null);
  assertEquals(step.clarifySlaMinutes, 30);
  assertEquals(step.clarifyBlockingAllowed, true);
  assertEquals(step.title, "fix");
});

Deno.test("parseWorkflow() takes type and name from the file where [workflow] is missing", () => {
  const { type, name, description } = parseWorkflow(EXAMPLE, PATH);
  assertEquals([type, name, description], ["feature", "feature", null]);
});

Deno.test("parseWorkflow() reads [workflow]", () => {
  const text = `[workflow]\nname = "Big things"\ndescription = "All of it"\n${EXAMPLE}`;
  const { type, name, description } = parseWorkflow(text, PATH);
  assertEquals([type, name, description], ["feature", "Big things", "All of it"]);
});

Deno.test("parseWorkflow() reads where large issues and the parts of an issue go", () => {
  const text = `[workflow]\nlarge_workflow = "feature"\nparts_workflow = "story"\n${EXAMPLE}`;
  const { largeWorkflow, partsWorkflow } = parseWorkflow(text, PATH);
  assertEquals([largeWorkflow, partsWorkflow], ["feature", "story"]);
  assertEquals(parseWorkflow(EXAMPLE, PATH).largeWorkflow, null);
});

Deno.test("parseWorkflow() refuses what is no type as the workflow of large issues", () => {
  for (const value of ["1", '"../feature"', '""', '["feature"]']) {
    const error = refusal(`[workflow]\nlarge_workflow = ${value}\n${EXAMPLE}`);
    assertEquals(error.details, { path: PATH, line: 2, key: "large_workflow" });
  }
});

Deno.test("parseWorkflow() leaves keys alone that it does not know", () => {
  const text = `version = 3\n${EXAMPLE}colour = ["green"]\n[steps.extra]\nx = 1\n`;
  assertEquals(parseWorkflow(text, PATH).steps.length, 2);
});

Deno.test("parseWorkflow() spells the aliases of agents out", () => {
  const text = '[[steps]]\nid = "a"\nagent = "devops"\ncan_clarify = ["pm", "ux"]\n';
  const [step] = parseWorkflow(text, PATH).steps;
  assertEquals(step.agent, "devops-engineer");
  assertEquals(step.canClarify, ["product-manager", "ux-designer"]);
});

Deno.test("parseWorkflow() refuses a duplicate key with file and line", () => {
  const error = refusal('[[steps]]\nid = "a"\nagent = "engineer"\nid = "b"\n');
  assertEquals(error.code, "INVALID_CONFIG");
  assertEquals(error.details, { path: PATH, line: 4, key: null });
  assert(error.message.includes(PATH) && error.message.includes("line 4"));
});

const WRONG_FIELDS = [
  "title = 1",
  'title = " "',
  'needs = "architecture"',
  "needs = [1]",
  'optional = "yes"',
  "condition = true",
  "iterate = 1",
  "max_iterations = 0",
  "completion_criteria = []",
  "status_on_start = {}",
  "status_on_complete = 1",
  "output = 1",
  'output = "/etc/passwd"',
  'output = "docs/../../x.md"',
  "output = 'docs\\x.md'",
  'output = ".claude/settings.json"',
  'output = "packages/a/.GitHub/workflows/ci.yml"',
  'output = "AGENTS.md"',
  'template = ["a"]',
  'can_clarify = "architect"',
  'can_clarify = [["architect"]]',
  'can_clarify = ["architect", ""]',
  'can_clarify = ["Architect"]',
  "clarify_max_rounds = 0",
  "clarify_max_rounds = -1",
  "clarify_max_rounds = 1.5",
  "clarify_max_rounds = inf",
  'clarify_max_rounds = "5"',
  "clarify_sla_minutes = 0",
  "clarify_sla_minutes = nan",
  "clarify_sla_minutes = 5256001",
  "clarify_sla_minutes = [30]",
  'clarify_blocking_allowed = "false"',
  "clarify_blocking_allowed = 1979-05-27",
];
for (const field of WRONG_FIELDS) {
  Deno.test(`parseWorkflow() refuses ${field} with file, line and key`, () => {
    const error = refusal(`[[steps]]\nid = "a"\n# c\n\nagent = "engineer"\n${field}\n`);
    assertEquals(error.code, "INVALID_CONFIG");
    assertEquals(error.details, { path: PATH, line: 6, key: field.split(" ")[0] });
  });
}

for (const agent of ['""', '"Engineer"', '"a b"', '"engineer@2"', "7", "[]"]) {
  Deno.test(`parseWorkflow() refuses the agent ${agent}`, () => {
    const { details } = refusal(`[[steps]]\nid = "a"\nagent = ${agent}\n`);
    assertEquals(details, { path: PATH, line: 3, key: "agent" });
  });
}

Deno.test("parseWorkflow() refuses a step without agent with the line of the step", () => {
  const { details } = refusal('# c\n[[steps]]\nid = "a"\n');
  assertEquals(details, { path: PATH, line: 2, key: "agent" });
});

for (const text of ["", "steps = []\n", "[steps]\n", "[workflow]\n", 'steps = ["a"]\n']) {
  Deno.test(`parseWorkflow() refuses ${JSON.stringify(text)}, which has no steps`, () => {
    const line = text.includes("steps") ? 1 : null;
    assertEquals(refusal(text).details, { path: PATH, line, key: "steps" });
  });
}

Deno.test("parseWorkflow() refuses [workflow] that is no table", () => {
  assertEquals(refusal(`workflow = 1\n${EXAMPLE}`).details, {
    path: PATH,
    line: 1,
    key: "workflow",
  });
});

Deno.test("parseWorkflow() refuses two steps with one id", () => {
  const { details } = refusal(EXAMPLE.replace('"implement"', '"architecture"'));
  assertEquals(details, { path: PATH, line: 7, key: "id" });
});

Deno.test("parseWorkflow() refuses needs that name no step", () => {
  const error = refusal(EXAMPLE.replace('["architecture"]', '["architecture", "ux"]'));
  assertEquals(error.details, { path: PATH, line: 10, key: "needs" });
  assert(error.message.includes('"ux"'));
});

Deno.test("parseWorkflow() refuses steps that wait for each other, and names them", () => {
  const step = (id: string, needs: string) =>
    `[[steps]]\nid = "${id}"\nagent = "engineer"\nneeds = ["${needs}"]\n`;
  const error = refusal(step("start", "b") + step("b", "c") + step("c", "b"));
  assertEquals(error.details, { path: PATH, line: 8, key: "needs" });
  assert(error.message.includes("b, c"));
});

Deno.test("parseWorkflow() refuses a step that needs itself", () => {
  const { details } = refusal('[[steps]]\nid = "a"\nagent = "engineer"\nneeds = ["a"]\n');
  assertEquals(details, { path: PATH, line: 4, key: "needs" });
});

/** A workflow whose steps stand in a row: each needs the one before, and the first `firstNeeds`. */
function chain(length: number, firstNeeds: string[] = []): string {
  return Array.from({ length }, (_, index) => {
    const needs = index === 0 ? firstNeeds : [`s${index - 1}`];
    return `[[steps]]\nid = "s${index}"\nagent = "engineer"\nneeds = ${JSON.stringify(needs)}\n`;
  }).join("");
}

Deno.test("parseWorkflow() reads a chain of steps in proportion to its length", async () => {
  assert(await growth((length) => parseWorkflow(chain(length), PATH), 100) < 10);
});

Deno.test("parseWorkflow() names the first steps of a long circle, in proportion to its length", async () => {
  assert(await growth((length) => refusal(chain(length, [`s${length - 1}`])), 100) < 10);
  const { message, details } = refusal(chain(2_000, ["s1999"]));
  assertEquals(details, { path: PATH, line: 4, key: "needs" });
  assert(message.includes("... (1980 more)"), message);
  assert(message.length < 500);
});

Deno.test("readWorkflow() refuses a type that is no name before it becomes a path", () => {
  for (const type of ["", "../../etc/passwd", "Feature", "a/b", "feature.toml", "a".repeat(41)]) {
    const error = assertThrows(() => readWorkflow(SHIPPED, type), AgentxError);
    assertEquals(error.code, "INVALID_INPUT");
    assertEquals(error.details, { field: "workflow", value: type });
  }
});

Deno.test("readWorkflow() lists the types there are when the type is unknown", () => {
  const error = assertThrows(() => readWorkflow(SHIPPED, "feture"), AgentxError);
  assertEquals(error.code, "NOT_FOUND");
  assertEquals(error.details, { kind: "workflow", id: "feture" });
  assert(error.message.includes("bug, devops, docs, epic, feature, spike, story"));
});

Deno.test("readWorkflow() says what to do where there is no workflow at all", () => {
  const error = assertThrows(() => readWorkflow("/nonexistent", "feature"), AgentxError);
  assertEquals(error.code, "NOT_FOUND");
  assert(error.message.includes("agentx init"));
});

Deno.test("listWorkflows() leaves out files that are no workflows", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const name of ["story.toml", "bug.toml", "README.md", "Big.toml", ".toml"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    assertEquals(listWorkflows(folder), ["bug", "story"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("outputOf() puts the number of the issue in", () => {
  const workflow = readWorkflow(SHIPPED, "feature");
  assertEquals(stepOutput(stepOf(workflow, "architecture"), 42), "docs/adr/ADR-42.md");
  assertEquals(stepOutput(stepOf(workflow, "implement"), 42), null);
});

Deno.test("upstreamOutputs() names what the steps before have written, nearest first", () => {
  const workflow = readWorkflow(SHIPPED, "feature");
  assertEquals(upstreamOutputs(workflow, [stepOf(workflow, "implement")], 42), [
    "docs/adr/ADR-42.md",
    "docs/ux/UX-42.md",
    "docs/prd/PRD-42.md",
  ]);
  assertEquals(upstreamOutputs(workflow, [stepOf(workflow, "prd")], 42), []);
});

Deno.test("upstreamOutputs() names a file once that two steps write", () => {
  const text = `
    [[steps]]\nid = "a"\nagent = "architect"\noutput = "x.md"
    [[steps]]\nid = "b"\nagent = "architect"\noutput = "x.md"\nneeds = ["a"]
    [[steps]]\nid = "c"\nagent = "engineer"\nneeds = ["b", "a"]`;
  const workflow = parseWorkflow(text, PATH);
  assertEquals(upstreamOutputs(workflow, [stepOf(workflow, "c")], 1), ["x.md"]);
});

Deno.test("upstreamOutputs() looks at each step once, whatever the number of steps it starts from", async () => {
  const look = (length: number) => {
    const workflow = parseWorkflow(chain(length), PATH);
    upstreamOutputs(workflow, workflow.steps, 1);
  };
  assert(await growth(look, 100) < 10);
});

// Step, agent and whom it may ask; an exclamation mark where it must not wait for the answer.
const SHIPPED_STEPS: Record<string, string[]> = {
  feature: [
    "prd: product-manager asks investigator",
    "ux: ux-designer asks product-manager",
    "architecture: architect asks product-manager,investigator",
    "implement: engineer asks architect,product-manager",
    "review: reviewer asks engineer,architect",
    "devops: devops-engineer asks ",
  ],
  epic: [
    "prd: product-manager asks investigator",
    "ux: ux-designer asks product-manager",
    "architecture: architect asks product-manager,investigator",
  ],
  story: [
    "implement: engineer asks architect,product-manager",
    "review: reviewer asks engineer,architect",
  ],
  bug: ["fix: engineer asks architect!", "review: reviewer asks "],
  spike: ["research: architect asks product-manager,investigator"],
  devops: ["implement: devops-engineer asks ", "review: reviewer asks "],
  docs: ["write: engineer asks "],
};
for (const [type, steps] of Object.entries(SHIPPED_STEPS)) {
  Deno.test(`the shipped workflow ${type} has its steps, agents and scopes`, () => {
    const workflow = readWorkflow(SHIPPED, type);
    assertEquals(
      workflow.steps.map(({ id, agent, canClarify, clarifyBlockingAllowed }) =>
        `${id}: ${agent} asks ${canClarify}${clarifyBlockingAllowed ? "" : "!"}`
      ),
      steps,
    );
    assertEquals(workflow.steps.filter((step) => step.clarifyMaxRounds !== null), []);
  });
}
