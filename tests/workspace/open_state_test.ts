import { assert, assertEquals } from "@std/assert";
import { AgentEventBus } from "../../lib/events/bus.ts";
import { openState } from "../../lib/workspace/open_state.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const LEDGER = ".agentx/state/clarifications/issue-42.json";

Deno.test("openState() opens each part once", async () => {
  using temp = new TempWorkspace();
  const state = openState({ root: temp.root });
  assert(state.records() === state.records());
  assert(state.gate() === state.gate());
  assert(await state.memory() === await state.memory());
  assert(await state.issueStore() === await state.issueStore());
});

Deno.test("openState() gives its parts the bus of the caller, and logs what it tells", () => {
  using temp = new TempWorkspace();
  const events = new AgentEventBus();
  assert(openState({ root: temp.root, events }).records().events === events);
  events.emit("agent-started", { agent: "engineer", timestamp: 0 });
  const [log] = Deno.readDirSync(`${temp.root}/.agentx/log`);
  assert(Deno.readTextFileSync(`${temp.root}/.agentx/log/${log.name}`).includes("agent-started"));
});

Deno.test("openState() sees a ledger that comes after an empty look", () => {
  using temp = new TempWorkspace();
  const { ledger } = openState({ root: temp.root }).records();
  const none = { ledgers: [], clarifications: [], problems: [] };
  assertEquals(ledger.scan(), none);
  temp.write(LEDGER, '{"issueNumber":42,"clarifications":[]}');
  assertEquals(ledger.scan(), { ...none, ledgers: [{ issueNumber: 42, clarifications: [] }] });
  temp.write(LEDGER, "{");
  assertEquals(ledger.scan().problems.map(({ code }) => code), ["CORRUPT_STATE"]);
});

Deno.test("openParts() has the parts of its state", async () => {
  using temp = new TempWorkspace();
  const workspace = await openWorkspaceParts({ root: temp.root });
  const { locks, events, ledger, status, runs } = workspace.records();
  assert(workspace.locks === locks && workspace.events === events);
  assert(workspace.ledger === ledger && workspace.status === status && workspace.runs === runs);
});
