import { assertEquals } from "@std/assert";
import { parseWorkflow } from "../../../lib/config/workflow.ts";
import { conditionHolds } from "../../../lib/work/route/condition.ts";
import { routeOf } from "../../../lib/work/route/route.ts";

const ISSUE = {
  title: "The button of src/ui/pay.tsx is grey",
  body: "See ./docs/pay.md, `lib/a.ts:12` and README.md.",
  labels: ["ui", "p1"],
};

for (
  const [condition, holds] of [
    ["label:ui", true],
    ["label:u", false],
    ["path:src/ui/**", true],
    ["path:*.tsx", true],
    ["path:docs/*.md", true],
    ["path:lib/", true],
    ["path:README.md", true],
    ["path:src/*.tsx", false],
    ["path:ui/**", false],
    ["The feature has a user interface", undefined],
    ["label: ui", undefined],
  ] as const
) {
  Deno.test(`conditionHolds() of "${condition}" is ${holds}`, () => {
    assertEquals(conditionHolds(condition, ISSUE), holds);
  });
}

Deno.test("routeOf() takes a step by its condition, and needs: overrules that", () => {
  const text = ["label:ui", "label:api", "It is large"].map((condition, at) =>
    `[[steps]]\nid = "s${at}"\nagent = "engineer"\noptional = ${
      at !== 1
    }\ncondition = "${condition}"\n`
  ).join("");
  const source = {
    readWorkflow: () => parseWorkflow(text, "feature.toml"),
    defaultWorkflow: "feature",
  };
  const taken = (...labels: string[]) =>
    routeOf({ ...ISSUE, labels }, source).steps.map(({ isTaken }) => isTaken);
  assertEquals(taken("ui"), [true, false, false]);
  assertEquals(taken("api", "size:large"), [false, true, true]);
  assertEquals(taken("needs:s0"), [true, false, false]);
});
