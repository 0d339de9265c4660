import { assert, assertEquals, assertThrows } from "@std/assert";
import { AgentxError } from "../../../lib/base/errors.ts";
import {
  checkLabels,
  priorityOf,
  sizeOf,
  typeOf,
  withLabels,
} from "../../../lib/work/issue/labels.ts";

const labelled = (...labels: string[]) => ({ labels });

Deno.test("typeOf() reads the type: label", () => {
  assertEquals(typeOf(labelled("p1", "type:bug")), "bug");
  assertEquals(typeOf(labelled("p1")), undefined);
  assertEquals(typeOf(undefined), undefined);
});

Deno.test("priorityOf() reads both spellings, the most urgent first", () => {
  assertEquals(priorityOf(labelled("priority:p2")), "p2");
  assertEquals(priorityOf(labelled("p3", "P1")), "p1");
  assertEquals(priorityOf(labelled("p4", "priority:high", "xp0")), null);
});

Deno.test("sizeOf() reads letters and words", () => {
  assertEquals(
    ["xs", "S", "small", "m", "l", "XL"].map((size) => sizeOf(labelled(`size:${size}`))),
    [
      "small",
      "small",
      "small",
      "medium",
      "large",
      "large",
    ],
  );
  assertEquals(sizeOf(labelled("size:huge", "size:constructor")), null);
});

Deno.test("checkLabels() trims, and gives each label once", () => {
  assertEquals(checkLabels([" type:bug ", "ui", "ui"]), ["type:bug", "ui"]);
});

for (
  const labels of [
    [""],
    [" "],
    [42],
    ["a,b"],
    ["a\nb"],
    ["\x1b[2J"],
    ["x".repeat(101)],
    Array.from("x".repeat(101)),
    ["type:"],
    ["type:Bug Fix"],
    ["priority:high"],
    ["p9"],
    ["size:huge"],
    ["blocked_by:"],
    ["blocked_by:#0"],
    ["blocks:PROJ-12"],
    ["type:bug", "type:epic"],
    ["p1", "priority:p1"],
    ["size:s", "size:l"],
  ]
) {
  Deno.test(`checkLabels() refuses ${JSON.stringify(labels)}`, () => {
    const error = assertThrows(() => checkLabels(labels), AgentxError);
    assertEquals(error.code, "INVALID_INPUT");
    assert((error.details as { field: string }).field === "label");
  });
}

Deno.test("checkLabels() leaves labels alone that say nothing to it", () => {
  const labels = ["needs:changes", "blocked_by:#12", "blocks:14", "area/ui", "p", "\u00e9t\u00e9"];
  assertEquals(checkLabels(labels), labels);
});

Deno.test("withLabels() replaces type, priority and size, and adds the others", () => {
  const before = ["type:bug", "p1", "ui"];
  const change = { add: ["type:story", "priority:p0", "size:s", "ui"], remove: [] };
  assertEquals(withLabels(before, change), ["ui", "type:story", "priority:p0", "size:s"]);
});

Deno.test("withLabels() takes labels away, also those that are not there", () => {
  assertEquals(withLabels(["a", "b"], { add: [], remove: ["b", "c"] }), ["a"]);
});
