/**
 * What becomes of what is kept of sessions: it follows its issue, ends with its session, and what was
 * forgotten is not in it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "../hooks/hook_session.ts";

const DAY_MS = 86_400_000;

Deno.test("a session follows its issue to a new number, and hears no answer twice for it", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Ours"]);
  const ours = temp.takeIssues();
  await temp.run(["issue", "create", "-t", "Theirs"]);
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "1"]);
  await session.run([
    ...["clarify", "ask", "--issue", "1", "--from", "engineer", "--to", "architect"],
    ...["--topic", "DB", "--non-blocking", "Which?"],
  ]);
  await temp.run(["clarify", "answer", "CLR-1-001", "PG."]);
  assert((await session.fire("UserPromptSubmit")).text.includes("PG."));

  temp.bringIssues(ours);
  const { out } = await temp.run(["doctor", "--fix"]);
  assert(out.includes("sessions that follow their issues to new numbers: 1"), out);
  assertEquals(
    [session.file.issue, session.deliveries.map(({ id }) => id)],
    [2, ["CLR-2-001.2"]],
  );
  assertEquals((await session.fire("UserPromptSubmit")).answer, undefined);
  const again = await temp.run(["doctor", "--fix"]);
  assert(!again.out.includes("sessions that follow"), again.out);
});

Deno.test("the start of a session removes what is kept of those that are long over", async () => {
  using temp = new TempWorkspace();
  const folder = `${temp.root}/.agentx/state/sessions`;
  const keep = (name: string, days: number, more: object = {}) => {
    const file = {
      ...{ version: 1, session: name, host: null, agent: null, issue: null },
      ...{ heard: [], deliveries: [], ...more },
    };
    temp.write(`.agentx/state/sessions/${name}.json`, JSON.stringify(file));
    const at = new Date(Date.now() - days * DAY_MS);
    Deno.utimeSync(`${folder}/${name}.json`, at, at);
  };
  const heard = [{ event: "end:1", at: new Date().toISOString(), pid: 1 }];
  keep("old-session", 31);
  keep("ended-session", 8, { heard });
  keep("tree-of-a-folder", 99, { session: undefined, tree: "/somewhere" });
  const kept = () => Array.from(Deno.readDirSync(folder), ({ name }) => name);
  await new HookSession(temp, { id: "first-session" }).fire("SessionStart");
  assert(kept().includes("old-session.json"), "few are not looked at");
  for (let number = 0; number < 50; number++) keep(`session-${number}`, 6, { heard });
  await new HookSession(temp, { id: "second-session" }).fire("SessionStart");
  const left = kept();
  assertEquals(left.filter((name) => /^(old|ended)-/.test(name)), []);
  assert(left.includes("tree-of-a-folder.json") && left.includes("first-session.json"));
  assertEquals(left.filter((name) => /^session-\d+\.json$/.test(name)).length, 50);
});

Deno.test("an observation that the library removes is in no file", async () => {
  using temp = new TempWorkspace();
  const note = ["memory", "note", "--agent", "engineer", "--issue", "42", "--category", "decision"];
  await temp.run([...note, "We decided to use ZebraDB."]);
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  assert((await session.fire("SessionStart")).text.includes("ZebraDB"));
  const holds = () =>
    Object.entries(temp.snapshot()).filter(([, text]) => text.includes("ZebraDB"))
      .map(([path]) => path);
  const { memory } = await openWorkspaceParts({ root: temp.root });
  const { store } = await memory();
  const [{ id }] = await store.listAll();
  await store.remove(id);
  assertEquals(holds(), []);
});
