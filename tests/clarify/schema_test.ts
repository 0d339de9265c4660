import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { escalationSummary } from "../../lib/clarify/escalation.ts";
import { clarificationPrompt } from "../../lib/clarify/prompt.ts";
import { renderWaitGraph, waitGraphMermaid } from "../../lib/clarify/render/graph.ts";
import { renderTable } from "../../lib/clarify/render/threads.ts";
import {
  askerOf,
  formatClarificationId,
  isActive,
  isOpen,
  isUnanswered,
  ledgerProblem,
  parseClarificationId,
  STATES,
} from "../../lib/clarify/schema.ts";
import { addQuestion } from "../../lib/clarify/transitions.ts";
import { deadlockOf, waitGraph } from "../../lib/clarify/wait_graph.ts";
import { makeStyle } from "../../lib/text/style.ts";
import { refusal } from "../refusal.ts";
import { sampleRecord, START_MS } from "./samples.ts";

/** A ledger of issue 42 with one record, changed by `change`. */
// deno-lint-ignore no-explicit-any -- a test breaks it
function changed(change: (ledger: any) => void): unknown {
  const ledger = { issueNumber: 42, clarifications: [sampleRecord()] };
  change(ledger);
  return ledger;
}

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

Deno.test("ledgerProblem() finds none in a ledger", () => {
  assertEquals(ledgerProblem({ issueNumber: 42, clarifications: [] }), undefined);
  assertEquals(ledgerProblem(changed(() => {})), undefined);
});

Deno.test("ledgerProblem() lets keys pass that it does not know", () => {
  const ledger = changed((ledger) => {
    ledger.version = 1;
    ledger.clarifications[0].priority = "p1";
    ledger.clarifications[0].thread[0].model = "x";
  });
  assertEquals(ledgerProblem(ledger), undefined);
});

Deno.test("ledgerProblem() lets a record without resolvedAt pass, as the original wrote it", () => {
  assertEquals(
    ledgerProblem(changed((ledger) => delete ledger.clarifications[0].resolvedAt)),
    undefined,
  );
});

// deno-lint-ignore no-explicit-any -- a test breaks it
const MISFITS: Record<string, (ledger: any) => void> = {
  "issueNumber": (ledger) => ledger.issueNumber = "42",
  "clarifications": (ledger) => ledger.clarifications = {},
  "clarifications[0] ": (ledger) => ledger.clarifications[0] = null,
  "clarifications[0].id": (ledger) => ledger.clarifications[0].id = "CLR-7-001",
  "clarifications[0].id must belong": (ledger) => ledger.clarifications[0].id = "../x",
  "clarifications[0].id must belong to issue 42": (ledger) => {
    ledger.clarifications[0].id = "CLR-42-0001";
  },
  "clarifications[1].id": (ledger) => ledger.clarifications.push(ledger.clarifications[0]),
  "clarifications[0].from": (ledger) => ledger.clarifications[0].from = 1,
  "clarifications[0].to": (ledger) => delete ledger.clarifications[0].to,
  "clarifications[0].topic": (ledger) => ledger.clarifications[0].topic = ["x"],
  "clarifications[0].blocking": (ledger) => ledger.clarifications[0].blocking = "true",
  "clarifications[0].status": (ledger) => ledger.clarifications[0].status = "open",
  "clarifications[0].round": (ledger) => ledger.clarifications[0].round = 0,
  "clarifications[0].maxRounds": (ledger) => ledger.clarifications[0].maxRounds = 1e999,
  "clarifications[0].created": (ledger) => ledger.clarifications[0].created = "yesterday",
  "clarifications[0].staleAfter": (ledger) => ledger.clarifications[0].staleAfter = "",
  "clarifications[0].resolvedAt": (ledger) => ledger.clarifications[0].resolvedAt = 5,
  "clarifications[0].thread": (ledger) => ledger.clarifications[0].thread = null,
  "clarifications[0].thread[0]": (ledger) => ledger.clarifications[0].thread[0].type = "note",
};

for (const [place, spoil] of Object.entries(MISFITS)) {
  Deno.test(`ledgerProblem() names ${place.trim()} where it does not fit`, () => {
    assertEquals(ledgerProblem(changed(spoil))?.startsWith(place), true);
  });
}

for (const value of [null, [], "x", 42, true]) {
  Deno.test(`ledgerProblem() refuses ${JSON.stringify(value)}`, () => {
    assertEquals(ledgerProblem(value), "it is not an object");
  });
}

Deno.test("ledgerProblem() refuses what is nested too deep to be written again", () => {
  const deep = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
  for (
    const ledger of [
      changed((ledger) => ledger.extra = deep),
      changed((ledger) => ledger.clarifications[0].extra = deep),
      changed((ledger) => ledger.clarifications[0].thread[0].extra = { deep }),
    ]
  ) {
    assertEquals(ledgerProblem(ledger), "it is nested too deep");
  }
});

Deno.test("ledgerProblem() has a word for any JSON", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assertEquals(typeof ledgerProblem(value), "string");
  }));
});

for (const name of ["../../x", "/etc/hosts", "CLR-42-001-r1-1.txt/..", 7]) {
  Deno.test(`ledgerProblem() refuses ${JSON.stringify(name)} as the name of an attachment`, () => {
    const record = sampleRecord();
    Object.assign(record.thread[0], { attachments: [name] });
    const problem = ledgerProblem({ issueNumber: 42, clarifications: [record] });
    assertEquals(problem, "clarifications[0].thread[0] is not an entry of a thread");
  });
}

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
      ...isOpen(record) ? ["open"] : [],
      ...waitsFor === null ? [] : [`waits for ${waitsFor}`],
    ];
    assertEquals(words.join(", "), said);
    assertEquals([isActive(record), isUnanswered(record)], [said !== "", waitsFor === "target"]);
  });
}
