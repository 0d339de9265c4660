import { assert, assertEquals } from "@std/assert";
import type { Wish } from "../../../lib/agents/acp/messages.ts";
import { type AcpReply, type AcpTurn, runTurn } from "../../../lib/agents/acp/turn.ts";
import { type HostName, HOSTS } from "../../../lib/hosts/hosts.ts";
import type { FakeScript, FakeStep } from "./fake_agent.ts";

const FAKE = new URL("fake_agent.ts", import.meta.url).pathname;

/** What was asked for, and how the turn ended. */
interface Ended extends AcpReply {
  wishes: Wish[];
}

/** Runs a script of the fake agent. */
async function turn(
  script: FakeScript | FakeStep[],
  options: Partial<AcpTurn> = {},
  refuses = false,
): Promise<Ended> {
  const whole = Array.isArray(script) ? { steps: script } : script;
  const wishes: Wish[] = [];
  const reply = await runTurn({
    command: [Deno.execPath(), "run", "-A", "--no-check", "--quiet", FAKE, JSON.stringify(whole)],
    cwd: Deno.cwd(),
    prompt: "Which database?",
    version: "0.0.0",
    mcpServers: [],
    judge: (wish) => {
      wishes.push(wish);
      return Promise.resolve(refuses ? "the role may not" : undefined);
    },
    ...options,
  });
  return { ...reply, wishes };
}

const EDIT = {
  toolCallId: "t-1",
  kind: "edit",
  title: "Write a.txt",
  locations: [{ path: "/r/a.txt" }],
};
const RUN = { toolCallId: "t-2", kind: "execute", rawInput: { command: "npm test" } };

/** What a host says among the words of its model. */
function saying(host: HostName): Partial<AcpTurn> {
  const { notices, restarts, failures } = HOSTS[host].acp!;
  return { notices, restarts, failures };
}

Deno.test("runTurn() gives the words after the last tool, and the tokens", async () => {
  const { text, tokens, session } = await turn([
    { say: "I look first." },
    { tool: { toolCallId: "t-1", title: "Read", kind: "read" } },
    { say: "Postgre" },
    { say: "SQL." },
  ]);
  assertEquals([text, tokens, session], ["PostgreSQL.", 12, "s-1"]);
});

Deno.test("runTurn() asks the judge about files and commands, as each agent names them", async () => {
  const commands = [{ command: "npm test" }, { command: ["npm", "test"] }, {
    commands: ["npm test"],
  }];
  const { wishes } = await turn([
    { tool: { ...EDIT, locations: [] } },
    { ask: { toolCallId: "t-1", content: [{ type: "diff", path: "/r/b.txt", newText: "x" }] } },
    ...commands.map((rawInput, at) => ({ ask: { ...RUN, toolCallId: `c-${at}`, rawInput } })),
    { say: "Done." },
  ]);
  const command = { kind: "command", command: "npm test", cwd: undefined } as const;
  assertEquals(wishes, [
    { kind: "files", paths: ["/r/b.txt"], isRead: false },
    command,
    command,
    command,
  ]);
});

Deno.test("runTurn() allows once, never for good, whatever stands first", async () => {
  const heard = async (options: unknown, refuses: boolean) =>
    (await turn([{ ask: EDIT, options }, { say: "$heard" }], {}, refuses)).text;
  const selected = (optionId: string) =>
    JSON.stringify({ outcome: { outcome: "selected", optionId } });
  assertEquals(await heard(undefined, false), selected("yes"));
  assertEquals(await heard(undefined, true), selected("no"));
  const always = [{ optionId: "a", kind: "allow_always", name: "a" }];
  assertEquals(await heard(always, false), '{"outcome":{"outcome":"cancelled"}}');
});

Deno.test("runTurn() refuses what it cannot judge, and says so", async () => {
  const asks = [
    { toolCallId: "a", kind: "other", title: "Summon" },
    { toolCallId: "b", kind: "execute", title: "npm test" },
    { toolCallId: "c", kind: "edit" },
    { toolCallId: "d" },
  ];
  const { refused, wishes } = await turn([...asks.map((ask) => ({ ask })), { say: "Done." }]);
  assertEquals([refused.length, wishes], [4, []]);
});

Deno.test("runTurn() takes the title for the command of an agent that has it nowhere else", async () => {
  const ask = { toolCallId: "a", kind: "execute", title: "npm test" };
  const { wishes } = await turn([{ ask }, { say: "Done." }], { titleIsCommand: true });
  assertEquals(wishes, [{ kind: "command", command: "npm test", cwd: undefined }]);
});

Deno.test("runTurn() knows the server of a tool by what its program says, not by the words of a model", async () => {
  const calls: [host: HostName, call: Record<string, unknown>][] = [
    ["claude", { kind: "other", _meta: { claudeCode: { mcpServer: { name: "agentx" } } } }],
    ["codex", {
      ...{ kind: "execute", rawInput: { server: "agentx", tool: "memory_search" } },
      _meta: { is_mcp_tool_call: true },
    }],
    ["gemini", { kind: "other", toolCallId: "mcp_agentx_memory_search__1" }],
    ["qwen", { kind: "other", _meta: { provenance: "mcp", serverId: "agentx" } }],
  ];
  for (const [host, tool] of calls) {
    const toolCallId = tool.toolCallId ?? "t-1";
    const { server } = HOSTS[host].acp!;
    const asked = await turn([{ tool: { toolCallId, ...tool } }, { ask: { toolCallId } }], {
      server,
    });
    assertEquals(asked.wishes, [{ kind: "tool", server: "agentx" }], host);
    const rawInput = { command: "ls", server: "agentx", tool: "agentx" };
    const title = "mcp_agentx_memory_search";
    const shell = await turn([{ ask: { ...RUN, title, rawInput } }], { server });
    assertEquals(shell.wishes, [{ kind: "command", command: "ls", cwd: undefined }], host);
  }
});

Deno.test("runTurn() is no success without words after a refusal", async () => {
  const { complaint } = await turn([{ say: "I write." }, { ask: EDIT }], {}, true);
  assertEquals(complaint, "it stopped after a refusal: the role may not");
  assertEquals((await turn([])).complaint, "it said nothing");
});

Deno.test("runTurn() sets the mode, and refuses an agent without it", async () => {
  const modes = ["auto", "default"];
  const steps = [{ say: "$heard" }];
  assertEquals((await turn({ modes, steps }, { mode: "default" })).text, "default");
  const { complaint } = await turn({ modes, steps }, { mode: "read-only" });
  assertEquals(complaint, "it does not offer the mode read-only, but auto, default");
});

Deno.test("runTurn() loads a session where the agent can, and leaves out its old words", async () => {
  const steps = [{ say: "A new answer." }];
  const { text, session } = await turn({ canLoad: true, steps }, { session: "s-0" });
  assertEquals([text, session], ["A new answer.", "s-0"]);
  assertEquals(
    (await turn({ canLoad: true, steps }, { session: "s-0", cannotLoad: true })).session,
    "s-1",
  );
  assertEquals((await turn({ steps }, { session: "s-0" })).session, "s-1");
});

Deno.test("runTurn() tells the notices of a program from the words of its model", async () => {
  const said = (...texts: string[]) => turn(texts.map((say) => ({ say })), saying("copilot"));
  assertEquals((await said("Info: Retrying...", "Postgre", "SQL.")).text, "PostgreSQL.");
  assertEquals((await said("Info: Retrying...", "Error: HTTP 401")).complaint, "Error: HTTP 401");
});

Deno.test("runTurn() is no success without usage where the agent tells it otherwise", async () => {
  const steps: FakeStep[] = [{ say: "Half an ans" }, { end: "end_turn" }];
  assertEquals((await turn(steps)).text, "Half an ans");
  const { text, complaint } = await turn(steps, { tellsUsage: true });
  assertEquals([text, complaint], ["", "its model gave no whole answer"]);
  assertEquals((await turn([{ say: "Whole." }], { tellsUsage: true })).text, "Whole.");
});

Deno.test("runTurn() drops what came before another try, and takes the last one for a failure", async () => {
  const said = (...texts: string[]) => turn(texts.map((say) => ({ say })), saying("pi"));
  const again = (attempt: number) => `Retrying (attempt ${attempt}/3, waiting 2s)...`;
  const end = "Retry finished, resuming.";
  const whole = await said("pi v1.6.0\n---\n", "Postgre", again(1), "PostgreSQL.", end);
  assertEquals(whole.text, "PostgreSQL.");
  const { complaint } = await said("Postgre", again(1), again(2), again(3), "Postgre", end);
  assertEquals(complaint, again(3));
});

Deno.test("runTurn() names how else a turn ends", async () => {
  const complaints = await Promise.all([
    turn([{ say: "Half" }, { end: "max_tokens" }]),
    turn([{ end: "cancelled" }]),
    turn([{ fail: "the key opens nothing" }]),
    turn([{ exit: 3 }]),
    turn([], { command: ["/no/such/program"] }),
  ]);
  assertEquals(complaints.slice(0, 4).map(({ complaint }) => complaint), [
    "it stopped: max_tokens",
    "it stopped: cancelled",
    "the key opens nothing",
    "it ended before its answer",
  ]);
  assert(complaints[4].complaint?.includes("/no/such/program"), complaints[4].complaint);
});

Deno.test("runTurn() answers an unknown request with an error, and skips what is no message", async () => {
  const { text } = await turn([
    { print: "Warning: a runtime is old" },
    { print: '"text"' },
    { call: "fs/write_text_file" },
    { say: "$heard" },
  ]);
  assertEquals(JSON.parse(text).code, -32601);
});

Deno.test("runTurn() chooses a model in the way of the agent, and names one that it does not offer", async () => {
  const models = { availableModels: [{ modelId: "opus" }], currentModelId: "x" };
  const options = [{ value: "opus", name: "Opus" }];
  const configOptions = [{ id: "m", category: "model", type: "select", options }];
  const steps = [{ say: "$heard" }];
  for (const [session, heard] of [[{ models }, "opus"], [{ configOptions }, "m opus"]] as const) {
    assertEquals((await turn({ steps, session }, { model: "opus" })).text, heard);
    const { complaint } = await turn({ steps, session }, { model: "sonnet" });
    assertEquals(complaint, "no such model: sonnet");
  }
  assertEquals((await turn(steps, { model: "opus" })).complaint, "no such model: opus");
});
