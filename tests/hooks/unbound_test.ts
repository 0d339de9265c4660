/**
 * What a session hears at its start where nobody has said which issue it is about.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { HOSTS } from "../../lib/hosts/hosts.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { firstEvent, HOOK_HOSTS, HookSession } from "./hook_session.ts";

for (const host of HOOK_HOSTS) {
  Deno.test(`a session of ${host} is told once, at its start, how to say its issue`, async () => {
    using temp = new TempWorkspace();
    const session = new HookSession(temp, { host });
    const event = session.payload(firstEvent(host));
    const { code, text } = await session.send(firstEvent(host), event);
    assertEquals(code, 0);
    assert(text.includes("`agentx here --as ROLE --issue N`"), text);
    assert(text.includes("<!-- agentx:memory-recall -->\nagentx: "), "a capture would take it");
    assertEquals((await session.send(firstEvent(host), event)).text, "");
  });
}

Deno.test("a session is asked at its start to search, and for at most five notes, unless memory is off", async () => {
  using temp = new TempWorkspace();
  temp.write(".git/HEAD", "ref: refs/heads/issue-42-cache\n");
  const { text } = await new HookSession(temp, { id: "bound" }).fire("SessionStart");
  for (const word of ["`memory_search`", "at most five notes", "`memory_note`"]) {
    assert(text.includes(word), text);
  }
  using off = new TempWorkspace({ config: { memory: { enabled: false } } });
  assertEquals((await new HookSession(off, { id: "off" }).fire("SessionStart")).text, "");
});

Deno.test("a session is told at its start who it is by agentx here, also where memory is off", async () => {
  using temp = new TempWorkspace({ config: { memory: { enabled: false } } });
  const bind = ["here", "--as", "engineer", "--issue", "42"];
  await temp.run(bind);
  const { text } = await new HookSession(temp, { id: "bound" }).fire("SessionStart");
  assert(text.includes("agentx: you work as engineer on issue #42\n"), text);
  using memory = new TempWorkspace();
  await memory.run(["here", "--as", "engineer"]);
  const other = await new HookSession(memory, { id: "role-only" }).fire("SessionStart");
  assert(other.text.includes("agentx: you work as engineer; before you decide"), other.text);
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

const NOTE = ["memory", "note", "--agent", "engineer", "--issue", "0", "--category", "decision"];
const PKCE = "The PKCE verifier of the login is kept in a cookie.";

for (const host of ["claude", "codex", "gemini"] as const) {
  Deno.test(`${host}: a session without an issue is told what its first prompt asks for, once`, async () => {
    using temp = new TempWorkspace();
    await temp.run([...NOTE, PKCE]);
    const session = new HookSession(temp, { host });
    const event = host === "gemini" ? "BeforeAgent" : "UserPromptSubmit";
    const asks = async (prompt: string) => (await session.fire(event, { prompt })).text;
    assert(!(await session.fire("SessionStart")).text.includes(PKCE));
    assertEquals(await asks("Mend the PKCE verifier of the login").then(countOf), 1);
    assertEquals(await asks("Mend the PKCE verifier of the login again"), "");
    await session.fire("SessionStart", { source: "resume" });
    assertEquals(await asks("Paint the logo"), "");
    assertEquals(await asks("Mend the PKCE verifier of the login"), "", "the first prompt counts");
  });
}

Deno.test("a host that hears nothing at a prompt is told at its start what somebody wrote down", async () => {
  for (const host of HOOK_HOSTS.filter((name) => !HOSTS[name].hooks.hears.includes("prompt"))) {
    using temp = new TempWorkspace();
    await temp.run([...NOTE, PKCE]);
    const session = new HookSession(temp, { host });
    assertEquals(countOf((await session.fire(firstEvent(host))).text), 1, host);
    const prompt = Object.entries(HOSTS[host].hooks.events).find(([, when]) =>
      when === "prompt"
    )![0];
    const { text } = await session.fire(prompt, { prompt: "Mend the PKCE verifier of the login" });
    assertEquals(text, "");
  }
});

Deno.test("a session that knows its issue is told nothing of what it is asked", async () => {
  using temp = new TempWorkspace();
  await temp.run([...NOTE, PKCE]);
  temp.write(".git/HEAD", "ref: refs/heads/issue-42-cache\n");
  const session = new HookSession(temp);
  await session.fire("SessionStart");
  const { text } = await session.fire("UserPromptSubmit", {
    prompt: "Mend the PKCE verifier of the login",
  });
  assertEquals(text, "");
});

function countOf(text: string): number {
  return text.split(PKCE).length - 1;
}
