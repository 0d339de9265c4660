import { assert, assertEquals } from "@std/assert";
import type { ClarificationRecord } from "../../../lib/clarify/schema.ts";
import { sampleRecord } from "../../clarify/samples.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const MINUTE_MS = 60_000;

/** Writes one pending request per issue, each a minute older than the one after it. */
function writeRequests(workspace: TempWorkspace, ...requests: [from: string, to: string][]): void {
  requests.forEach(([from, to], index) => {
    const issueNumber = index + 1;
    const created = new Date(Date.now() - (requests.length - index) * MINUTE_MS).toISOString();
    writeLedger(workspace, issueNumber, { from, to, created });
  });
}

function writeLedger(
  workspace: TempWorkspace,
  issueNumber: number,
  changes: Partial<ClarificationRecord>,
): void {
  const clarifications = [sampleRecord({ id: `CLR-${issueNumber}-001`, ...changes })];
  workspace.write(
    workspace.ledgerPath(issueNumber),
    JSON.stringify({ issueNumber, clarifications }),
  );
}

Deno.test("clarify graph shows who waits for whom and since when", async () => {
  using workspace = new TempWorkspace();
  writeRequests(workspace, ["engineer", "architect"], ["reviewer", "engineer"]);
  const { code, out } = await workspace.run(["clarify", "graph"]);
  assertEquals(code, 0);
  assertEquals(
    out,
    `  AGENT     WAITS FOR  ID         AGE  DEADLOCK  TOPIC
  engineer  architect  CLR-1-001  2m   -         Database layer
  reviewer  engineer   CLR-2-001  1m   -         Database layer
`,
  );
});

Deno.test("clarify graph shows a deadlock that the monitor breaks then", async () => {
  using workspace = new TempWorkspace();
  writeRequests(workspace, ["engineer", "architect"], ["architect", "engineer"]);
  const first = await workspace.run(["clarify", "graph"]);
  assert(
    first.out.includes("\n\n  Deadlock 1: architect, engineer wait for each other\n"),
    first.out,
  );
  assertEquals(workspace.ledger(1).clarifications[0].status, "escalated");
  assert(!(await workspace.run(["clarify", "graph"])).out.includes("Deadlock 1"));
});

Deno.test("clarify graph says where nobody waits", async () => {
  using workspace = new TempWorkspace();
  writeLedger(workspace, 1, { blocking: false });
  const { out } = await workspace.run(["clarify", "graph"]);
  assertEquals(out, "  No agent is waiting for another.\n");
});

Deno.test("clarify graph --json has the requests, the ids of each deadlock and what goes on", async () => {
  using workspace = new TempWorkspace();
  writeRequests(workspace, ["engineer", "architect"], ["architect", "engineer"]);
  const [before] = workspace.ledger(1).clarifications;
  const { out } = await workspace.run(["clarify", "graph", "--json"]);
  const { kind, clarifications, cycles, deadlocks, mermaid } = JSON.parse(out);
  assertEquals([kind, mermaid, clarifications[0]], ["clarification.graph", null, before]);
  assertEquals(cycles, [["CLR-1-001", "CLR-2-001"]]);
  const [{ cycle, escalated, continued }] = deadlocks;
  assertEquals([cycle, escalated, continued], [cycles[0], ["CLR-1-001"], ["CLR-2-001"]]);
});

Deno.test("clarify graph --mermaid draws the deadlock in red", async () => {
  using workspace = new TempWorkspace();
  writeRequests(
    workspace,
    ["reviewer", "engineer"],
    ["engineer", "architect"],
    ["architect", "engineer"],
  );
  const { out } = await workspace.run(["clarify", "graph", "--mermaid"]);
  assertEquals(
    out,
    `graph LR
  agent0["architect"]
  agent1["engineer"]
  agent2["reviewer"]
  agent2 -->|"CLR-1-001"| agent1
  agent1 -->|"CLR-2-001"| agent0
  agent0 -->|"CLR-3-001"| agent1
  linkStyle 1,2 stroke:red
`,
  );
});

Deno.test("clarify graph --mermaid lets no name break out of its label", async () => {
  using workspace = new TempWorkspace();
  writeLedger(workspace, 1, { from: 'x"]\n  click agent0 "javascript:alert(1)"\n%%' });
  const { out } = await workspace.run(["clarify", "graph", "--mermaid"]);
  assertEquals(out.trimEnd().split("\n").length, 4);
  assert(!out.includes('click agent0 "'));
});

Deno.test("clarify graph names a ledger that it cannot read, and shows the rest", async () => {
  using workspace = new TempWorkspace();
  writeRequests(workspace, ["engineer", "architect"]);
  workspace.write(workspace.ledgerPath(43), "{ broken");
  const { code, out, err } = await workspace.run(["clarify", "graph"]);
  assertEquals(code, 8);
  assert(err.includes("issue-43.json") && out.includes("CLR-1-001"));
});
