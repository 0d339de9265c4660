import { assert, assertEquals } from "@std/assert";
import { sampleRecord } from "../../clarify/samples.ts";
import { ADR_ARCHITECT, TempWorkspace } from "../../temp_workspace.ts";

Deno.test("clarify stats sums up what the agents settled among themselves", async () => {
  using workspace = new TempWorkspace({ agents: { architect: ADR_ARCHITECT } });
  workspace.write("docs/adr/ADR-42.md", "Decision: PostgreSQL\n");
  const ask = ["clarify", "ask", "-i", "42", "--from", "engineer", "--to", "architect"];
  await workspace.run([...ask, "--topic", "Database layer", "Which?"]);
  await workspace.run([...ask, "--topic", "database layer?", "Which pool?"]);
  await workspace.run(["clarify", "resolve", "CLR-42-001", "Done", "--as", "engineer"]);
  const { code, out } = await workspace.run(["clarify", "stats"]);
  assertEquals(code, 0);
  assertEquals(
    out,
    `  Clarifications            2
  Resolved without a human  1 (50%)
  Escalated                 0 (0%)
  Open                      1 (50%)
  Average rounds            1.0
  Time to answer            0s (median), 0s (90% within)

  MOST COMMON TOPICS
     2  database layer

  ASK MOST
     2  engineer

  MOST ASKED
     2  architect
`,
  );
});

Deno.test("clarify stats --json has the figures", async () => {
  using workspace = new TempWorkspace();
  const { kind, stats } = await workspace.json(["clarify", "stats"]);
  assertEquals([kind, stats.total, stats.averageRounds], ["clarification.stats", 0, null]);
});

Deno.test("clarify stats lets no escape sequence of a topic through", async () => {
  using workspace = new TempWorkspace();
  const clarifications = [sampleRecord({ topic: "\x1b[2J", from: "\x1b[2J" })];
  workspace.write(workspace.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications }));
  const { out } = await workspace.run(["clarify", "stats"]);
  assert(!out.includes("\x1b") && out.includes("\\u{1b}[2j"), out);
});

Deno.test("clarify stats names a ledger that it cannot read, and sums up the rest", async () => {
  using workspace = new TempWorkspace();
  workspace.write(workspace.ledgerPath(43), "{ broken");
  const { code, out, err } = await workspace.run(["clarify", "stats"]);
  assertEquals(code, 8);
  assert(err.includes("issue-43.json") && out.includes("Clarifications            0"));
});
