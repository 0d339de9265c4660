import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DOCUMENTED_AGENTS } from "../../../lib/base/agent_names.ts";
import type { ClarificationRecord } from "../../../lib/clarify/schema.ts";
import { chooseEscalations, waitGraph } from "../../../lib/clarify/monitor/wait_graph.ts";
import { sampleRecord } from "../samples.ts";
import { often } from "../../often.ts";

/** A request, the n-th of its issue, created n minutes after ten. */
function request(
  from: string,
  to: string,
  n: number,
  changes: Partial<ClarificationRecord> = {},
): ClarificationRecord {
  const id = `CLR-42-${String(n).padStart(3, "0")}`;
  const created = new Date(Date.UTC(2026, 1, 26, 10, n)).toISOString();
  return sampleRecord({ id, from, to, created, ...changes });
}

function idsOf(records: readonly ClarificationRecord[]): string[] {
  return records.map(({ id }) => id);
}

function cyclesOf(records: readonly ClarificationRecord[]): string[][] {
  return waitGraph(records).cycles.map(idsOf);
}

const anyRequest = fc.record({
  from: fc.nat(5).map(agentName),
  to: fc.nat(5).map(agentName),
  minute: fc.nat(3),
  blocking: fc.constantFrom(true, true, true, false),
  status: fc.constantFrom("pending", "pending", "stale", "answered"),
});

/** Requests between a few agents, most of which hold somebody up. */
const anyRequests = fc.array(anyRequest, { maxLength: 14 }).map((requests) =>
  requests.map(({ from, to, minute, blocking, status }, index) => {
    const id = `CLR-42-${String(index + 1).padStart(3, "0")}`;
    return request(from, to, minute, { id, blocking, status });
  })
);

function agentName(n: number): string {
  return [...DOCUMENTED_AGENTS.slice(0, 4), "engineer@2", "unheard-of"][n];
}

/** Whether the second agent can be reached from the first, by trying all ways. */
function reaches(
  edges: readonly ClarificationRecord[],
  from: string,
  to: string,
  been: readonly string[] = [],
): boolean {
  return edges.some((edge) =>
    edge.from === from && !been.includes(edge.to) &&
    (edge.to === to || reaches(edges, edge.to, to, [...been, edge.to]))
  );
}

/** The lists of requests that lie on a circle together, by brute force. */
function bruteForceCycles(records: readonly ClarificationRecord[]): string[][] {
  const edges = records.filter(({ blocking, status }) => blocking && status !== "answered");
  const onCircle = edges.filter(({ from, to }) => from === to || reaches(edges, to, from));
  const isTogether = (a: ClarificationRecord, b: ClarificationRecord) =>
    a.from === b.from || reaches(edges, a.from, b.from) && reaches(edges, b.from, a.from);
  const lists = onCircle.map((edge) => idsOf(onCircle.filter((other) => isTogether(edge, other))));
  return [...new Set(lists.map((ids) => ids.sort().join(" ")))].sort().map((ids) => ids.split(" "));
}

Deno.test("waitGraph() has an edge for each blocking, unanswered request, the oldest first", () => {
  const records = [
    request("engineer", "architect", 5),
    request("reviewer", "engineer", 1, { status: "stale" }),
    request("reviewer", "engineer", 2, { blocking: false }),
    request("architect", "product-manager", 3, { status: "answered" }),
    request("architect", "product-manager", 4, { status: "escalated" }),
  ];
  assertEquals(idsOf(waitGraph(records).edges), ["CLR-42-001", "CLR-42-005"]);
});

Deno.test("waitGraph() finds a circle of three across issues", () => {
  const records = [
    request("engineer", "architect", 1, { id: "CLR-1-001" }),
    request("architect", "data-scientist", 2, { id: "CLR-2-001" }),
    request("data-scientist", "engineer", 3, { id: "CLR-3-001" }),
    request("reviewer", "engineer", 4, { id: "CLR-4-001" }),
  ];
  assertEquals(cyclesOf(records), [["CLR-1-001", "CLR-2-001", "CLR-3-001"]]);
});

Deno.test("waitGraph() finds no circle where one of its questions is answered", () => {
  const records = [
    request("engineer", "architect", 1),
    request("architect", "engineer", 2, { status: "answered" }),
  ];
  assertEquals(cyclesOf(records), []);
});

Deno.test("waitGraph() takes two workers of a role for two agents", () => {
  const records = [
    request("engineer@1", "architect", 1),
    request("architect", "engineer@2", 2),
  ];
  assertEquals(cyclesOf(records), []);
});

Deno.test("waitGraph() takes a role for its only session that waits", () => {
  const records = [
    request("engineer@claude-3f2a", "architect", 1),
    request("architect@codex-0f13", "engineer", 2),
  ];
  assertEquals(cyclesOf(records), [["CLR-42-001", "CLR-42-002"]]);
  assertEquals(idsOf(chooseEscalations(records)), ["CLR-42-001"]);
  const another = request("engineer@claude-9c80", "product-manager", 3);
  assertEquals(cyclesOf([...records, another]), []);
});

Deno.test("waitGraph() finds an agent that asks itself", () => {
  assertEquals(cyclesOf([request("engineer", "engineer", 1)]), [["CLR-42-001"]]);
});

Deno.test("waitGraph() is not afraid of a long chain", () => {
  const chain = Array.from({ length: 2_000 }, (_, n) => request(`a${n}`, `a${n + 1}`, n));
  assertEquals(cyclesOf(chain), []);
  assertEquals(cyclesOf([...chain, request("a2000", "a0", 0)])[0].length, 2_001);
});

Deno.test("waitGraph() finds the same circles as brute force", () => {
  fc.assert(
    fc.property(anyRequests, (records) => {
      const found = cyclesOf(records).map((ids) => ids.sort().join(" ")).sort();
      assertEquals(found.map((ids) => ids.split(" ")), bruteForceCycles(records));
    }),
    often(500),
  );
});

Deno.test("waitGraph() does not depend on the order of the records", () => {
  const anyOrders = anyRequests.chain((records) =>
    fc.tuple(
      fc.constant(records),
      fc.shuffledSubarray(records, { minLength: records.length }),
    )
  );
  fc.assert(fc.property(anyOrders, ([records, shuffled]) => {
    assertEquals(waitGraph(shuffled).edges, waitGraph(records).edges);
    assertEquals(cyclesOf(shuffled).sort(), cyclesOf(records).sort());
  }));
});

Deno.test("chooseEscalations() leaves no circle, and keeps a request of each between two agents", () => {
  fc.assert(fc.property(anyRequests, (records) => {
    const { cycles } = waitGraph(records);
    const chosen = new Set(cycles.flatMap((cycle) => chooseEscalations(cycle)));
    assertEquals(bruteForceCycles(records.filter((record) => !chosen.has(record))), []);
    for (const cycle of cycles) {
      assert(
        chooseEscalations(cycle).length < cycle.length ||
          cycle.every(({ from, to }) => from === to),
      );
    }
  }));
});

/** One choice after the other, each on a new graph. */
function escalateOneByOne(records: readonly ClarificationRecord[]): string[] {
  const [cycle] = waitGraph(records).cycles;
  if (cycle === undefined) return [];
  const [first] = chooseEscalations(cycle);
  return [first.id, ...escalateOneByOne(records.filter((record) => record !== first))];
}

Deno.test("chooseEscalations() chooses what it would choose first, one by one", () => {
  fc.assert(
    fc.property(anyRequests, (records) => {
      const chosen = waitGraph(records).cycles.flatMap((cycle) => idsOf(chooseEscalations(cycle)));
      assertEquals(chosen.sort(), escalateOneByOne(records).sort());
    }),
    often(1_000),
  );
});

Deno.test("chooseEscalations() keeps the most upstream request and escalates the most downstream", () => {
  const order = [
    "product-manager",
    "architect",
    "data-scientist",
    "engineer",
    "reviewer",
    "devops-engineer",
    "unheard-of",
  ];
  for (const [index, upstream] of order.entries()) {
    for (const downstream of order.slice(index + 1)) {
      const up = request(upstream, downstream, 2);
      const down = request(downstream, upstream, 1);
      assertEquals(chooseEscalations([down, up]), [down]);
    }
  }
});

Deno.test("chooseEscalations() escalates the younger of two equals", () => {
  for (const [a, b] of [["architect", "ux"], ["devops", "tester"], ["engineer", "engineer@2"]]) {
    const older = request(a, b, 1);
    const younger = request(b, a, 2);
    assertEquals(chooseEscalations([younger, older]), [younger]);
  }
});

Deno.test("chooseEscalations() goes by the id where two were asked at the same time", () => {
  const first = request("engineer", "engineer@2", 1, { id: "CLR-9-001" });
  const second = request("engineer@2", "engineer", 1, { id: "CLR-10-001" });
  assertEquals(chooseEscalations([second, first]), [second]);
});

Deno.test("chooseEscalations() keeps nothing of an agent that asks itself once", () => {
  const self = request("engineer", "engineer", 1);
  assertEquals(chooseEscalations([self]), [self]);
});
