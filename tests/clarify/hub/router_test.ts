import { assert, assertEquals } from "@std/assert";
import type { AgentCall } from "../../../lib/agents/agent_call.ts";
import type { ClarificationRecord } from "../../../lib/clarify/schema.ts";
import { refusal } from "../../refusal.ts";
import { again, Hub, replies, request } from "../hub.ts";
import { MINUTE_MS, START_MS } from "../samples.ts";

Deno.test("ClarificationRouter.requestClarification() gives the answer of the target", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.") } });
  const outcome = await hub.router.requestClarification(request());
  const { clarificationId, status, round, answer, clarification } = outcome;
  assertEquals([clarificationId, status, round, answer], ["CLR-42-001", "answered", 1, "Both."]);
  assertEquals(hub.ledger.getById("CLR-42-001"), clarification);
  assertEquals(clarification.thread.map(({ type, from }) => `${type} ${from}`), [
    "question engineer",
    "answer architect",
  ]);
});

Deno.test("ClarificationRouter.requestClarification() writes the question before it asks", async () => {
  let seen: string[] = [];
  using hub = new Hub({
    agents: {
      architect: (_call, hub) => {
        const { status, thread } = hub.ledger.getById("CLR-42-001");
        seen = [status, thread[0].body];
        return Promise.resolve("Both.");
      },
    },
  });
  await hub.router.requestClarification(request());
  assertEquals(seen, ["pending", "PostgreSQL or SQLite?"]);
});

Deno.test("ClarificationRouter.requestClarification() holds no lock while it asks", async () => {
  using hub = new Hub({
    agents: {
      architect: async (_call, hub) => {
        await hub.ledger.change("CLR-42-001", "human", (record) => void (record.topic = "New"));
        await hub.status.setBase("tester", { status: "working", issue: 7 });
        return "Both.";
      },
    },
  });
  const { clarification } = await hub.router.requestClarification(request());
  assertEquals([clarification.topic, clarification.status], ["New", "answered"]);
});

Deno.test("ClarificationRouter.requestClarification() stays pending without an invoker", async () => {
  using hub = new Hub();
  const { status, answer } = await hub.router.requestClarification(request());
  assertEquals([status, answer], ["pending", null]);
  assertEquals(hub.names, ["clarification-requested"]);
});

Deno.test("ClarificationRouter.requestClarification() takes the limits of the workflow", async () => {
  using hub = new Hub();
  const limits = async (changes: Parameters<typeof request>[0]) => {
    const { clarification } = await hub.router.requestClarification(request(changes));
    const { created, staleAfter, maxRounds } = clarification;
    return [maxRounds, (Date.parse(staleAfter) - Date.parse(created)) / MINUTE_MS];
  };
  assertEquals(await limits({}), [5, 30]);
  assertEquals(await limits({ blocking: false }), [6, 30]);
  assertEquals(await limits({ blocking: false, workflow: "bug" }), [2, 90]);
});

Deno.test("ClarificationRouter.requestClarification() lets a request lower the rounds", async () => {
  using hub = new Hub();
  const { clarification } = await hub.router.requestClarification(request({ maxRounds: 1 }));
  assertEquals(clarification.maxRounds, 1);
});

Deno.test("ClarificationRouter.requestClarification() spells aliases out", async () => {
  using hub = new Hub({ agents: { "product-manager": replies("Yes.") } });
  const { clarification } = await hub.router.requestClarification(request({ toAgent: "pm" }));
  assertEquals([clarification.to, clarification.thread[1].from], [
    "product-manager",
    "product-manager",
  ]);
});

Deno.test("ClarificationRouter.requestClarification() keeps workers apart", async () => {
  const asked: string[] = [];
  const architect = ({ agent }: AgentCall) => (asked.push(agent), Promise.resolve("Both."));
  using hub = new Hub({ agents: { "architect@2": architect } });
  const { clarification } = await hub.router.requestClarification(
    request({ fromAgent: "engineer@3", toAgent: "architect@2" }),
  );
  assertEquals([clarification.from, clarification.to], ["engineer@3", "architect@2"]);
  assertEquals([asked, Object.keys(hub.statuses())], [["architect@2"], ["engineer", "architect"]]);
});

Deno.test("ClarificationRouter.followUp() asks the next round with the thread so far", async () => {
  const prompts: string[] = [];
  const script = ["Both.", "By configuration."];
  const architect = ({ prompt }: AgentCall) => {
    prompts.push(prompt);
    return Promise.resolve(script.shift()!);
  };
  using hub = new Hub({ agents: { architect } });
  await hub.router.requestClarification(request());
  hub.nowMs += MINUTE_MS;
  const { round, answer, clarification } = await hub.router.followUp(again());
  assertEquals([round, answer, clarification.staleAfter], [
    2,
    "By configuration.",
    "2026-02-26T10:31:00.000Z",
  ]);
  assertEquals(clarification.thread.map(({ round, type }) => `${round} ${type}`), [
    "1 question",
    "1 answer",
    "2 question",
    "2 answer",
  ]);
  for (const text of ["PostgreSQL or SQLite?", "Both.", "And pooling?", "round 2 of 5"]) {
    assert(prompts[1].includes(text));
  }
});

Deno.test("ClarificationRouter.followUp() obeys the workflow that is named", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.", "Yes.") } });
  await hub.router.requestClarification(request());
  const { clarification } = await hub.router.followUp({ ...again(), workflow: "bug" });
  assertEquals(clarification.staleAfter, "2026-02-26T11:30:00.000Z");
});

Deno.test("ClarificationRouter.followUp() escalates the round that would exceed the limit", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.", "By configuration.") } });
  await hub.router.requestClarification(request({ maxRounds: 2 }));
  await hub.router.followUp(again());
  const { details } = await refusal("MAX_ROUNDS_EXCEEDED", () => {
    return hub.router.followUp(again("Which configuration?"));
  });
  assertEquals(details, { clarificationId: "CLR-42-001", rounds: 2 });
  const { status, round, thread } = hub.ledger.getById("CLR-42-001");
  assertEquals([status, round, thread.length], ["escalated", 2, 5]);
  const { type, body } = thread[4];
  assertEquals(type, "escalation");
  for (
    const line of [
      "Topic: Database layer",
      "Rounds used: 2 of 2",
      "Position of engineer: And pooling?",
      "Position of architect: By configuration.",
      "Refused question: Which configuration?",
      "  d) decide otherwise",
    ]
  ) {
    assert(body.split("\n").includes(line), line);
  }
  assertEquals(hub.names.at(-1), "clarification-escalated");
});

Deno.test("ClarificationRouter.followUp() allows five rounds that block and six that do not", async () => {
  for (const [blocking, rounds] of [[true, 5], [false, 6]] as const) {
    using hub = new Hub({ agents: { architect: () => Promise.resolve("Both.") } });
    await hub.router.requestClarification(request({ blocking }));
    for (let round = 2; round <= rounds; round++) await hub.router.followUp(again());
    const { details } = await refusal("MAX_ROUNDS_EXCEEDED", () => hub.router.followUp(again()));
    assertEquals(details.rounds, rounds);
  }
});

Deno.test("ClarificationRouter.followUp() is refused while the first question is open", async () => {
  using hub = new Hub();
  await hub.router.requestClarification(request());
  const before = hub.snapshot();
  await refusal("INVALID_TRANSITION", () => hub.router.followUp(again()));
  assertEquals(hub.snapshot(), before);
});

Deno.test("ClarificationRouter.answerClarification() answers for the target", async () => {
  using hub = new Hub();
  await hub.router.requestClarification(request());
  const outcome = await hub.router.answerClarification({
    clarificationId: "CLR-42-001",
    answer: "Both.",
  });
  const { status, round, answer, inTime, clarification } = outcome;
  assertEquals([status, round, answer, inTime], ["answered", 1, "Both.", true]);
  assertEquals(clarification.thread[1].from, "architect");
});

Deno.test("ClarificationRouter.answerClarification() refuses a second answer", async () => {
  using hub = new Hub();
  await hub.router.requestClarification(request());
  const answer = { clarificationId: "CLR-42-001", answer: "Both.", by: "human" };
  await hub.router.answerClarification(answer);
  const before = hub.snapshot();
  await refusal("INVALID_TRANSITION", () => hub.router.answerClarification(answer));
  assertEquals(hub.snapshot(), before);
});

Deno.test("ClarificationRouter.answerClarification() keeps what comes after the decision", async () => {
  using hub = new Hub();
  await hub.router.requestClarification(request());
  const { clarificationId } = again();
  await hub.router.resolveClarification({ clarificationId, resolutionBody: "Never mind." });
  const { inTime, status } = await hub.router.answerClarification({
    clarificationId,
    answer: "Both.",
  });
  assertEquals([inTime, status], [false, "resolved"]);
  assertEquals(hub.ledger.getById(clarificationId).thread.at(-1)?.body, "Both.");
  assertEquals(hub.names, ["clarification-requested", "clarification-resolved"]);
});

Deno.test("ClarificationRouter.resolveClarification() ends it for the requester", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.") } });
  await hub.router.requestClarification(request());
  const { status, clarification } = await hub.router.resolveClarification({
    clarificationId: "CLR-42-001",
    resolutionBody: "Clear.",
  });
  assertEquals([status, clarification.resolvedAt], ["resolved", "2026-02-26T10:00:00.000Z"]);
  assertEquals(clarification.thread.at(-1)?.from, "engineer");
});

Deno.test("ClarificationRouter.escalateClarification() hands it to a human", async () => {
  using hub = new Hub();
  await hub.router.requestClarification(request());
  const { clarificationId } = again();
  const { status, clarification } = await hub.router.escalateClarification({
    clarificationId,
    summary: "The ADR contradicts itself",
  });
  assertEquals(status, "escalated");
  assert(clarification.thread[1].body.startsWith("Reason: The ADR contradicts itself\n"));
  await refusal(
    "INVALID_TRANSITION",
    () =>
      hub.router.resolveClarification({ clarificationId, resolutionBody: "x", by: "architect" }),
  );
  await hub.router.resolveClarification({ clarificationId, resolutionBody: "Both.", by: "human" });
});

Deno.test("ClarificationRouter tells of each change after it is written, in order", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.", "Yes.") } });
  await hub.router.requestClarification(request());
  await hub.router.followUp(again());
  await hub.router.resolveClarification({ ...again(), resolutionBody: "Clear." });
  const told = hub.heard.map(({ name, ledger: { clarifications: [{ round, status }] } }) =>
    `${name} ${round} ${status}`
  );
  assertEquals(told, [
    "clarification-requested 1 pending",
    "clarification-answered 1 answered",
    "clarification-requested 2 pending",
    "clarification-answered 2 answered",
    "clarification-resolved 2 resolved",
  ]);
});

Deno.test("ClarificationRouter tells the seven keys of SPEC-1, who acted, and how the clarification stands then", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.") } });
  await hub.router.requestClarification(request());
  await hub.router.escalateClarification({ ...again(), summary: "No", by: "human" });
  const payload = {
    clarificationId: "CLR-42-001",
    issueNumber: 42,
    fromAgent: "engineer",
    toAgent: "architect",
    topic: "Database layer",
    blocking: true,
    round: 1,
    timestamp: START_MS,
  };
  assertEquals(hub.heard.map((event) => event.payload), [
    { ...payload, agent: "engineer", status: "pending" },
    { ...payload, agent: "architect", status: "answered" },
    { ...payload, agent: "human", status: "escalated" },
  ]);
});

Deno.test("ClarificationRouter is not disturbed by a listener that throws", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.") } });
  hub.events.on("clarification-requested", () => {
    throw new Error("a listener");
  });
  assertEquals((await hub.router.requestClarification(request())).status, "answered");
});

Deno.test("ClarificationRouter blocks the requester until it is answered", async () => {
  const during: string[] = [];
  using hub = new Hub({
    agents: {
      architect: (_call, hub) => {
        during.push(...hub.words("engineer", "architect"));
        return Promise.resolve("Both.");
      },
    },
  });
  await hub.router.requestClarification(request());
  assertEquals(during, ["blocked-clarification", "clarifying"]);
  assertEquals(hub.words("engineer", "architect"), ["working", "idle"]);
  assertEquals(hub.statuses().engineer.issue, 42);
});

Deno.test("ClarificationRouter only writes a question that does not block", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.") } });
  const { status } = await hub.router.requestClarification(request({ blocking: false }));
  assertEquals([status, hub.words("engineer", "architect")], ["pending", [
    "working",
    "clarifying",
  ]]);
});

Deno.test("ClarificationRouter leaves what was asked without waiting open: an answer waits for nothing else", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.") } });
  await hub.router.requestClarification(request({ blocking: false }));
  await hub.router.requestClarification(request({ topic: "Pooling" }));
  assertEquals(hub.ledger.getByIssue(42).map(({ status }) => status), ["pending", "answered"]);
});

Deno.test("ClarificationRouter answers what was asked without waiting before it is asked more", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.", "By configuration.") } });
  await hub.router.requestClarification(request({ blocking: false }));
  const { round, clarification } = await hub.router.followUp(again());
  assertEquals([round, clarification.thread.map(({ type }) => type[0]).join("")], [2, "qaqa"]);
});

Deno.test("ClarificationRouter tells of a question before it runs the target", async () => {
  const heard: string[] = [];
  using hub = new Hub({
    agents: { architect: () => (heard.push("run"), Promise.resolve("Both.")) },
  });
  const onAsked = ({ id, status }: ClarificationRecord) => heard.push(`${id} ${status}`);
  await hub.router.requestClarification(request({ onAsked: (record) => void onAsked(record) }));
  assertEquals(heard, ["CLR-42-001 pending", "run"]);
});

Deno.test("ClarificationRouter tells of a change when the statuses follow it", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.") } });
  await hub.router.requestClarification(request());
  assertEquals(hub.heard.map(({ statuses }) => statuses.architect.status), ["clarifying", "idle"]);
});

Deno.test("ClarificationRouter does its work where the status file cannot be written", async () => {
  using hub = new Hub({ agents: { architect: replies("Both.") } });
  Deno.mkdirSync(`${hub.folder}/state`);
  Deno.writeTextFileSync(hub.statusPath, "[]");
  const { status } = await hub.router.requestClarification(request());
  assertEquals([status, Deno.readTextFileSync(hub.statusPath)], ["answered", "[]"]);
  assert(hub.notes.length > 0 && hub.notes.every((note) => note.includes("agent-status.json")));
});

Deno.test("ClarificationRouter.requestClarification() gives the answer that was faster than its run", async () => {
  using hub = new Hub({
    agents: {
      architect: async (_call, { router }) => {
        await router.answerClarification({ clarificationId: "CLR-42-001", answer: "Both." });
        return "SQLite.";
      },
    },
  });
  const { status, answer, clarification } = await hub.router.requestClarification(request());
  assertEquals([status, answer, clarification.thread.length], ["answered", "Both.", 3]);
});
