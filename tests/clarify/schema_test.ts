import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { escalationSummary } from "../../lib/clarify/rules/escalation.ts";
import { clarificationPrompt } from "../../lib/clarify/runs/prompt.ts";
import { renderWaitGraph, waitGraphMermaid } from "../../lib/commands/clarify/render_graph.ts";
import { renderTable } from "../../lib/clarify/render/threads.ts";
import {
  askerOf,
  formatClarificationId,
  isActive,
  isOpenRecord,
  isUnanswered,
  parseClarificationId,
  STATES,
} from "../../lib/clarify/schema.ts";
import { addQuestion } from "../../lib/clarify/rules/transitions.ts";
import { deadlockOf, waitGraph } from "../../lib/clarify/monitor/wait_graph.ts";
import { makeStyle } from "../../lib/text/style.ts";
import { refusal } from "../refusal.ts";
import { sampleRecord, START_MS } from "./samples.ts";

Deno.test("askerOf() is who asked last, or in a round, wherever somebody is told of it", () => {
  const record = sampleRecord({ from: "engineer@2", status: "answered" });
  const action = { body: "x", nowMs: START_MS };
  addQuestion(record, { ...action, by: "engineer@3", isGone: () => true }, 30);
  assertEquals([askerOf(record), askerOf(record, 1)], ["engineer@3", "engineer@2"]);
  const view = { style: makeStyle(false), width: 200 };
  const graph = waitGraph([record]);
  const told = {
    table: renderTable([record], START_MS, view),
    graph: renderWaitGraph(graph, START_MS, view),
    mermaid: waitGraphMermaid(graph),
    prompt: clarificationPrompt({ ...record, thread: record.thread.slice(-1) }, {
      issue: null,
      artifact: null,
    }),
    escalation: escalationSummary(record, { reason: "x" }),
    cycle: deadlockOf([record]).reason,
  };
  for (const [where, text] of Object.entries(told)) {
    assertEquals([where, /engineer.3/.test(text), /engineer.2/.test(text)], [where, true, false]);
  }
  const back = sampleRecord({ from: "architect", to: "engineer" });
  assertEquals(waitGraph([record, back]).cycles.length, 1);
});

Deno.test("parseClarificationId() gives issue and sequence", () => {
  assertEquals(parseClarificationId("CLR-42-001"), { issueNumber: 42, sequence: 1 });
  assertEquals(parseClarificationId("CLR-7-1234"), { issueNumber: 7, sequence: 1234 });
});

for (
  const id of [
    "",
    "CLR-42-1",
    "CLR-042-001",
    "CLR-0-001",
    "clr-42-001",
    "CLR-42-001\n",
    "CLR-42-001/../x",
    "CLR-42--01",
    "CLR-42-0001",
    "CLR-42-0000",
    "CLR-42-\u0661\u0662\u0663",
    "CLR-1234567890-001",
    null as unknown as string,
  ]
) {
  Deno.test(`parseClarificationId() refuses ${JSON.stringify(id)}`, async () => {
    const { details } = await refusal("INVALID_INPUT", () => parseClarificationId(id));
    assertEquals(details, { field: "id", value: id });
  });
}

Deno.test("formatClarificationId() is undone by parseClarificationId()", () => {
  const number = fc.integer({ min: 1, max: 999_999_999 });
  fc.assert(fc.property(number, number, (issueNumber, sequence) => {
    const id = formatClarificationId(issueNumber, sequence);
    assertEquals(parseClarificationId(id), { issueNumber, sequence });
  }));
});

Deno.test("formatClarificationId() writes three digits at least", () => {
  assertEquals(
    [1, 16, 999, 1000].map((sequence) => formatClarificationId(42, sequence)),
    ["CLR-42-001", "CLR-42-016", "CLR-42-999", "CLR-42-1000"],
  );
});

for (
  const [status, said] of [
    ["pending", "open, waits for target"],
    ["answered", "open, waits for requester"],
    ["stale", "open, waits for target"],
    ["escalated", "waits for human"],
    ["resolved", ""],
    ["abandoned", ""],
  ] as const
) {
  Deno.test(`What is ${status} is ${said || "closed"}`, () => {
    const record = sampleRecord({ status });
    const { waitsFor } = STATES[status];
    const words = [
      ...isOpenRecord(record) ? ["open"] : [],
      ...waitsFor === null ? [] : [`waits for ${waitsFor}`],
    ];
    assertEquals(words.join(", "), said);
    assertEquals([isActive(record), isUnanswered(record)], [said !== "", waitsFor === "target"]);
  });
}
