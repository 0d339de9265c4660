import { assertEquals } from "@std/assert";
import { parseWorkflow, type Workflow } from "../../lib/config/workflow.ts";
import { standingOf, type StandingSources } from "../../lib/pipeline/standing.ts";
import { foldIssues } from "../../lib/work/issue/fold.ts";
import { FEATURE } from "./feature.ts";

type Change = { op: string } & Record<string, unknown>;

const validated = (step: string, hash: string | null = null): Change => {
  return { op: "validated", step, hash, evidence: [] };
};

/** An issue of which these things were said, one after the other. */
function known(...changes: Change[]) {
  const all: Change[] = [{ op: "create", fields: { number: 1, labels: ["type:feature"] } }];
  const lines = [...all, ...changes].map((change, index) => ({
    ...{ v: 1, id: `c${index}.0`, uid: "u1", by: "x", after: [] },
    time: new Date(Date.parse("2026-01-01T00:00:00.000Z") + index * 1000).toISOString(),
    ...change,
  }));
  return foldIssues(lines).issues.get("u1")!;
}

function states(
  changes: Change[],
  { workflow = FEATURE, ...sources }: Partial<StandingSources> & { workflow?: string } = {},
): string {
  const read: Workflow = parseWorkflow(workflow, "feature.toml");
  const from = { readWorkflow: () => read, defaultWorkflow: "feature", ...sources };
  return standingOf(known(...changes), from).standing.steps
    .map(({ step, state, isChanged }) => `${step}=${state}${isChanged ? "!" : ""}`).join(" ");
}

Deno.test("standingOf() begins with the first step, and lets two run side by side after it", () => {
  assertEquals(
    states([]),
    "prd=ready ux=waiting architecture=waiting implement=waiting review=waiting",
  );
  assertEquals(
    states([validated("prd", "h")]),
    "prd=done ux=ready architecture=ready implement=waiting review=waiting",
  );
});

Deno.test("standingOf() keeps a step done whose text was edited, and lets none begin on it", () => {
  const hashOf = ({ id }: { id: string }) => id === "prd" ? "other" : null;
  const prd = validated("prd", "h");
  assertEquals(
    states([prd, validated("ux")], { hashOf }),
    "prd=done! ux=done architecture=waiting implement=waiting review=waiting",
  );
  const approved: Change = { op: "approved", step: "prd", hash: "other", because: "" };
  for (const again of [validated("prd", "other"), approved]) {
    assertEquals(
      states([prd, again], { hashOf }),
      "prd=done ux=ready architecture=ready implement=waiting review=waiting",
    );
  }
  assertEquals(
    states([prd, approved], { hashOf: () => undefined }).split(" ")[0],
    "prd=done!",
    "a deleted artifact is no longer what was validated",
  );
});

const ALL = ["prd", "ux", "architecture", "implement", "review"].map((step) => validated(step));

Deno.test("standingOf() sends back what was returned, and what was built on it", () => {
  const returned: Change = { op: "returned", step: "architecture", because: "too slow" };
  assertEquals(
    states([...ALL, returned]),
    "prd=done ux=done architecture=ready implement=waiting review=waiting",
  );
  assertEquals(
    states([...ALL, returned, validated("architecture")]),
    "prd=done ux=done architecture=done implement=ready review=waiting",
  );
});

Deno.test("standingOf() sends a rejected issue back to the step that iterates, each time", () => {
  const reject = { op: "add", field: "labels", values: ["needs:changes"] } as const;
  assertEquals(
    states([...ALL, reject]),
    "prd=done ux=done architecture=done implement=ready review=waiting",
  );
  assertEquals(
    states([...ALL, reject, validated("implement")]),
    "prd=done ux=done architecture=done implement=done review=ready",
  );
  const { standing } = standingOf(known(...ALL, reject, validated("implement"), reject), {
    readWorkflow: () => parseWorkflow(FEATURE, "feature.toml"),
    defaultWorkflow: "feature",
  });
  assertEquals(standing.returns, 2);
});

Deno.test("standingOf() holds in a workflow that was changed half-way", () => {
  const changed = FEATURE.replace('id = "ux"', 'id = "design"').replace('"ux", ', '"design", ');
  assertEquals(
    states([validated("prd"), validated("ux"), validated("architecture")], { workflow: changed }),
    "prd=done design=ready architecture=done implement=waiting review=waiting",
  );
});

Deno.test("standingOf() does not count what was undone, and not what a later line says twice", () => {
  const undo = { op: "undo", undone: ["c1.0"] } as const;
  assertEquals(states([validated("prd"), undo]).split(" ")[0], "prd=ready");
  assertEquals(states([validated("prd"), validated("prd")]).split(" ")[0], "prd=done");
});

Deno.test("standingOf() names who has claimed a step, until the issue is not theirs", () => {
  const claim = { op: "add", field: "assignees", values: ["architect@2"], step: "architecture" };
  assertEquals(
    states([validated("prd"), claim]),
    "prd=done ux=ready architecture=running implement=waiting review=waiting",
  );
  const release = { op: "remove", field: "assignees", values: ["architect@2"], after: ["c2.0"] };
  assertEquals(
    states([validated("prd"), claim, release]),
    "prd=done ux=ready architecture=ready implement=waiting review=waiting",
  );
});
