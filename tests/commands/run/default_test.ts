/**
 * `agents.default` of the user's own configuration: it answers for every role that has no settings.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ASK, TempWorkspace, type TempWorkspaceOptions } from "../../temp_workspace.ts";

const ANY_ROLE = { command: ["sh", "-c", "cat >/dev/null; echo 'Said for any role.'"] };

function withDefault(options: TempWorkspaceOptions = {}): TempWorkspace {
  const temp = new TempWorkspace(options);
  temp.user.configure({ agents: { default: ANY_ROLE } });
  return temp;
}

Deno.test("agents.default answers for a role without settings, and needs no consent", async () => {
  using temp = withDefault({ isTrusted: false });
  const { out } = await temp.run(ASK);
  assert(out.includes("A: Said for any role."), out);
});

Deno.test("agents.default does not answer where a role has settings of its own", async () => {
  using temp = withDefault({ agents: { architect: "cat >/dev/null; echo 'My own.'" } });
  const { out } = await temp.run(ASK);
  assert(out.includes("My own.") && !out.includes("Said for any role."), out);
});

Deno.test("agents.default is no role: nobody can ask it", async () => {
  using temp = withDefault();
  const { code, err } = await temp.run(ASK.map((word) => word === "architect" ? "default" : word));
  assertEquals(code, 2, err);
});

Deno.test("agents.default is run by serve, for the roles that are asked", async () => {
  using temp = withDefault();
  await temp.run([...ASK, "--non-blocking"]);
  const { out } = await temp.run(["clarify", "deliver"]);
  assert(out.includes("CLR-42-001"), out);
  assertEquals(temp.ledger().clarifications[0].status, "answered");
});

Deno.test("agents shows of agents.default how the last role that it answered for ended", async () => {
  using temp = withDefault({ agents: { reviewer: "cat >/dev/null; exit 3" } });
  await temp.run(ASK);
  await temp.run(["agents", "test", "reviewer"]);
  const { agents } = await temp.json(["agents"]);
  const outcomes = agents.map((row: { agent: string; last: { outcome: string } | null }) =>
    `${row.agent} ${row.last?.outcome}`
  );
  assertEquals(outcomes.sort(), ["default answered", "reviewer failed"]);
});

Deno.test("agents.default is set for all repositories, never for one", async () => {
  using temp = withDefault();
  const set = ["config", "set", "agents.default.preset", "claude"];
  const { code, err } = await temp.run(set);
  assertEquals(code, 2, err);
  assert(err.includes("agentx config set --global agents.default.preset"), err);
  assertEquals((await temp.run([...set, "--global"])).code, 0);
});

Deno.test("a run for the default says which settings to change", async () => {
  using temp = withDefault();
  temp.user.configure({ agents: { default: { command: ["false"] } } });
  const { err } = await temp.run(["agents", "test", "architect"]);
  assert(!err.includes("agents.architect"), err);
});
