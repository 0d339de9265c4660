import { NEEDS_HUMAN } from "../../../lib/base/errors.ts";
import { assert, assertEquals } from "@std/assert";
import type { Route } from "../../../lib/work/route/route.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

interface RouteOptions {
  title?: string;
  labels?: string;
  workflows?: Record<string, string>;
}

/** The route of an issue with these labels, where these workflows are written over the shipped ones. */
async function route(
  { title = "Fix the epic bug in the UX", labels = "ui", workflows = {} }: RouteOptions,
): Promise<Route> {
  using workspace = new TempWorkspace();
  for (const [type, text] of Object.entries(workflows)) {
    workspace.write(`.agentx/workflows/${type}.toml`, text);
  }
  await workspace.run(["issue", "create", "-t", title, "-l", labels]);
  return await workspace.json(["route", "1"]);
}

const agents = ({ first }: Route) => first.map(({ agent }) => agent);

const taken = ({ steps }: Route) => steps.filter(({ isTaken }) => isTaken).map(({ step }) => step);

const FIRST: Record<string, string> = {
  epic: "product-manager",
  feature: "product-manager",
  story: "engineer",
  bug: "engineer",
  spike: "architect",
  docs: "engineer",
  devops: "devops-engineer",
};
for (const [type, agent] of Object.entries(FIRST)) {
  Deno.test(`route sends a ${type} to the ${agent} first`, async () => {
    const found = await route({ labels: `type:${type}` });
    assertEquals([agents(found), found.workflow], [[agent], type]);
  });
}

Deno.test("route sends an epic the whole way: its parts go on as features", async () => {
  const { parts } = await route({ labels: "type:epic" });
  assertEquals(parts?.workflow, "feature");
  assertEquals(parts?.steps.map(({ agent }) => agent), [
    "product-manager",
    "ux-designer",
    "architect",
    "engineer",
    "reviewer",
    "devops-engineer",
  ]);
});

Deno.test("route takes the default workflow where neither a label nor a rule says the type", async () => {
  const { type, workflow, why } = await route({ title: "The way through the checkout" });
  assertEquals([type, workflow], [null, "feature"]);
  assert(why[0].includes("default workflow"));
});

Deno.test("route sends a typo to the engineer without a label, and names the rule", async () => {
  const found = await route({ title: "Fix typo in README" });
  assertEquals([agents(found), found.type, found.workflow], [["engineer"], "docs", "docs"]);
  assert(found.why[0].includes('the rule "wording" finds "typo", "README"'), found.why[0]);
});

Deno.test("route believes a label more than a rule", async () => {
  const found = await route({ title: "Fix typo in README", labels: "type:feature" });
  assertEquals([agents(found), found.type], [["product-manager"], "feature"]);
});

Deno.test("route takes the default workflow where that of a rule is missing", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Fix typo in README"]);
  Deno.removeSync(`${workspace.root}/.agentx/workflows/docs.toml`);
  const { workflow, why }: Route = await workspace.json(["route", "1"]);
  assertEquals(workflow, "feature");
  assert(why[0].includes("has no workflow"), why[0]);
});

Deno.test("route --why shows each rule, and which one decides", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Fix typo in README"]);
  const { out } = await workspace.run(["route", "1", "--why"]);
  assert(/-> wording +type:docs +typo, README/.test(out), out);
  assert(/^ +defect +type:bug +Fix$/m.test(out), out);
  assert(/^ +addition +type:feature +-$/m.test(out), out);
});

Deno.test("an agent may ask whom the default workflow says, whatever the words of an issue", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "Fix typo in README"]);
  const ask = ["ask", "architect", "--issue", "1", "--from", "engineer", "Which one?"];
  const { code, err } = await workspace.run(ask);
  assertEquals(code, NEEDS_HUMAN, err);
});

Deno.test("route sends a large bug through requirements and design", async () => {
  const found = await route({ labels: "type:bug,size:l" });
  assertEquals([agents(found), found.workflow, found.size], [
    ["product-manager"],
    "feature",
    "large",
  ]);
  assertEquals(taken(found).length, 6);
});

Deno.test("route leaves optional steps out, and says what asks for them", async () => {
  const found = await route({ labels: "type:feature" });
  assertEquals(taken(found), ["prd", "architecture", "implement", "review"]);
  assert(found.steps[1].why?.includes("needs:ux"));
});

Deno.test("route takes an optional step whose id, agent or alias a label names", async () => {
  for (const label of ["needs:ux", "needs:ux-designer"]) {
    assert(taken(await route({ labels: `type:feature,${label}` })).includes("ux"));
  }
});

Deno.test("route sends a rejected issue back to the step that iterates", async () => {
  const found = await route({ labels: "type:feature,needs:changes" });
  assertEquals(found.first.map(({ step }) => step), ["implement"]);
});

Deno.test("route names all that can begin at the same time", async () => {
  const bug = '[[steps]]\nid = "a"\nagent = "tester"\n[[steps]]\nid = "b"\nagent = "engineer"\n' +
    '[[steps]]\nid = "c"\nagent = "reviewer"\nneeds = ["a", "b"]\n';
  assertEquals(agents(await route({ labels: "type:bug", workflows: { bug } })), [
    "tester",
    "engineer",
  ]);
});

Deno.test("route begins behind an optional step that is left out, in any order of the file", async () => {
  const bug = '[[steps]]\nid = "review"\nagent = "reviewer"\nneeds = ["fix"]\n' +
    '[[steps]]\nid = "fix"\nagent = "engineer"\nneeds = ["plan"]\n' +
    '[[steps]]\nid = "plan"\nagent = "architect"\noptional = true\n';
  const workflows = { bug };
  assertEquals(agents(await route({ labels: "type:bug", workflows })), ["engineer"]);
  assertEquals(agents(await route({ labels: "type:bug,needs:plan", workflows })), ["architect"]);
});

Deno.test("route sends nobody to a closed issue", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "x", "-s", "Done"]);
  assertEquals((await workspace.json(["route", "1"])).first, []);
});

Deno.test("route says why in text, and lets no escape sequence through", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "\x1b[2Jx", "-l", "type:bug"]);
  const { code, out } = await workspace.run(["route", "1"]);
  assertEquals(code, 0);
  assert(out.includes("  -> engineer\n") && out.includes("type:bug selects the workflow bug"));
  assert(!out.includes("\x1b"));
});

Deno.test("route of an unknown issue is not found", async () => {
  using workspace = new TempWorkspace();
  assertEquals((await workspace.run(["route", "7"])).code, 4);
});

Deno.test("a question about a large bug follows the scope of the workflow it goes to", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["issue", "create", "-t", "x", "-l", "type:bug"]);
  const ask = [
    "clarify",
    "ask",
    "-i",
    "1",
    "--from",
    "engineer",
    "--to",
    "pm",
    "--topic",
    "t",
    "q?",
  ];
  assertEquals((await workspace.run(ask)).code, 6);
  await workspace.run(["issue", "update", "1", "-l", "size:large"]);
  assertEquals((await workspace.run(ask)).code, 7);
});
