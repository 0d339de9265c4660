import { assert, assertEquals } from "@std/assert";
import { SessionManager } from "../../../lib/clarify/status/session_manager.ts";
import { openWorkspaceParts } from "../../../lib/workspace/open.ts";
import { refusal } from "../../refusal.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const START = {
  agent: "engineer@claude-3f2a",
  issueNumber: 42,
  hostSession: "claude:0c1d2e3f-0000-4000-8000-00000000003f2a",
};

async function managerIn(temp: TempWorkspace) {
  const { status, events, memory } = await openWorkspaceParts({ root: temp.root });
  const heard: (string | undefined)[] = [];
  events.on("agent-started", ({ sessionId }) => heard.push(`started ${sessionId}`));
  events.on("agent-completed", ({ sessionId }) => heard.push(`completed ${sessionId}`));
  return { sessions: new SessionManager(status, events), heard, memory };
}

Deno.test("SessionManager gives a session one id from its start to its end, and when it is resumed", async () => {
  using temp = new TempWorkspace();
  const { sessions, heard } = await managerIn(temp);
  const { id, state } = await sessions.start(START);
  assert(/^engineer-[0-9]{13}-[a-z0-9]{6}$/.test(id), id);
  assertEquals([state.status, state.issue], ["working", 42]);
  assertEquals((await sessions.start(START)).id, id);
  const ended = await sessions.end({ ...START, issueNumber: null });
  assertEquals([ended.id, ended.state.status, ended.issueNumber], [id, "done", 42]);
  assertEquals(heard, [`started ${id}`, `started ${id}`, `completed ${id}`]);
});

Deno.test("SessionManager: memory files what a session brought under its id", async () => {
  using temp = new TempWorkspace();
  const { sessions, memory } = await managerIn(temp);
  const { id } = await sessions.start(START);
  const [{ sessionId }] = await (await memory()).capture(
    "### Decisions\n- chose one file per issue over a database\n",
    { agent: "engineer", issueNumber: 42, session: START.agent },
  );
  assertEquals(sessionId, id);
});

Deno.test("SessionManager: no other session takes the name of one that is at work", async () => {
  using temp = new TempWorkspace();
  const { sessions } = await managerIn(temp);
  await sessions.start(START);
  const other = { ...START, hostSession: "claude:1" };
  await refusal("INVALID_INPUT", () => sessions.start(other));
  await refusal("INVALID_INPUT", () => sessions.end(other));
});
