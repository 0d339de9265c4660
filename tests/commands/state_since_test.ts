import { assert, assertEquals } from "@std/assert";
import type { ClarificationRecord } from "../../lib/clarify/schema.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { TempWorkspace } from "../temp_workspace.ts";

function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

/** A clarification of two rounds, asked 90 minutes and asked again 5 minutes ago. */
function writeLedger(workspace: TempWorkspace, changes: Partial<ClarificationRecord> = {}): void {
  const record = sampleRecord({ created: minutesAgo(90), round: 2, ...changes });
  const [question] = record.thread;
  record.thread = [
    { ...question, timestamp: minutesAgo(90) },
    { ...question, type: "answer", from: "architect", timestamp: minutesAgo(80) },
    { ...question, round: 2, timestamp: minutesAgo(5) },
  ];
  const ledger = { issueNumber: 42, clarifications: [record] };
  workspace.write(workspace.ledgerPath(42), JSON.stringify(ledger));
}

Deno.test("state shows on whom an agent waits and since when", async () => {
  using workspace = new TempWorkspace();
  writeLedger(workspace);
  const { out } = await workspace.run(["state"]);
  const line = "  engineer   blocked-clarification  #42    1h ago  by architect  CLR-42-001\n";
  assert(out.includes(line), out);
});

Deno.test("state shows since when an agent is asked", async () => {
  using workspace = new TempWorkspace();
  writeLedger(workspace);
  const { out } = await workspace.run(["state", "architect"]);
  assert(
    /architect {2}clarifying {2}#42 {4}5m ago {2}for engineer {2}CLR-42-001\n/.test(out),
    out,
  );
});

Deno.test("state --json has the time since when", async () => {
  using workspace = new TempWorkspace();
  writeLedger(workspace);
  const { agents } = await workspace.json(["state", "engineer"]);
  assertEquals(agents[0].since, workspace.ledger().clarifications[0].created);
});

Deno.test("state shows since when an agent works where nobody asks anything", async () => {
  using workspace = new TempWorkspace();
  await workspace.run(["state", "engineer", "--set", "working", "--issue", "7"]);
  const { out } = await workspace.run(["state"]);
  assert(/engineer {2}working {2}#7 {5}0s ago\n/.test(out), out);
});

Deno.test("state shows no time where a foreign file has none that can be read", async () => {
  using workspace = new TempWorkspace();
  const nobody = { clarificationId: null, waitingOn: null, respondingTo: null };
  const base = { status: "working", issue: 7 };
  const engineer = { ...base, lastActivity: "yesterday", ...nobody, base };
  workspace.write(".agentx/state/agent-status.json", JSON.stringify({ engineer }));
  const { agents } = await workspace.json(["state"]);
  assertEquals(agents[0].since, null);
});

Deno.test("state names a ledger that it cannot read, and shows the rest", async () => {
  using workspace = new TempWorkspace();
  writeLedger(workspace);
  workspace.write(workspace.ledgerPath(43), "{ broken");
  const { code, out, err } = await workspace.run(["state"]);
  assertEquals(code, 8);
  assert(err.includes("issue-43.json") && out.includes("blocked-clarification"));
});
