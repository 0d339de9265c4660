/**
 * An agent of `workflow run` that asks a person in place of its work.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { runWorkflow, type RunWorkflowOptions } from "../../lib/pipeline/run_workflow.ts";
import { openWorkspaceParts, type Workspace } from "../../lib/workspace/open.ts";
import { workflowParts } from "../../lib/workspace/workflow_parts.ts";
import { GOOD, place, type Script } from "./feature.ts";

/** As seed 004 has it. */
const block = (type: string, minutes = "5 minutes") =>
  `I cannot go on.

## PM Status: NEEDS_CLARIFICATION

**Blocker Type:** ${type}

**Evidence of Exhaustion:**
- Codebase search: grep for stripe and for keys, nothing found
- Similar features: none of the payments has a test mode
- Attempted inference: the title names no mode

**Question:** Does it run in test mode?

**Options:**
a) Test mode only
b) Live mode only

**Safe Fallback:** If no response within ${minutes}, I will proceed with option (a) because nothing is charged. This assumption will be logged with low risk.

**Status:** AWAITING_CLARIFICATION (auto-proceed with fallback after ${minutes})
`;

async function asking(first: string) {
  const prompts: string[] = [];
  const pm: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    if (run === 1) return first;
    return run === 2 ? "# PRD" : GOOD["product-manager"](cwd, prompt, run);
  };
  const made = await place({ ...GOOD, "product-manager": pm });
  return { ...made, prompts };
}

Deno.test("a block NEEDS_CLARIFICATION goes to the gate, and the step runs again with the answer", async () => {
  const { temp, run, prompts } = await asking(block("Missing External Data"));
  using _ = temp;
  const running = run("prd");
  const id = await asked(temp);
  assert(!temp.has("docs/prd/PRD-1.md"));
  assertEquals((await temp.run(["answer", id, "b"])).code, 0);
  assertEquals(await running, ["prd: asked (1)", "prd: done (2)"]);
  for (const each of prompts.slice(1)) {
    assert(/> You asked \(ASK-001\).*A person answered: \(b\) Live mode only/.test(each), each);
  }
  assert(prompts[0].includes("PM Status: NEEDS_CLARIFICATION"), "it is told how to ask");
  assertEquals(temp.read("docs/prd/PRD-1.md"), "# PRD\n\n## Goals\n\nIt works.\n");
  const { returns } = await temp.json(["workflow", "1"]);
  assertEquals(returns, 0, "nobody has sent it back");
});

Deno.test("where nobody answers in time, the step runs again with the fallback", async () => {
  const { temp, prompts, workspace } = await asking(block("Missing External Data", "1 second"));
  using _ = temp;
  temp.user.configure({ gate: { timeout: "1s" } });
  const open = await openWorkspaceParts({ root: temp.root, agents: workspace.agents });
  assertEquals(await outcomesOf({ until: "prd" }, open), ["prd: asked", "prd: done"]);
  assert(/Nobody answered; continue with: \(a\) Test mode only/.test(prompts[1]), prompts[1]);
  const { assumptions: [{ decision }] } = await temp.json(["assumptions"]);
  assert(decision.includes("Test mode only"), decision);
});

Deno.test("a question about security ends the run, and waits in the inbox until a person answers", async () => {
  const { temp, run, prompts } = await asking(block("Security Decision"));
  using _ = temp;
  assertEquals(await run("prd"), ["prd: waits (1)"]);
  assertEquals(await run("prd"), ["prd: waits (1)"]);
  const { entries } = await temp.json(["inbox"]);
  assertEquals(entries.map(({ id }: { id: string }) => id), ["ASK-001"], "it is asked once");
  assertEquals(prompts.length, 1);
  assertEquals((await temp.run(["answer", "ASK-001", "a"], { terminal: true })).code, 0);
  assertEquals(await run("prd"), ["prd: asked (1)", "prd: done (2)"]);
  assert(prompts[1].includes("A person answered: (a) Test mode only"), prompts[1]);
});

Deno.test("while a step waits for a person, another begins, though only one runs at a time", async () => {
  const ux: Script = (cwd, prompt, run) =>
    run === 1 ? block("Missing External Data") : GOOD["ux-designer"](cwd, prompt, run);
  const { temp, workspace } = await place({ ...GOOD, "ux-designer": ux });
  using _ = temp;
  const outcomes = await outcomesOf({ parallel: 1 }, workspace, async (step) => {
    if (step === "architecture") await temp.run(["answer", await asked(temp), "a"]);
  });
  assertEquals(outcomes, [
    ...["prd: done", "architecture: done", "ux: asked", "ux: done"],
    ...["implement: done", "review: done"],
  ]);
});

Deno.test("a question that the gate refuses is decided by the agent itself", async () => {
  const prompts: string[] = [];
  const engineer: Script = (cwd, prompt, run) => {
    prompts.push(prompt);
    return run === 1 ? block("Missing External Data") : GOOD.engineer(cwd, prompt, run);
  };
  const { temp, run } = await place({ ...GOOD, engineer });
  using _ = temp;
  assertEquals((await run("implement")).at(-1), "implement: done (2)");
  assert(prompts[1].includes("its question was not asked, so it decides by itself"), prompts[1]);
});

async function outcomesOf(
  options: RunWorkflowOptions,
  workspace: Workspace,
  onEnd: (step: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const outcomes: string[] = [];
  for await (const { step, outcome } of runWorkflow(1, options, workflowParts(workspace))) {
    outcomes.push(`${step}: ${outcome}`);
    await onEnd(step);
  }
  return outcomes;
}

/** Waits for a question to the human. */
async function asked(temp: { json: (words: string[]) => Promise<unknown> }): Promise<string> {
  for (;;) {
    const { entries } = await temp.json(["inbox"]) as { entries: Array<{ id: string }> };
    const found = entries.find(({ id }) => id.startsWith("ASK"));
    if (found !== undefined) return found.id;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
