/**
 * A question to a role for which no agent can be run is known before anybody waits, and every surface says
 * the same: for a role that is not configured, and as a teammate meets it who has not agreed after a pull.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ERAS, McpClient, QUESTION } from "../../mcp/mcp_client.ts";
import { ASK, TempWorkspace } from "../../temp_workspace.ts";

const CASES = [
  {
    name: "not configured",
    options: { isTrusted: false },
    why: "nobody answers: no agent is configured for architect",
    out: "or configure it: agentx config set --global agents.default.preset claude",
  },
  {
    name: "not agreed to",
    options: {
      isTrusted: false,
      agents: { architect: "cat >/dev/null; echo PG. >>runs; echo PG." },
    },
    why: "nobody answers: what is run for architect is not agreed to here",
    out: "or agree to it: agentx trust",
  },
];

const ANSWER = 'answer it: agentx answer CLR-42-001 "..."';

for (const { name, options, why, out } of CASES) {
  Deno.test(`a question to a role that is ${name} says so on every surface at once`, async () => {
    using temp = new TempWorkspace(options);
    const asked = await temp.run(ASK);
    assertEquals(asked.code, 7, asked.err);
    const screens = [asked.out];
    for (const words of [["clarify"], ["clarify", "CLR-42-001"], ["state"]]) {
      screens.push((await temp.run(words)).out);
    }
    for (const line of screens.join("\n").split("\n")) assert(line.length <= 80, line);
    const retried = await temp.run(["clarify", "retry", "CLR-42-001"]);
    assertEquals([retried.code, temp.ledger().clarifications[0].retriedAt ?? null], [7, null]);
    screens.push(retried.out);
    screens.push((await temp.run(["clarify", "wait", "CLR-42-001", "--timeout", "1ms"])).err);
    await temp.run(["here", "--as", "engineer", "--issue", "42"]);
    const event = { session_id: "3f2a0c51-0000-4000-8000-00000000aaaa", source: "startup" };
    const hook = await temp.run(["hook", "host", "claude", "SessionStart"], {
      stdin: JSON.stringify({ ...event, hook_event_name: "SessionStart", cwd: temp.root }),
    });
    screens.push(JSON.parse(hook.out).hookSpecificOutput.additionalContext);
    for (const screen of screens) {
      for (const part of [why, ANSWER, out]) assert(screen.includes(part), screen);
      for (const vain of ["clarify retry", "Wait for it"]) assert(!screen.includes(vain), screen);
    }
    assert(!temp.has("runs"));
  });

  Deno.test(`the inbox has a question to a role that is ${name}, and takes its answer`, async () => {
    using temp = new TempWorkspace(options);
    await temp.run(ASK);
    const { entries: [entry, ...more] } = await temp.json(["inbox"]);
    for (const words of [["inbox"], ["status"]]) {
      const { out: screen } = await temp.run(words);
      for (const part of [why, out]) assert(screen.includes(part), screen);
    }
    const { id, kind, blocks, content } = entry;
    assertEquals([id, kind, blocks, more], ["CLR-42-001", "unanswered", ["engineer on #42"], []]);
    for (const part of ["PostgreSQL or SQLite?", why, ANSWER, out]) assert(content.includes(part));
    assertEquals((await temp.run(["inbox", "answer", "CLR-42-001", "PostgreSQL."])).code, 0);
    const { status, thread } = temp.ledger().clarifications[0];
    const { from, body } = thread.at(-1)!;
    assertEquals([status, from, body], ["answered", "human", "PostgreSQL."]);
    assertEquals((await temp.json(["inbox"])).entries, []);
  });

  for (const era of ERAS) {
    Deno.test(`clarify_ask to a role that is ${name} returns at once: ${era}`, async () => {
      using temp = new TempWorkspace(options);
      await using mcp = await McpClient.connect(temp, { era });
      for (const input of [QUESTION, { id: "CLR-42-001" }, { ...QUESTION, nonBlocking: true }]) {
        const startMs = performance.now();
        const { isError, structured } = await mcp.call("clarify_ask", input);
        assert(performance.now() - startMs < 30_000); // of the 60 seconds of a wait
        assertEquals([isError, structured.status, structured.answer], [false, "pending", null]);
        const reason = why.replace("nobody answers: ", "");
        assert(structured.next.startsWith(`Nobody answers now, so do not wait: ${reason}`));
        for (const part of ["agentx answer CLR-42-00", out]) {
          assert(structured.next.includes(part), structured.next);
        }
      }
    });
  }
}

Deno.test("a question to a role with a session at work is left to that session", async () => {
  using temp = new TempWorkspace();
  await temp.run(["hook", "start", "architect@2", "42"]);
  const { code, out } = await temp.run(ASK);
  const isLeft = out.includes("architect@2 is at work and receives it by its hooks");
  assertEquals([code, isLeft], [7, true], out);
  assertEquals((await temp.json(["inbox"])).entries, []);
  await temp.run(["hook", "finish", "architect@2", "42"]);
  assertEquals((await temp.json(["inbox"])).entries.length, 1);
});

Deno.test("an agent that asked, and that no hook began, is not waited for", async () => {
  using temp = new TempWorkspace();
  const words = ["--issue", "42", "--from", "architect", "--to", "product-manager"];
  await temp.run(["clarify", "ask", ...words, "--topic", "Scope", "Which users?"]);
  const { out } = await temp.run(ASK);
  assert(out.includes(CASES[0].why), out);
  assertEquals((await temp.json(["inbox"])).entries.length, 2);
});

Deno.test("after consent the question is run as ever", async () => {
  using temp = new TempWorkspace(CASES[1].options);
  await temp.run(ASK);
  await temp.trust();
  const { out } = await temp.run(["clarify"]);
  assert(out.includes("CLR-42-001: no process is running it; run it: agentx clarify run"), out);
  assertEquals((await temp.run(["clarify", "retry", "CLR-42-001"])).code, 0);
  assertEquals(temp.ledger().clarifications[0].status, "answered");
});

Deno.test("a workflow that cannot be read is noted, and keeps no question of another one from being asked", async () => {
  using temp = new TempWorkspace();
  temp.write(".agentx/workflows/broken.toml", "steps = [");
  const { code, err } = await temp.run(ASK);
  assertEquals([code, err.match(/^note: Cannot read .*broken\.toml/g)?.length], [7, 1], err);
});
