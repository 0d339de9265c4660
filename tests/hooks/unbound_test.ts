/**
 * What a session hears at its start where nobody has said which issue it is about.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { HOST_NAMES } from "../../lib/hooks/hosts.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { FIRST_EVENT, HookSession } from "./hook_session.ts";

for (const host of HOST_NAMES) {
  Deno.test(`a session of ${host} is told once, at its start, how to say its issue`, async () => {
    using temp = new TempWorkspace();
    const session = new HookSession(temp, { host });
    const event = session.payload(FIRST_EVENT[host]);
    const { code, text } = await session.send(FIRST_EVENT[host], event);
    assertEquals(code, 0);
    assert(text.includes("`agentx here --as ROLE --issue N`"), text);
    assert(text.includes("<!-- agentx:memory-recall -->\nagentx: "), "a capture would take it");
    assertEquals((await session.send(FIRST_EVENT[host], event)).text, "");
  });
}

Deno.test("a session is asked for at most five notes at its start, unless memory is off", async () => {
  using temp = new TempWorkspace();
  temp.write(".git/HEAD", "ref: refs/heads/issue-42-cache\n");
  const { text } = await new HookSession(temp, { id: "bound" }).fire("SessionStart");
  assert(text.includes("at most five notes") && text.includes("`memory_note`"), text);
  using off = new TempWorkspace({ config: { memory: { enabled: false } } });
  assertEquals((await new HookSession(off, { id: "off" }).fire("SessionStart")).text, "");
});

Deno.test("a session is not told how to say its issue where that is known, or memory is off", async () => {
  const hears = async (temp: TempWorkspace, id: string) => {
    const { text } = await new HookSession(temp, { id }).fire("SessionStart");
    return text.includes("agentx here");
  };
  using temp = new TempWorkspace();
  assert(await hears(temp, "one-session"));
  await temp.run(["here", "--as", "engineer"]);
  const { text } = await new HookSession(temp, { id: "role-only" }).fire("SessionStart");
  assert(text.includes("`agentx here --issue N`"), text);
  temp.write(".git/HEAD", "ref: refs/heads/issue-42-cache\n");
  assertEquals(await hears(temp, "on-a-branch"), false);
  using off = new TempWorkspace({ config: { memory: { enabled: false } } });
  assertEquals(await hears(off, "switched-off"), false);
});

Deno.test("here tells a session that it binds how to recall what it missed at its start", async () => {
  using temp = new TempWorkspace();
  const recall = "agentx memory recall --agent engineer --issue 42";
  const bind = ["here", "--as", "engineer", "--issue", "42"];
  const { out } = await new HookSession(temp).run(bind);
  assert(out.includes(recall), out);
  assert(!(await temp.run(bind)).out.includes(recall));
});
