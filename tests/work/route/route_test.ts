import { assert, assertEquals } from "@std/assert";
import { parseWorkflow } from "../../../lib/config/workflow.ts";
import { newIssue } from "../../../lib/work/issue/issue.ts";
import { routeOf } from "../../../lib/work/route/route.ts";
import { growth } from "../../count_steps.ts";

/** The way of an issue through a chain of steps, of which the last alone is taken. */
function routeThrough(length: number) {
  const steps = Array.from(
    { length },
    (_, index) =>
      `[[steps]]\nid = "s${index}"\nagent = "engineer"\noptional = ${index < length - 1}\n` +
      `needs = [${index === 0 ? "" : `"s${index - 1}"`}]\n`,
  );
  const workflow = parseWorkflow(steps.join(""), "feature.toml");
  const issue = newIssue({
    number: 1,
    uid: "u1",
    created: "2026-03-01T10:00:00.000Z",
    labels: ["size:large"],
  });
  return routeOf(issue, { readWorkflow: () => workflow, defaultWorkflow: "feature" });
}

Deno.test("routeOf() begins a long chain with its first step, looking at each step once", async () => {
  assertEquals(routeThrough(3).first.map(({ step }) => step), ["s0"]);
  assert(await growth(routeThrough, 100) < 10);
});

Deno.test("routeOf() needs no more of an issue than title, body and labels", () => {
  const workflow = parseWorkflow('[[steps]]\nid = "fix"\nagent = "engineer"\n', "bug.toml");
  const issue = { title: "Crash", body: "", labels: ["type:bug"] };
  const route = routeOf(issue, { readWorkflow: () => workflow, defaultWorkflow: "feature" });
  assertEquals([route.issueNumber, route.type, route.first[0].agent], [null, "bug", "engineer"]);
});
