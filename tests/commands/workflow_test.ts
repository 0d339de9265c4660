import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../temp_workspace.ts";

Deno.test("workflow lists the types with their steps", async () => {
  using temp = new TempWorkspace();
  assertEquals(
    (await temp.run(["workflow"])).out,
    `  bug      fix -> review
  devops   implement -> review
  docs     write
  epic     prd -> (ux) -> (architecture)
  feature  prd -> (ux) -> architecture -> implement -> review -> (devops)
  spike    research
  story    implement -> review
`,
  );
});

Deno.test("workflow TYPE shows who may ask whom", async () => {
  using temp = new TempWorkspace();
  assertEquals(
    (await temp.run(["workflow", "bug"])).out,
    `  bug: A fix with the test that would have caught it
  1. fix (engineer): Reproduce and fix the bug
     may ask architect (non-blocking only)
  2. review (reviewer): Review the fix
     after fix
     writes docs/reviews/REVIEW-{{issue_number}}.md
`,
  );
});

Deno.test("workflow has the rules of the shipped workflows", async () => {
  using temp = new TempWorkspace();
  const { workflows } = await temp.json(["workflow"]);
  // deno-lint-ignore no-explicit-any -- the JSON of a workflow
  const rules = workflows.flatMap(({ type, steps }: any) =>
    // deno-lint-ignore no-explicit-any -- the JSON of a step
    steps.flatMap(({ agent, canClarify, clarifyMaxRounds, clarifyBlockingAllowed }: any) =>
      canClarify.length === 0
        ? []
        : [[type, agent, canClarify.join(), clarifyMaxRounds, clarifyBlockingAllowed]]
    )
  );
  assertEquals(rules, [
    ["bug", "engineer", "architect", null, false],
    ["epic", "product-manager", "investigator", null, true],
    ["epic", "ux-designer", "product-manager", null, true],
    ["epic", "architect", "product-manager,investigator", null, true],
    ["feature", "product-manager", "investigator", null, true],
    ["feature", "ux-designer", "product-manager", null, true],
    ["feature", "architect", "product-manager,investigator", null, true],
    ["feature", "engineer", "architect,product-manager", null, true],
    ["feature", "reviewer", "engineer,architect", null, true],
    ["spike", "architect", "product-manager,investigator", null, true],
    ["story", "engineer", "architect,product-manager", null, true],
    ["story", "reviewer", "engineer,architect", null, true],
  ]);
});

Deno.test("workflow --json has a list also of one", async () => {
  using temp = new TempWorkspace();
  const { kind, workflows } = await temp.json(["workflow", "docs"]);
  assertEquals([kind, workflows.length, workflows[0].type], ["workflow.list", 1, "docs"]);
});

Deno.test("workflow --json has a list also of none", async () => {
  using temp = new TempWorkspace();
  Deno.removeSync(`${temp.root}/.agentx/workflows`, { recursive: true });
  assertEquals((await temp.json(["workflow"])).workflows, []);
  assert((await temp.run(["workflow"])).out.includes("agentx init"));
});

Deno.test("workflow refuses a type that is not there and says which are", async () => {
  using temp = new TempWorkspace();
  const { code, err } = await temp.run(["workflow", "feture"]);
  assertEquals([code, err.includes("bug, devops, docs, epic, feature, spike, story")], [4, true]);
});

for (const columns of [0, 1, 10, 20]) {
  Deno.test(`workflow fits a terminal of ${columns} columns`, async () => {
    using temp = new TempWorkspace();
    for (const words of [["workflow"], ["workflow", "bug"], ["clarify"], ["state"]]) {
      assertEquals((await temp.run(words, { columns })).code, 0);
    }
  });
}

Deno.test("workflow N names who has claimed the issue", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay by card", "-l", "type:story"]);
  assertEquals((await temp.json(["workflow", "1"])).assignee, null);
  await temp.run(["ready", "--claim", "engineer", "--issue", "1"]);
  const { out } = await temp.run(["workflow", "1"]);
  assert(/^ {2}story, claimed by engineer until .+ UTC$/m.test(out), out);
});
