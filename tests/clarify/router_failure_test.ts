/**
 * Targets that fail, and people who act while a target runs.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { AgentxError } from "../../lib/base/errors.ts";
import { lockTimeout } from "../../lib/lock/backoff.ts";
import { sys } from "../../lib/sys/mod.ts";
import { refusal } from "../refusal.ts";
import { leaks, LEAKY, TOKEN } from "../secrets.ts";
import { again, agentError, Hub, replies, request, type ScriptedAgent } from "./hub.ts";
import { START_MS } from "./samples.ts";

const ID = { clarificationId: "CLR-42-001" };

/** An agent that does something before it replies, or fails. */
function meanwhile(action: (hub: Hub) => Promise<unknown>, reply: string): ScriptedAgent {
  let isFirst = true;
  return async ({ agent }, hub) => {
    if (isFirst) await action(hub);
    isFirst = false;
    if (reply === "fail") throw agentError(agent);
    return reply;
  };
}

Deno.test("ClarificationRouter asks a target that failed once more, after the delay", async () => {
  using hub = new Hub({ agents: { architect: replies("fail", "Both.") } });
  const { status, answer } = await hub.router.requestClarification(request());
  assertEquals([status, answer, hub.waits], ["answered", "Both.", [30_000]]);
  assertEquals(hub.notes.length, 1);
  assertEquals(hub.names, ["clarification-requested", "clarification-answered"]);
});

Deno.test("ClarificationRouter escalates when the target failed twice", async () => {
  using hub = new Hub({ agents: { architect: replies("fail", "fail") } });
  const outcome = await hub.router.requestClarification(request());
  assertEquals([outcome.status, outcome.answer, hub.waits], ["escalated", null, [30_000]]);
  const { from, type, body } = hub.ledger.getById("CLR-42-001").thread.at(-1)!;
  assertEquals([from, type], ["agent-x", "escalation"]);
  const lines = body.split("\n");
  assert(lines.includes("Reason: architect failed twice: exit code 1"));
  assert(lines.includes("Position of architect: no answer"));
  assertEquals(hub.words("engineer", "architect"), ["blocked-clarification", "stuck"]);
  assertEquals(hub.statuses().engineer.waitingOn, "human");
});

Deno.test("ClarificationRouter shows an agent that failed as stuck until it answers again", async () => {
  using hub = new Hub({ agents: { architect: replies("fail", "fail", "Both.") } });
  await hub.router.requestClarification(request());
  assertEquals(hub.statuses().architect.base, {
    status: "stuck",
    issue: 42,
    since: new Date(START_MS).toISOString(),
  });
  await hub.router.requestClarification(request({ issueNumber: 7 }));
  assertEquals([hub.words("architect"), hub.statuses().architect.issue], [["working"], 42]);
});

Deno.test("ClarificationRouter does not run a target again that a second run cannot help", async () => {
  const details = { agent: "architect", reason: "exit code 1: Not logged in" };
  const error = new AgentxError("AGENT_ERROR", "Cannot get an answer", {
    details: { ...details, final: "it is not logged in", stdout: "", stderr: "a\nNot logged in" },
  });
  using hub = new Hub({ agents: { architect: () => Promise.reject(error) } });
  const { status, clarification } = await hub.router.requestClarification(request());
  assertEquals([status, hub.waits], ["escalated", []]);
  const lines = clarification.thread[1].body.split("\n");
  const reason = "architect failed and was not run again, since it is not logged in: " +
    "exit code 1: Not logged in";
  assert(lines.includes(`Reason: ${reason}`));
  const end = lines.indexOf("End of its standard error:");
  assertEquals(lines.slice(end + 1, end + 3), ["    a", "    Not logged in"]);
});

Deno.test("ClarificationRouter keeps no secret of what a failed target printed", async () => {
  const error = new AgentxError("AGENT_ERROR", "Cannot get an answer", {
    details: {
      agent: "architect",
      reason: "exit code 1",
      final: "x",
      stdout: TOKEN,
      stderr: TOKEN,
    },
  });
  using hub = new Hub({ agents: { architect: () => Promise.reject(error) } });
  await hub.router.requestClarification(request());
  const text = Deno.readTextFileSync(hub.ledgerPath(42));
  assertEquals([text.includes(TOKEN), text.includes("[redacted: ")], [false, true]);
});

Deno.test("ClarificationRouter tells of an agent that failed before it escalates", async () => {
  using hub = new Hub({ agents: { architect: replies("fail", "fail") } });
  await hub.router.requestClarification(request());
  const [, failed, escalated] = hub.heard;
  assertEquals(failed.payload, {
    agent: "architect",
    error: "exit code 1",
    issueNumber: 42,
    timestamp: START_MS,
  });
  assertEquals([failed.name, escalated.name], ["agent-error", "clarification-escalated"]);
  assertEquals(escalated.ledger.clarifications[0].status, "escalated");
});

Deno.test("ClarificationRouter takes answers that stay too long for failures", async () => {
  const long = "x".repeat(2_001);
  using hub = new Hub({ agents: { architect: replies(long, long, long, long) } });
  const { status, clarification } = await hub.router.requestClarification(request());
  assertEquals([status, clarification.thread.length], ["escalated", 2]);
  assert(clarification.thread[1].body.includes("2001 characters"));
});

Deno.test("ClarificationRouter keeps answers that are too long, and asks for shorter ones", async () => {
  const long = `${LEAKY}${"x".repeat(2_001)}`;
  using hub = new Hub({ agents: { architect: replies(long, "fail", long, "Short.") } });
  const { status, clarification } = await hub.router.requestClarification(request());
  const { body, attachments } = clarification.thread[1];
  assertEquals([status, body, attachments], [
    "answered",
    "Short.",
    ["CLR-42-001-r1-1.txt", "CLR-42-001-r1-2.txt"],
  ]);
  for (const name of attachments!) {
    const path = `${hub.folder}/state/attachments/${name}`;
    const text = Deno.readTextFileSync(path);
    assertEquals([text.endsWith("x".repeat(2_001)), leaks(text)], [true, false]);
    assertEquals(Deno.statSync(path).mode! & 0o777, 0o600);
  }
});

Deno.test("ClarificationRouter names what it kept where no answer was short enough", async () => {
  const long = "x".repeat(2_001);
  using hub = new Hub({ agents: { architect: replies(long, long, long, long) } });
  const { clarification } = await hub.router.requestClarification(request());
  assertEquals(clarification.thread[1].attachments?.length, 4);
});

Deno.test("ClarificationRouter keeps the answer that comes after a human's as a late one", async () => {
  using hub = new Hub({
    agents: {
      architect: meanwhile(
        ({ router }) => router.answerClarification({ ...ID, answer: "SQLite.", by: "human" }),
        "Both.",
      ),
    },
  });
  const { status, clarification } = await hub.router.requestClarification(request());
  assertEquals(status, "answered");
  assertEquals(clarification.thread.map(({ from, body }) => `${from}: ${body}`), [
    "engineer: PostgreSQL or SQLite?",
    "human: SQLite.",
    "architect: Both.",
  ]);
  assertEquals(hub.names, ["clarification-requested", "clarification-answered"]);
});

Deno.test("ClarificationRouter lets a human's decision stand when the answer comes late", async () => {
  using hub = new Hub({
    agents: {
      architect: meanwhile(
        ({ router }) =>
          router.resolveClarification({ ...ID, resolutionBody: "SQLite.", by: "human" }),
        "Both.",
      ),
    },
  });
  const { status, clarification } = await hub.router.requestClarification(request());
  assertEquals([status, clarification.resolvedAt !== null], ["resolved", true]);
  assertEquals(clarification.thread.map(({ type }) => type), ["question", "resolution", "answer"]);
  assertEquals(hub.words("engineer", "architect"), ["working", "idle"]);
});

Deno.test("ClarificationRouter lets a human's escalation stand when the answer comes late", async () => {
  using hub = new Hub({
    agents: {
      architect: meanwhile(
        ({ router }) => router.escalateClarification({ ...ID, summary: "Wait", by: "human" }),
        "Both.",
      ),
    },
  });
  const { status, clarification } = await hub.router.requestClarification(request());
  assertEquals([status, clarification.thread.at(-1)?.type], ["escalated", "answer"]);
  assertEquals(hub.names, ["clarification-requested", "clarification-escalated"]);
});

/** A human answers the first round, and the requester has asked the second one. */
async function goOn(hub: Hub): Promise<void> {
  await hub.router.answerClarification({ ...ID, answer: "SQLite.", by: "human" });
  await hub.ledger.change("CLR-42-001", "engineer", (record) => {
    record.status = "pending";
    record.round = 2;
  });
}

Deno.test("ClarificationRouter takes the answer to an earlier round for a late one", async () => {
  using hub = new Hub({ agents: { architect: meanwhile(goOn, "Both.") } });
  const { status, clarification } = await hub.router.requestClarification(request());
  assertEquals([status, clarification.thread.at(-1)?.round], ["pending", 1]);
});

Deno.test("ClarificationRouter does not escalate for the failure of an earlier round", async () => {
  using hub = new Hub({ agents: { architect: meanwhile(goOn, "fail") } });
  const { status, round } = await hub.router.requestClarification(request());
  assertEquals([status, round], ["pending", 2]);
});

for (const action of ["answers", "decides", "escalates"] as const) {
  Deno.test(`ClarificationRouter does not escalate a failure when a human ${action}`, async () => {
    using hub = new Hub({
      agents: {
        architect: meanwhile(({ router }): Promise<unknown> => {
          const by = "human";
          if (action === "answers") {
            return router.answerClarification({ ...ID, answer: "SQLite.", by });
          }
          return action === "decides"
            ? router.resolveClarification({ ...ID, resolutionBody: "SQLite.", by })
            : router.escalateClarification({ ...ID, summary: "Wait", by });
        }, "fail"),
      },
    });
    const { status, clarification } = await hub.router.requestClarification(request());
    const expected = { answers: "answered", decides: "resolved", escalates: "escalated" };
    assertEquals([status, clarification.thread.length], [expected[action], 2]);
    assertEquals(
      hub.names.filter((name) => name === "clarification-escalated").length,
      {
        answers: 0,
        decides: 0,
        escalates: 1,
      }[action],
    );
  });
}

Deno.test("ClarificationRouter leaves the question open when it is interrupted", async () => {
  const reason = new AgentxError("INTERRUPTED", "Stopped", { details: { signal: "SIGINT" } });
  using hub = new Hub({ agents: { architect: () => Promise.reject(reason) } });
  await refusal("INTERRUPTED", () => hub.router.requestClarification(request()));
  const { status, thread } = hub.ledger.getById("CLR-42-001");
  assertEquals([status, thread.length, hub.waits], ["pending", 1, []]);
});

Deno.test("ClarificationRouter goes on after an escalation with an answer of a human", async () => {
  using hub = new Hub({ agents: { architect: replies("fail", "fail") } });
  await hub.router.requestClarification(request());
  await hub.router.resolveClarification({ ...ID, resolutionBody: "SQLite.", by: "human" });
  await refusal("INVALID_TRANSITION", () => hub.router.followUp(again()));
  assertEquals(hub.words("engineer"), ["working"]);
});

Deno.test("ClarificationRouter keeps an answer while the lock of the ledger is busy", async () => {
  using hub = new Hub({
    agents: {
      architect: () => {
        const { createFile } = sys;
        sys.createFile = (path) => {
          if (!path.endsWith("issue-42.json.lock")) return createFile(path);
          sys.createFile = createFile;
          throw lockTimeout(path, 5_000, undefined);
        };
        return Promise.resolve("PostgreSQL.");
      },
    },
  });
  const { status, answer } = await hub.router.requestClarification(request());
  assertEquals([status, answer], ["answered", "PostgreSQL."]);
});
