/**
 * The Memory view, the thinking log and commands about the workspace, with a hand-made `vscode`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { assertHas } from "../board/temp_board.ts";
import { HOSTILE, plant } from "../board/hostile_state.ts";
import { ADR_ARCHITECT, ASK, TempWorkspace } from "../temp_workspace.ts";
import { assertInert, FakeEditor, FakeModel, LINK, type Shown } from "./fake_vscode.ts";

const NOTE = ["memory", "note", "--agent", "engineer", "-i", "42"];

async function remembering(): Promise<TempWorkspace> {
  const temp = new TempWorkspace({ agents: { architect: ADR_ARCHITECT } });
  temp.write("docs/adr/ADR-42.md", "Decision: PostgreSQL.\n");
  const issue = { number: 42, title: "Health endpoint", labels: ["type:story"], comments: [] };
  temp.write(".agentx/issues/42.json", JSON.stringify(issue));
  await temp.run([...NOTE, "We cache health for a second"]);
  await temp.run([...NOTE, "The adapter is in src/db"]);
  return temp;
}

/** Chooses rows and types by the title of what asks. */
function by(replies: Record<string, string>): (shown: Shown) => string | undefined {
  return ({ text, choices }) => {
    const [, reply] = Object.entries(replies).find(([title]) => text.includes(title)) ?? [];
    return reply === undefined || choices.length === 0
      ? reply
      : choices.find((choice) => choice.includes(reply));
  };
}

Deno.test("the Memory view lists observations by issue, and opens one as a document", async () => {
  using temp = await remembering();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const [issue] = await editor.rows("agentx.memory");
  assertEquals([issue.item.label, issue.item.description], ["#42", "2"]);
  const observations = await editor.rows("agentx.memory", issue);
  const cached = observations.find(({ item }) => item.label.includes("cache"))!;
  assert(/^key-fact, engineer$/.test(cached.item.description), cached.item.description);
  assertHas(
    await editor.document(temp.root, cached.node.observation.id),
    "We cache health for a second",
  );
  editor.dispose();
});

Deno.test("Search Memory and Get Observation open what the person picks", async () => {
  using temp = await remembering();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = by({ "Search the memory": "adapter", "Open an observation": "src/db" });
  for (const command of ["searchMemory", "getObservation"]) {
    await editor.execute(`agentx.${command}`);
    const [name, uri] = editor.executed.at(-1)!;
    assertEquals(name, "vscode.open");
    assert(/^agentx:obs-engineer-42-/.test(`${uri}`), `${uri}`);
  }
  editor.dispose();
});

Deno.test("Memory Stats, Compact Memory, Show Workflow, Dependencies and the digest print into a channel", async () => {
  using temp = await remembering();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = by({ "of which issue?": "#42", "Archive what is old?": "Archive" });
  const channel = editor.made.get("channel AgentX");
  const cases = {
    memoryStats: "2",
    compactMemory: "$ agentx memory compact\n",
    showWorkflow: "implement",
    showDependencies: "#42",
    digest: "DIGEST-",
  };
  for (const [command, shown] of Object.entries(cases)) {
    channel.clear();
    await editor.execute(`agentx.${command}`);
    assertHas(channel.text, shown);
  }
  editor.dispose();
});

Deno.test("Show Context Budget tells what is fresh from what was recalled", async () => {
  using temp = await remembering();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const channel = editor.made.get("channel AgentX");
  await editor.execute("agentx.showContextBudget");
  assertHas(channel.text, "No session");
  channel.clear();
  await editor.chat("Do #42", { model: new FakeModel([{ text: "Done." }]) });
  await editor.execute("agentx.showContextBudget");
  assert(/^Context budget: [\d,]+ of 200,000 tokens/.test(channel.text), channel.text);
  assertHas(channel.text, "Memory\n");
  editor.dispose();
});

Deno.test("Ask an Agent asks as the role whose turn it is, and opens the thread", async () => {
  using temp = await remembering();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = by({
    "Ask about which issue?": "#42",
    "Whom does engineer ask?": "architect",
    "What does engineer ask": "Is it enough?",
  });
  await editor.execute("agentx.ask");
  const [{ from, to, thread }] = temp.ledger().clarifications;
  assertEquals([from, to, thread[0].body], ["engineer", "architect", "Is it enough?"]);
  assertHas(`${editor.executed.at(-1)![1]}`, "agentx:CLR-42-001.md");
  editor.dispose();
});

Deno.test("the thinking log shows kinds, agents and a summary, and follows what comes", async () => {
  using temp = await remembering();
  await temp.run(ASK);
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = by({
    "Since when?": "hour",
    "Which kind?": "info",
    "Which agent?": "Everything",
  });
  await editor.execute("agentx.showLog");

  const channel = editor.made.get("channel AgentX Thinking Log");
  assertHas(channel.text, "[info] engineer: clarification-requested #42");
  assert(/^engineer: .*\d+ info/m.test(channel.text), channel.text);
  assert(!channel.text.includes("[error]"), channel.text);
  channel.clear();
  await new Promise((resolve) => setTimeout(resolve, 2)); // another millisecond
  await temp.run(["clarify", "resolve", "CLR-42-001", "--as", "engineer"]);
  editor.changed(`${temp.root}/.agentx/log/x.jsonl`);
  await editor.until(() => channel.text.includes("clarification-resolved"));
  editor.dispose();
});

Deno.test("the thinking log shows the tools of one agent by kind", async () => {
  using temp = await remembering();
  const tool = (agent: string, status: string) => ({
    time: new Date().toISOString(),
    ...{ operation: "tool-invoked", agent, tool: "Bash", status },
  });
  const lines = [tool("engineer", "running"), tool("engineer", "done"), tool("tester", "done")];
  const day = new Date().toISOString().slice(0, 10);
  temp.write(`.agentx/log/${day}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = by({ "Since": "day", "Which kind?": "toolResult", "Which agent?": "engineer" });
  await editor.execute("agentx.showLog");
  const { text } = editor.made.get("channel AgentX Thinking Log");
  assert(
    /^\S+ \[toolResult\] engineer: tool-invoked status=done tool=Bash\nengineer: 1 toolResult\n$/
      .test(text),
    text,
  );
  editor.dispose();
});

Deno.test("a line in the log alone reads no view anew", async () => {
  using temp = await remembering();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const before = editor.calls.length;
  editor.changed(`${temp.root}/.agentx/log/x.jsonl`);
  editor.changed(`${temp.root}/${temp.ledgerPath(42)}`);
  await editor.until(() => editor.calls.length > before);
  assertEquals(editor.calls.slice(before), [`inbox --root ${temp.root} --json`]);
  editor.dispose();
});

Deno.test("coding agents are set up in a terminal, after a click that shows the command", async () => {
  using temp = await remembering();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  await editor.execute("agentx.setUpAgents");
  assertHas(editor.shown[0].text, "npm install --global @agentx/toolkit");
  assertEquals(editor.executed.filter(([name]) => name === "terminal"), []);
  editor.person = ({ choices }) => choices[0];
  await editor.execute("agentx.setUpAgents");
  assertEquals(editor.executed.filter(([name]) => name === "terminal").length, 1);
  editor.dispose();
});

Deno.test("the roles of the extension are hidden where a workspace has its own", async () => {
  using temp = await remembering();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const key = () => editor.executed.findLast(([, name]) => name === "agentx.hasRoles")![2];
  assertEquals(key(), false);
  temp.write(".github/agents/engineer.agent.md", "You write code.\n");
  editor.foldersChanged.fire();
  await editor.until(key);
  editor.dispose();
});

Deno.test("the board opens in the browser until the person cancels", async () => {
  using temp = await remembering();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const open = editor.execute("agentx.openBoard");
  await editor.until(() => editor.executed.some(([name]) => name === "open"));
  const [, address] = editor.executed.find(([name]) => name === "open")!;
  assert(/^http:\/\/127\.0\.0\.1:\d+\/\?open=/.test(`${address}`), `${address}`);
  editor.cancelled.fire();
  await open;
  assertEquals(editor.shown, []);
  editor.dispose();
});

for (const [index, hostile] of [...HOSTILE, LINK].entries()) {
  Deno.test(`hostile text ${index} is no link, icon or control in the memory and the thinking log`, async () => {
    using temp = new TempWorkspace();
    plant(temp, hostile);
    const editor = new FakeEditor(temp.root);
    await editor.activate();
    const [issue] = await editor.rows("agentx.memory");
    const [{ item, node }] = await editor.rows("agentx.memory", issue);
    const text = await editor.document(temp.root, node.observation.id);
    const [, fence, inside] = /^# .*\n\n(`{3,})text\n([^]*)\n\1\n$/.exec(text) ?? [];
    assert(inside !== undefined && !inside.includes(`\n${fence}`), text);
    editor.person = by({ "Since when?": "day", "Which kind?": "Everything", "Which agent?": "E" });
    for (const command of ["getObservation", "showLog"]) await editor.execute(`agentx.${command}`);
    const seen = [item.label, item.description, item.tooltip]
      .concat(editor.shown.flatMap(({ text, choices }) => [text, ...choices]));
    for (const text of seen) assertInert(text);
    const log = editor.made.get("channel AgentX Thinking Log").text;
    // deno-lint-ignore no-control-regex -- a channel is plain text
    assert(log !== "" && !/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]/.test(log), log);
    editor.dispose();
  });
}
