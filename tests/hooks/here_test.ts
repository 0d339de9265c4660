/**
 * Who a session is: said of it, said of its folder, or named by its branch, environment or host.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "./hook_session.ts";

// deno-lint-ignore no-explicit-any -- a test looks into it
async function here(temp: TempWorkspace, env: Record<string, string> = {}): Promise<any> {
  const { agent, agentFrom, issue, issueFrom, worker } = await temp.json(["here"], { env });
  return { agent, agentFrom, issue, issueFrom, worker };
}

const NOBODY = { agent: null, agentFrom: null, issue: null, issueFrom: null, worker: null };

function branch(temp: TempWorkspace, name: string): void {
  temp.write(".git/HEAD", `ref: refs/heads/${name}\n`);
}

Deno.test("here says that nothing is known, and how to say it", async () => {
  using temp = new TempWorkspace();
  assertEquals(await here(temp), NOBODY);
  const { out } = await temp.run(["here"]);
  assert(out.includes("Set them with: agentx here --as ROLE --issue N"), out);
});

Deno.test("here binds the session that it runs in, and no other", async () => {
  using temp = new TempWorkspace();
  const [one, other] = ["3f2a", "beef"].map((end) =>
    new HookSession(temp, { id: `11111111-2222-4333-8444-55556666${end}` })
  );
  await one.run(["here", "--as", "pm", "--issue", "42"]);
  assertEquals(await here(temp, one.env), {
    agent: "product-manager",
    agentFrom: "session",
    issue: 42,
    issueFrom: "session",
    worker: "claude-3f2a",
  });
  assertEquals(await here(temp, other.env), { ...NOBODY, worker: "claude-beef" });
});

Deno.test("here binds all sessions in the folder where no session is shown", async () => {
  using temp = new TempWorkspace();
  await temp.run(["here", "--as", "engineer", "--issue", "42"]);
  const session = new HookSession(temp);
  assertEquals((await here(temp, session.env)).agentFrom, "folder");
  await session.run(["here", "--as", "reviewer"]);
  const { agent, issue, issueFrom } = await here(temp, session.env);
  assertEquals([agent, issue, issueFrom], ["reviewer", 42, "folder"]);
  await temp.run(["here", "--forget"]);
  assertEquals(await here(temp), NOBODY);
});

Deno.test("here takes the issue from the name of the branch, unless one was said of the session", async () => {
  using temp = new TempWorkspace();
  const names: [string, number | null][] = [
    ["issue-42-cache", 42],
    ["feature/issue-7", 7],
    ["issue_9", 9],
    ["Issue/12-x", 12],
    ["main", null],
    ["tissue-42", null],
    ["release-42", null],
    ["issue-0", null],
    ["issue-1234567890", null],
  ];
  for (const [name, issue] of names) {
    branch(temp, name);
    assertEquals((await here(temp)).issue, issue, name);
  }
  branch(temp, "issue-42-cache");
  const session = new HookSession(temp);
  await session.run(["here", "--issue", "7"]);
  const { issue, issueFrom } = await here(temp, session.env);
  assertEquals([issue, issueFrom], [7, "session"]);
});

Deno.test("here lets a branch win over what was set for its folder, and names the difference", async () => {
  using temp = new TempWorkspace();
  branch(temp, "issue-42-cache");
  const set = await temp.run(["here", "--as", "engineer", "--issue", "7"]);
  for (const { out } of [set, await temp.run(["here"])]) {
    assert(out.includes("#42 (from the branch name), not #7 (set for all sessions in this"), out);
    assert(out.includes("agentx here --forget"), out);
  }
  const { agent, issue, issueFrom } = await here(temp);
  assertEquals([agent, issue, issueFrom], ["engineer", 42, "branch"]);
  const named = async () => (await temp.json(["here"])).folderIssue;
  assertEquals(await named(), 7);
  branch(temp, "issue-7");
  assertEquals(await named(), 7);
  assert(!(await temp.run(["here"])).out.includes("not #7"));
  branch(temp, "main");
  assertEquals((await here(temp)).issueFrom, "folder");
  await temp.run(["here", "--forget"]);
  assertEquals(await named(), null);
});

Deno.test("here notes that its issue is closed", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "Pay by card"]);
  const set = ["here", "--issue", "1"];
  assertEquals((await temp.run(set)).err, "");
  await temp.run(["issue", "close", "1"]);
  for (const words of [set, ["here"]]) {
    const { code, err } = await temp.run(words);
    assertEquals([code, err], [
      0,
      "note: #1 is closed (Done); to forget it here: agentx here --forget\n",
    ]);
  }
});

Deno.test("here takes the role from AGENTX_AGENT, and a hook from its host's own agent", async () => {
  using temp = new TempWorkspace();
  assertEquals((await here(temp, { AGENTX_AGENT: "ux@2" })).agent, "ux-designer");
  temp.write(".github/agents/database-expert.agent.md", "You know databases.");
  await temp.run(["here", "--issue", "42"]);
  const agents: [string, boolean][] = [
    ["architect", true],
    ["database-expert", true],
    ["Explore", false],
  ];
  for (const [index, [agent, role]] of agents.entries()) {
    const session = new HookSession(temp, { id: `11111111-2222-4333-8444-55556666${agent}` });
    const target = role ? agent : "tester";
    const ledger = { issueNumber: 42, clarifications: [question(`CLR-42-00${index + 1}`, target)] };
    temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
    const { text } = await session.fire("UserPromptSubmit", { agent_type: agent });
    assertEquals(text.includes("Which?"), role, agent);
  }
});

function question(id: string, to: string): object {
  const created = new Date().toISOString();
  return {
    ...{ id, from: "engineer", to, topic: "DB", blocking: true, status: "pending" },
    ...{ round: 1, maxRounds: 5, created, staleAfter: "2100-01-01T00:00:00.000Z" },
    resolvedAt: null,
    thread: [{ round: 1, from: "engineer", type: "question", body: "Which?", timestamp: created }],
  };
}

Deno.test("here refuses people, the hub and contradictions", async () => {
  using temp = new TempWorkspace();
  for (const words of [["--as", "human"], ["--as", "agent-x"], ["--forget", "--issue", "4"]]) {
    assertEquals((await temp.run(["here", ...words])).code, 2);
  }
});
