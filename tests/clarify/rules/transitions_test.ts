import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  askerOf,
  type ClarificationRecord,
  type ClarificationStatus,
} from "../../../lib/clarify/schema.ts";
import {
  addAnswer,
  addQuestion,
  markEscalated,
  markResolved,
  MAX_LATE_ANSWERS,
  newRecord,
} from "../../../lib/clarify/rules/transitions.ts";
import { type AgentxError, hasCode } from "../../../lib/base/errors.ts";
import { refusal } from "../../refusal.ts";
import { MINUTE_MS, sampleRecord, START_MS } from "../samples.ts";
import { often } from "../../often.ts";

const LATER_MS = START_MS + MINUTE_MS;

function act(by: string, body = "x") {
  return { by, body, nowMs: LATER_MS };
}

Deno.test("newRecord() makes a pending record with the keys of SPEC-1 4.2 and no others", () => {
  const record = newRecord({
    topic: "Database layer",
    question: "PostgreSQL or SQLite?",
    blocking: true,
  }, { from: "engineer", to: "architect", maxRounds: 5, slaMinutes: 30, nowMs: START_MS });
  assertEquals(record, {
    from: "engineer",
    to: "architect",
    topic: "Database layer",
    blocking: true,
    status: "pending",
    round: 1,
    maxRounds: 5,
    created: "2026-02-26T10:00:00.000Z",
    staleAfter: "2026-02-26T10:30:00.000Z",
    resolvedAt: null,
    thread: [{
      round: 1,
      from: "engineer",
      type: "question",
      body: "PostgreSQL or SQLite?",
      timestamp: "2026-02-26T10:00:00.000Z",
    }],
  });
});

Deno.test("addAnswer() answers the round of its question", () => {
  const record = sampleRecord({ round: 2 });
  assertEquals(addAnswer(record, act("architect", "Both.")), true);
  assertEquals([record.status, record.round], ["answered", 2]);
  assertEquals(record.thread.at(-1), {
    round: 2,
    from: "architect",
    type: "answer",
    body: "Both.",
    timestamp: "2026-02-26T10:01:00.000Z",
  });
});

Deno.test("addAnswer() answers a stale clarification", () => {
  const record = sampleRecord({ status: "stale" });
  assertEquals([addAnswer(record, act("architect")), record.status], [true, "answered"]);
});

for (const by of ["architect", "architect@2", "human", "agent-x"]) {
  Deno.test(`addAnswer() takes the answer of ${by}`, () => {
    assertEquals(addAnswer(sampleRecord(), act(by)), true);
  });
}

for (const by of ["engineer", "reviewer", "architect-2", ""]) {
  Deno.test(`addAnswer() refuses the answer of "${by}"`, async () => {
    const { details } = await refusal("INVALID_TRANSITION", () => {
      addAnswer(sampleRecord(), act(by));
    });
    assertEquals(details, { clarificationId: "CLR-42-001", status: "pending", action: "answer" });
  });
}

for (const status of ["answered", "resolved", "escalated", "abandoned"] as const) {
  Deno.test(`addAnswer() keeps the late answer to ${status} in the thread and nothing else`, () => {
    const record = sampleRecord({ status });
    const before = structuredClone(record);
    assertEquals(addAnswer(record, act("architect", "Late.")), false);
    assertEquals(record.thread.at(-1)?.body, "Late.");
    record.thread.pop();
    assertEquals(record, before);
  });
}

Deno.test("addAnswer() keeps so many late answers and no more", async () => {
  const record = sampleRecord();
  for (let late = 0; late <= MAX_LATE_ANSWERS; late++) addAnswer(record, act("architect"));
  const { length } = record.thread;
  await refusal("INVALID_TRANSITION", () => addAnswer(record, act("architect")));
  assertEquals(record.thread.length, length);
  assert(addQuestion(record, act("engineer"), 30), "it goes on");
  assertEquals(addAnswer(record, act("architect")), true);
});

Deno.test("addAnswer() takes the answer to an earlier round for a late one", () => {
  const record = sampleRecord({ round: 2 });
  assertEquals(addAnswer(record, act("architect"), 1), false);
  assertEquals([record.status, record.thread.at(-1)?.round], ["pending", 1]);
});

Deno.test("addQuestion() begins the next round with a new time limit", () => {
  const record = sampleRecord({ status: "answered" });
  assertEquals(addQuestion(record, act("engineer", "And pooling?"), 45), true);
  assertEquals([record.status, record.round], ["pending", 2]);
  assertEquals(record.staleAfter, "2026-02-26T10:46:00.000Z");
  assertEquals(record.thread.at(-1)?.round, 2);
});

Deno.test("addQuestion() escalates what would exceed the limit, with the refused question", () => {
  const record = sampleRecord({ status: "answered", round: 5 });
  assertEquals(addQuestion(record, act("engineer", "Once more?"), 30), false);
  assertEquals([record.status, record.round], ["escalated", 5]);
  const { type, body } = record.thread.at(-1)!;
  assertEquals([type, body.includes("Refused question: Once more?")], ["escalation", true]);
});

for (const by of ["architect", "reviewer", "reviewer@2"]) {
  Deno.test(`addQuestion() is not for ${by}`, async () => {
    await refusal("INVALID_TRANSITION", () => {
      addQuestion(sampleRecord({ status: "answered" }), act(by), 30);
    });
  });
}

/** Who may ask again, and under which name it is written. */
const FOLLOW_UPS: [from: string, by: string, isGone: boolean, written: string | null][] = [
  ["engineer", "engineer", false, "engineer"],
  ["engineer", "engineer@2", false, "engineer@2"],
  ["engineer@2", "engineer@2", false, "engineer@2"],
  ["engineer@2", "engineer@3", false, null],
  ["engineer@2", "engineer", false, null],
  ["engineer@2", "engineer@3", true, "engineer@3"],
  ["engineer@2", "engineer", true, "engineer"],
  ["engineer@2", "reviewer@3", true, null],
  ["engineer", "human", false, "engineer"],
];

for (const [from, by, isGone, written] of FOLLOW_UPS) {
  const whose = `${from}${isGone ? ", which is gone," : ""}`;
  Deno.test(`addQuestion() for ${whose} by ${by} is ${written ? "" : "not "}possible`, async () => {
    const record = sampleRecord({ from, status: "answered" });
    const action = { ...act(by), isGone: () => isGone };
    if (written === null) {
      await refusal("INVALID_TRANSITION", () => addQuestion(record, action, 30));
      await refusal("INVALID_TRANSITION", () => markResolved(record, action));
      return;
    }
    addQuestion(record, action, 30);
    assertEquals([record.from, record.thread.at(-1)?.from], [from, written]);
    markResolved(record, action);
    assertEquals([record.status, record.thread.at(-1)?.from], ["resolved", by]);
  });
}

/** Who may go on after `engineer@3` went on with a question of `engineer@2`, by who is gone. */
const AFTER_TAKEOVER: [by: string, gone: string[], may: boolean][] = [
  ["engineer@3", ["engineer@2"], true],
  ["engineer@2", [], false],
  ["engineer@2", ["engineer@2"], false],
  ["engineer@4", ["engineer@2"], false],
  ["engineer@4", ["engineer@3"], true],
  ["engineer@2", ["engineer@3"], true],
  ["human", [], true],
];

for (const [by, gone, may] of AFTER_TAKEOVER) {
  const whose = gone.length === 0 ? "nobody" : gone.join();
  Deno.test(`a question that was taken over is ${may ? "" : "not "}for ${by} while ${whose} is gone`, async () => {
    const taken = sampleRecord({ from: "engineer@2", status: "answered" });
    addQuestion(taken, { ...act("engineer@3"), isGone: () => true }, 30);
    addAnswer(taken, act("architect"));
    const action = { ...act(by), isGone: (session: string) => gone.includes(session) };
    for (
      const go of [
        (record: ClarificationRecord) => void addQuestion(record, action, 30),
        (record: ClarificationRecord) => markResolved(record, action),
        (record: ClarificationRecord) => markEscalated(record, action),
      ]
    ) {
      if (may) go(structuredClone(taken));
      else {
        const error = await refusal("INVALID_TRANSITION", () => go(taken));
        assert(error.message.includes("it is for engineer@3 or a human"), error.message);
      }
    }
  });
}

Deno.test("a role that goes on with the question of a session that is gone is the one that asks", () => {
  const record = sampleRecord({ from: "engineer@2", status: "answered" });
  addQuestion(record, { ...act("engineer"), isGone: () => true }, 30);
  assertEquals([askerOf(record), askerOf(record, 1)], ["engineer", "engineer@2"]);
});

Deno.test("a human's further question is asked for whoever asked last", () => {
  const record = sampleRecord({ from: "engineer@2", status: "answered" });
  addQuestion(record, { ...act("engineer@3"), isGone: () => true }, 30);
  addAnswer(record, act("architect"));
  addQuestion(record, act("human"), 30);
  assertEquals(record.thread.at(-1)?.from, "engineer@3");
});

for (const status of ["pending", "stale", "resolved", "escalated", "abandoned"] as const) {
  Deno.test(`addQuestion() is refused while it is ${status}`, async () => {
    const { details } = await refusal("INVALID_TRANSITION", () => {
      addQuestion(sampleRecord({ status }), act("engineer"), 30);
    });
    assertEquals(details.status, status);
  });
}

for (const status of ["pending", "answered", "stale"] as const) {
  Deno.test(`markResolved() ends what is ${status}, for its requester`, () => {
    const record = sampleRecord({ status, round: 3 });
    markResolved(record, act("engineer", "Clear."));
    assertEquals([record.status, record.resolvedAt], ["resolved", "2026-02-26T10:01:00.000Z"]);
    const { round, type, body } = record.thread.at(-1)!;
    assertEquals([round, type, body], [3, "resolution", "Clear."]);
  });
}

for (const by of ["engineer", "architect", "agent-x"]) {
  Deno.test(`markResolved() does not end what is escalated for ${by}`, async () => {
    await refusal("INVALID_TRANSITION", () => {
      markResolved(sampleRecord({ status: "escalated" }), act(by));
    });
  });
}

Deno.test("markResolved() ends what is escalated for a human", () => {
  const record = sampleRecord({ status: "escalated" });
  markResolved(record, act("human"));
  assertEquals(record.status, "resolved");
});

for (const status of ["resolved", "abandoned"] as const) {
  Deno.test(`markResolved() is refused, to a human too, when it is ${status}`, async () => {
    await refusal("INVALID_TRANSITION", () => markResolved(sampleRecord({ status }), act("human")));
  });
}

for (const by of ["engineer", "architect", "architect@2", "human", "agent-x"]) {
  Deno.test(`markEscalated() is open to ${by}`, () => {
    const record = sampleRecord();
    markEscalated(record, act(by, "The ADR contradicts itself"));
    assertEquals(record.status, "escalated");
    assertEquals(record.thread.at(-1)?.from, by);
  });
}

Deno.test("markEscalated() is not open to a third party", async () => {
  await refusal("INVALID_TRANSITION", () => markEscalated(sampleRecord(), act("reviewer")));
});

for (const status of ["resolved", "escalated", "abandoned"] as const) {
  Deno.test(`markEscalated() is refused when it is ${status}`, async () => {
    await refusal("INVALID_TRANSITION", () => {
      markEscalated(sampleRecord({ status }), act("human"));
    });
  });
}

/** What somebody does, with the changes of DESIGN section 6 that it may make. */
const ACTIONS = {
  question: (record: ClarificationRecord, by: string) => addQuestion(record, act(by), 30),
  answer: (record: ClarificationRecord, by: string) => addAnswer(record, act(by)),
  "late answer": (record: ClarificationRecord, by: string) => addAnswer(record, act(by), 1),
  resolve: (record: ClarificationRecord, by: string) => markResolved(record, act(by)),
  escalate: (record: ClarificationRecord, by: string) => markEscalated(record, act(by)),
};

const CHANGES: Record<ClarificationStatus, ClarificationStatus[]> = {
  pending: ["answered", "resolved", "escalated"],
  answered: ["pending", "resolved", "escalated"],
  stale: ["answered", "resolved", "escalated"],
  escalated: ["pending", "resolved"],
  resolved: [],
  abandoned: [],
};

const anyStep = fc.record({
  action: fc.constantFrom(...Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]),
  by: fc.constantFrom(
    "engineer",
    "engineer@2",
    "architect",
    "architect@2",
    "reviewer",
    "human",
    "agent-x",
  ),
});

const anyLife = fc.record({
  status: fc.constantFrom(...Object.keys(CHANGES) as ClarificationStatus[]),
  maxRounds: fc.integer({ min: 1, max: 4 }),
  steps: fc.array(anyStep, { maxLength: 30 }),
});

type Check = (
  before: ClarificationRecord,
  after: ClarificationRecord,
  step: { action: string; by: string },
) => void;

/** Lives random lives and checks every step that was not refused. */
function checkLives(check: Check, checkRefused: Check = () => {}): void {
  fc.assert(
    fc.property(anyLife, ({ status, maxRounds, steps }) => {
      const record = sampleRecord({ status, maxRounds });
      for (const step of steps) {
        const before = structuredClone(record);
        try {
          ACTIONS[step.action](record, step.by);
        } catch (error) {
          if (!hasCode(error, "INVALID_TRANSITION")) throw error;
          checkRefused(before, record, step);
          continue;
        }
        check(before, record, step);
      }
    }),
    often(500),
  );
}

Deno.test("A random life makes only the changes of the machine", () => {
  checkLives((before, after) => {
    if (after.status === before.status) return;
    assertEquals(CHANGES[before.status].includes(after.status), true);
  });
});

Deno.test("A random life is not changed by what is refused", () => {
  checkLives(() => {}, (before, after) => assertEquals(after, before));
});

Deno.test("A random life only gets one more entry in its thread at each step", () => {
  checkLives((before, after) => {
    assertEquals(after.thread.length, before.thread.length + 1);
    assertEquals(after.thread.slice(0, -1), before.thread);
  });
});

Deno.test("A random life never has more rounds than its limit", () => {
  checkLives((before, after, { action }) => {
    assertEquals(after.round <= after.maxRounds, true);
    const mayGrow = action === "question" && after.status === "pending";
    assertEquals(after.round, before.round + (mayGrow ? 1 : 0));
  });
});

Deno.test("A random life changes only its thread by a late answer", () => {
  checkLives((before, after, { action }) => {
    if (!action.includes("answer") || after.status !== before.status) return;
    assertEquals({ ...after, thread: before.thread }, before);
  });
});

Deno.test("A random life leaves an escalation only through a human", () => {
  checkLives((before, after, { by }) => {
    if (before.status === "escalated" && after.status !== "escalated") assertEquals(by, "human");
  });
});

Deno.test("A random life has resolvedAt exactly when it is resolved by then", () => {
  checkLives((before, after) => {
    const isNew = after.status === "resolved" && before.status !== "resolved";
    assertEquals(after.resolvedAt !== before.resolvedAt, isNew);
  });
});

Deno.test("A refused action says what to do next", () => {
  try {
    markResolved(sampleRecord({ status: "escalated" }), act("engineer"));
  } catch (error) {
    assertEquals((error as AgentxError).message.split("\n").length, 2);
  }
});
