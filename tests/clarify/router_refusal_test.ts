/**
 * What the hub refuses: the right code and details, and not a byte on the disk.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { ErrorCode, ErrorDetails } from "../../lib/base/errors.ts";
import { refusal } from "../refusal.ts";
import { again, Hub, replies, request } from "./hub.ts";

type Changes = Parameters<typeof request>[0];

/** A refused request with what its details must hold. */
type Refused<Code extends ErrorCode = ErrorCode> = {
  [C in Code]: [changes: Changes, code: C, details: Partial<ErrorDetails[C]>];
}[Code];

const LONG = "x".repeat(2_001);

const REQUESTS: Record<string, Refused> = {
  "an unknown requester": [
    { fromAgent: "astronaut" },
    "INVALID_INPUT",
    { field: "from", value: "astronaut" },
  ],
  "a requester that is no name": [
    { fromAgent: "../x" },
    "INVALID_INPUT",
    { field: "agent", value: "../x" },
  ],
  "a target that is no name": [
    { toAgent: "Architect\n" },
    "INVALID_INPUT",
    { field: "agent", value: "Architect\n" },
  ],
  "a human as requester": [{ fromAgent: "human" }, "INVALID_INPUT", { field: "from" }],
  "a target outside the scope": [
    { toAgent: "reviewer" },
    "SCOPE_VIOLATION",
    { from: "engineer", to: "reviewer", allowed: ["architect", "product-manager"] },
  ],
  "an unknown target": [{ toAgent: "astronaut" }, "INVALID_INPUT", { field: "to" }],
  "a requester without a step": [
    { fromAgent: "tester" },
    "SCOPE_VIOLATION",
    { from: "tester", allowed: [] },
  ],
  "what blocks where it may not": [{ workflow: "bug" }, "SCOPE_VIOLATION", { to: "architect" }],
  "itself as target": [
    { toAgent: "engineer" },
    "SCOPE_VIOLATION",
    { from: "engineer", to: "engineer" },
  ],
  "its own role as target of a worker": [
    { fromAgent: "engineer@2", toAgent: "engineer" },
    "SCOPE_VIOLATION",
    { from: "engineer@2", to: "engineer" },
  ],
  "a word for whether it blocks": [
    { blocking: "no" as unknown as boolean },
    "INVALID_INPUT",
    { field: "blocking", value: "no" },
  ],
  "nothing for whether it blocks": [
    { blocking: undefined as unknown as boolean },
    "INVALID_INPUT",
    { field: "blocking" },
  ],
  "issue 0": [{ issueNumber: 0 }, "INVALID_INPUT", { field: "issue", value: 0 }],
  "issue -1": [{ issueNumber: -1 }, "INVALID_INPUT", { field: "issue", value: -1 }],
  "issue 1.5": [{ issueNumber: 1.5 }, "INVALID_INPUT", { field: "issue", value: 1.5 }],
  "issue ../x": [
    { issueNumber: "../x" as unknown as number },
    "INVALID_INPUT",
    { field: "issue", value: "../x" },
  ],
  "an empty topic": [{ topic: " " }, "INVALID_INPUT", { field: "topic", value: " " }],
  "an over-long topic": [{ topic: "x".repeat(201) }, "INVALID_INPUT", { field: "topic" }],
  "an empty question": [{ question: "" }, "INVALID_INPUT", { field: "question", value: "" }],
  "an over-long question": [{ question: LONG }, "INVALID_INPUT", { field: "question" }],
  "a broken question": [{ question: "a\ud800" }, "INVALID_INPUT", { field: "question" }],
  "more rounds than allowed": [
    { maxRounds: 6 },
    "INVALID_INPUT",
    { field: "max-rounds", value: 6 },
  ],
  "no rounds": [{ maxRounds: 0 }, "INVALID_INPUT", { field: "max-rounds", value: 0 }],
  "half a round": [{ maxRounds: 1.5 }, "INVALID_INPUT", { field: "max-rounds", value: 1.5 }],
  "an unknown workflow": [
    { workflow: "epic" },
    "NOT_FOUND",
    { kind: "workflow", id: "epic" },
  ],
  "a workflow that is a path": [
    { workflow: "../feature" },
    "INVALID_INPUT",
    { field: "workflow", value: "../feature" },
  ],
};

for (const [name, [changes, code, details]] of Object.entries(REQUESTS)) {
  Deno.test(`ClarificationRouter.requestClarification() refuses ${name}`, async () => {
    using hub = new Hub({ agents: { architect: replies("never asked") } });
    const before = hub.snapshot();
    const error = await refusal(code, () => hub.router.requestClarification(request(changes)));
    assertEquals({ ...error.details, ...details }, error.details);
    assert(error.message.includes("\n"), "it says what to do next");
    assertEquals([hub.snapshot(), hub.names], [before, []]);
  });
}

Deno.test("ClarificationRouter.requestClarification() warns of what is outside the scope", async () => {
  using hub = new Hub();
  const warnings: unknown[] = [];
  hub.events.on("thinking-log", (event) => {
    const { detail: _, timestamp: __, ...warning } = event;
    warnings.push(warning);
  });
  await refusal("SCOPE_VIOLATION", () => {
    return hub.router.requestClarification(request({ toAgent: "reviewer" }));
  });
  assertEquals(warnings, [{
    agent: "engineer",
    issueNumber: 42,
    kind: "warning",
    label: "Clarification refused",
    code: "SCOPE_VIOLATION",
    toAgent: "reviewer",
  }]);
});

/** What is refused once CLR-42-001 is asked and answered. */
const MOVES: Record<string, [code: ErrorCode, move: (hub: Hub) => Promise<unknown>]> = {
  "a follow-up of nothing": [
    "NOT_FOUND",
    ({ router }) => router.followUp({ clarificationId: "CLR-42-009", question: "x" }),
  ],
  "a follow-up in another issue": [
    "NOT_FOUND",
    ({ router }) => router.followUp({ clarificationId: "CLR-7-001", question: "x" }),
  ],
  "a follow-up of a bad id": [
    "INVALID_INPUT",
    ({ router }) => router.followUp({ clarificationId: "CLR-42-001/../x", question: "x" }),
  ],
  "an empty follow-up": ["INVALID_INPUT", ({ router }) => router.followUp(again(" "))],
  "an over-long follow-up": ["INVALID_INPUT", ({ router }) => router.followUp(again(LONG))],
  "a follow-up of another agent": [
    "INVALID_TRANSITION",
    ({ router }) => router.followUp({ ...again(), by: "reviewer" }),
  ],
  "the answer to nothing": [
    "NOT_FOUND",
    ({ router }) => router.answerClarification({ clarificationId: "CLR-42-009", answer: "x" }),
  ],
  "an empty answer": [
    "INVALID_INPUT",
    ({ router }) => router.answerClarification({ ...again(), answer: "" }),
  ],
  "an over-long answer": [
    "INVALID_INPUT",
    ({ router }) => router.answerClarification({ ...again(), answer: LONG }),
  ],
  "the answer of another agent": [
    "INVALID_TRANSITION",
    ({ router }) => router.answerClarification({ ...again(), answer: "x", by: "reviewer" }),
  ],
  "the resolution of nothing": [
    "NOT_FOUND",
    ({ router }) =>
      router.resolveClarification({ clarificationId: "CLR-42-009", resolutionBody: "x" }),
  ],
  "the resolution of the target": [
    "INVALID_TRANSITION",
    ({ router }) =>
      router.resolveClarification({ ...again(), resolutionBody: "x", by: "architect" }),
  ],
  "an over-long resolution": [
    "INVALID_INPUT",
    ({ router }) => router.resolveClarification({ ...again(), resolutionBody: LONG }),
  ],
  "the escalation of nothing": [
    "NOT_FOUND",
    ({ router }) => router.escalateClarification({ clarificationId: "CLR-42-009", summary: "x" }),
  ],
  "the escalation of a third agent": [
    "INVALID_TRANSITION",
    ({ router }) => router.escalateClarification({ ...again(), summary: "x", by: "reviewer" }),
  ],
};

for (const [name, [code, move]] of Object.entries(MOVES)) {
  Deno.test(`ClarificationRouter refuses ${name}`, async () => {
    using hub = new Hub({ agents: { architect: replies("Both.", "never asked") } });
    await hub.router.requestClarification(request());
    const before = hub.snapshot();
    const told = hub.names.length;
    const error = await refusal(code, () => move(hub));
    assert(error.message.includes("\n"), "it says what to do next");
    assertEquals([hub.snapshot(), hub.names.length], [before, told]);
  });
}

Deno.test("ClarificationRouter leaves a broken ledger as it is", async () => {
  using hub = new Hub({ agents: { architect: replies("never asked") } });
  Deno.mkdirSync(`${hub.folder}/state/clarifications`, { recursive: true });
  Deno.writeTextFileSync(hub.ledgerPath(42), '{"issueNumber": 42,');
  const before = hub.snapshot();
  const { details } = await refusal("CORRUPT_STATE", () => {
    return hub.router.requestClarification(request());
  });
  assertEquals([details.path, hub.snapshot(), hub.names], [hub.ledgerPath(42), before, []]);
});
