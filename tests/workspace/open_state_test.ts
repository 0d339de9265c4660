import { assert, assertEquals } from "@std/assert";
import { AgentEventBus } from "../../lib/events/bus.ts";
import { openState } from "../../lib/workspace/open_state.ts";
import { openParts } from "../../lib/workspace/open.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const LEDGER = ".agentx/state/clarifications/issue-42.json";

Deno.test("openState() opens each part once", async () => {
  using temp = new TempWorkspace();
  const state = openState({ root: temp.root });
  const [first, second, shared] = await Promise.all([
    state.records(),
    state.records(),
    state.shared(),
  ]);
  assert(first === second);
  assert(first.locks === shared.locks && first.events === shared.events);
  assert(await state.agentStatus() === first.status);
  assert(await state.memory() === await state.memory());
  assert(await state.gate() === await state.gate());
});

Deno.test("openState() gives its parts the bus of the caller, and logs what it tells", async () => {
  using temp = new TempWorkspace();
  const events = new AgentEventBus();
  const shared = await openState({ root: temp.root, events }).shared();
  assert(shared.events === events);
  events.emit("agent-started", { agent: "engineer", timestamp: 0 });
  const [log] = Deno.readDirSync(`${temp.root}/.agentx/log`);
  assert(Deno.readTextFileSync(`${temp.root}/.agentx/log/${log.name}`).includes("agent-started"));
});

Deno.test("scanClarifications() sees a ledger that comes after an empty look", async () => {
  using temp = new TempWorkspace();
  const state = openState({ root: temp.root });
  const none = { ledgers: [], clarifications: [], problems: [] };
  assertEquals(await state.scanClarifications(), none);
  temp.write(LEDGER, '{"issueNumber":42,"clarifications":[]}');
  const ledger = { issueNumber: 42, clarifications: [] };
  assertEquals(await state.scanClarifications(), { ...none, ledgers: [ledger] });
  temp.write(LEDGER, "{");
  const { problems } = await state.scanClarifications();
  assertEquals(problems.map(({ code }) => code), ["CORRUPT_STATE"]);
});

Deno.test("openParts() has the parts of its state", async () => {
  using temp = new TempWorkspace();
  const workspace = await openParts({ root: temp.root });
  const { locks, events, ledger, status, runs } = await workspace.records();
  assert(workspace.locks === locks && workspace.events === events);
  assert(workspace.ledger === ledger && workspace.status === status && workspace.runs === runs);
});
