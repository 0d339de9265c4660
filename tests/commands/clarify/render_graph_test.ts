import { assert, assertEquals } from "@std/assert";
import { renderWaitGraph, waitGraphMermaid } from "../../../lib/commands/clarify/render_graph.ts";
import type { ClarificationRecord } from "../../../lib/clarify/schema.ts";
import { waitGraph } from "../../../lib/clarify/monitor/wait_graph.ts";
import { makeStyle } from "../../../lib/text/style.ts";
import { MINUTE_MS, sampleRecord, START_MS } from "../../clarify/samples.ts";

/** One request per issue, each a minute younger than the one before. */
function requests(...pairs: [from: string, to: string][]): ClarificationRecord[] {
  return pairs.map(([from, to], index) => {
    const created = new Date(START_MS + index * MINUTE_MS).toISOString();
    return sampleRecord({ id: `CLR-${index + 1}-001`, from, to, created });
  });
}

function render(records: ClarificationRecord[]): string {
  const nowMs = START_MS + records.length * MINUTE_MS;
  return renderWaitGraph(waitGraph(records), nowMs, { style: makeStyle(false), width: 80 });
}

const DEADLOCK = requests(["engineer", "architect"], ["architect", "engineer"], [
  "reviewer",
  "engineer",
]);

Deno.test("renderWaitGraph() marks a deadlock and names the request to decide and the one that goes on", () => {
  assertEquals(
    render(DEADLOCK),
    `  AGENT      WAITS FOR  ID         AGE  DEADLOCK  TOPIC
  engineer   architect  CLR-1-001  3m   1         Database layer
  architect  engineer   CLR-2-001  2m   1         Database layer
  reviewer   engineer   CLR-3-001  1m   -         Database layer

  Deadlock 1: architect, engineer wait for each other
  Escalated: CLR-1-001; continues: CLR-2-001
  A human can decide it with: agentx answer CLR-1-001 "..."`,
  );
});

Deno.test("renderWaitGraph() says where an agent waits for itself", () => {
  assert(
    render(requests(["engineer", "engineer"])).includes("Deadlock 1: engineer waits for itself"),
  );
});

Deno.test("renderWaitGraph() leaves nothing of a name that could pass for our words", () => {
  const text = render(requests(["engineer\n  Deadlock 9: \x1b[2J", "architect"]));
  assert(!text.includes("\x1b") && !text.includes("Deadlock 9:"), text);
});

Deno.test("waitGraphMermaid() draws the requests of deadlocks in red", () => {
  assertEquals(
    waitGraphMermaid(waitGraph(DEADLOCK)),
    `graph LR
  agent0["architect"]
  agent1["engineer"]
  agent2["reviewer"]
  agent1 -->|"CLR-1-001"| agent0
  agent0 -->|"CLR-2-001"| agent1
  agent2 -->|"CLR-3-001"| agent1
  linkStyle 0,1 stroke:red`,
  );
});
