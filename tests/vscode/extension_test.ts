/**
 * The extension for VS Code with a hand-made `vscode`, on real files.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { HOSTILE, plant } from "../board/hostile_state.ts";
import { assertHas } from "../board/temp_board.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { askWords } from "../gate/samples.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { TempUser } from "../temp_user.ts";
import { assertInert, FakeEditor, LINK, type Shown } from "./fake_vscode.ts";

/** An architect that fails, so that a question is escalated. */
const FAILS = { architect: "cat >/dev/null; exit 1" };

async function escalated(): Promise<TempWorkspace> {
  const temp = new TempWorkspace({ agents: FAILS });
  assertEquals((await temp.run(ASK)).code, 7);
  return temp;
}

function pressing(label: string): (shown: Shown) => string | undefined {
  return ({ choices }) => choices.find((choice) => choice.includes(label));
}

Deno.test("the inbox shows what waits, with a badge and in the status bar", async () => {
  using temp = await escalated();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const [{ item }, ...others] = await editor.rows("agentx.inbox");
  assertEquals(others, []);
  assertEquals([item.label, item.description], ["Database layer", "#42 engineer"]);
  assertEquals(item.command.arguments[0].toString(), `agentx:CLR-42-001.md?${temp.root}`);
  assertEquals(editor.made.get("agentx.inbox").badge.value, 1);
  assertEquals(editor.made.get("bar agentx.inbox").text, "$(inbox) 1");
  editor.dispose();
});

Deno.test("the inbox decides an escalation by a choice, as a person who was seen to", async () => {
  using temp = await escalated();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = ({ kind, choices }) =>
    kind === "pick" ? choices.find((choice) => choice.startsWith("In my own")) : "PostgreSQL.";
  const [{ node }] = await editor.rows("agentx.inbox");
  await editor.execute("agentx.answer", node);
  const { from, body, verified } = temp.ledger().clarifications[0].thread.at(-1)!;
  assertEquals([from, body, verified], ["human", "PostgreSQL.", true]);
  editor.changed(`${temp.root}/${temp.ledgerPath(42)}`);
  await editor.until(async () => (await editor.rows("agentx.inbox")).length === 0);
  editor.dispose();
});

Deno.test("a notification answers a question of an agent", async () => {
  using temp = new TempWorkspace();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = pressing("Production");
  await temp.run([...askWords(), "--no-wait"]);
  editor.changed(`${temp.root}/.agentx/state/agent-interactions.json`);
  const answered = async () =>
    (await temp.json(["ask-user", "--id", "ASK-001", "--no-wait"])).interaction;
  await editor.until(async () => (await answered()).outcome === "human");
  const { decision, verified } = await answered();
  assertEquals([decision.label, verified], ["b", true]);
  assertHas(editor.shown[0].text, "Which Stripe environment should I configure?");
  editor.dispose();
});

Deno.test("a notification of what was decided meanwhile says so", async () => {
  using temp = new TempWorkspace();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  await temp.run([...askWords(), "--no-wait"]);
  let press = (_: void) => {};
  const pressed = new Promise<void>((resolve) => press = resolve);
  editor.vscode.window.showInformationMessage = (async (_: string, ...buttons: string[]) => {
    await pressed;
    return buttons[0];
  }) as never;
  editor.changed(`${temp.root}/.agentx/state/agent-interactions.json`);
  await editor.until(() => editor.made.get("agentx.inbox").badge.value === 1);
  await temp.run(["answer", "ASK-001", "b"], { terminal: true });
  press();
  await editor.until(() => editor.shown.some(({ kind }) => kind === "error"));
  assertHas(editor.shown.at(-1)!.text, "ASK-001");
  editor.dispose();
});

Deno.test("entries from before the start, and after notifications are off, notify nobody", async () => {
  using temp = await escalated();
  const editor = new FakeEditor(temp.root);
  editor.settings["agentx.notifications"] = false;
  await editor.activate();
  await temp.run([...askWords(), "--no-wait"]);
  editor.changed(`${temp.root}/.agentx/state/agent-interactions.json`);
  await editor.until(() => editor.made.get("agentx.inbox").badge.value === 2);
  assertEquals(editor.shown, []);
  editor.dispose();
});

Deno.test("a thread is a document that follows its file", async () => {
  using temp = await escalated();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const text = await editor.document(temp.root, "CLR-42-001");
  assertHas(text, "# CLR-42-001\n\n```text\n");
  assertHas(text, "PostgreSQL or SQLite?");
  const { Uri } = editor.vscode;
  const uri = Uri.from({ scheme: "agentx", path: "CLR-42-001.md", query: temp.root });
  editor.documents.push({ uri: uri as never });
  const fired: string[] = [];
  editor.made.get("agentx").onDidChange((changed: unknown) => fired.push(`${changed}`));
  await temp.run(["answer", "CLR-42-001", "SQLite."], { terminal: true });
  editor.changed(`${temp.root}/${temp.ledgerPath(42)}`);
  await editor.until(() => fired.length > 0);
  assertEquals(fired, [`${uri}`]);
  assertHas(await editor.document(temp.root, "CLR-42-001"), "SQLite.");
  editor.dispose();
});

Deno.test("the editor gets one MCP server a workspace, which starts there", async () => {
  using one = new TempWorkspace();
  using other = new TempWorkspace();
  const editor = new FakeEditor(one.root, other.root);
  await editor.activate();
  const servers = editor.made.get("servers").provideMcpServerDefinitions();
  assertEquals(servers.length, 2);
  for (const [index, { root }] of [one, other].entries()) {
    const { command, args, cwd, env } = servers[index];
    assertEquals([command, ...args], [
      "/usr/bin/node",
      "/extension/agentx.cjs",
      "mcp",
      "--root",
      root,
    ]);
    assertEquals([cwd.fsPath, env.ELECTRON_RUN_AS_NODE], [root, "1"]);
  }
  editor.dispose();
});

Deno.test("several workspaces are rows with their names, also in folders below", async () => {
  using one = await escalated();
  const parent = Deno.makeTempDirSync();
  Deno.mkdirSync(`${parent}/packages/web/.agentx`, { recursive: true });
  const editor = new FakeEditor(one.root, parent);
  await editor.activate();
  const rows = await editor.rows("agentx.inbox");
  const name = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  assertEquals(
    rows.map(({ item }) => [item.label, item.description]),
    [[name(one.root), "1"], [`${name(parent)}/packages/web`, "0"]],
  );
  assertEquals((await editor.rows("agentx.inbox", rows[0]))[0].item.label, "Database layer");
  editor.dispose();
  Deno.removeSync(parent, { recursive: true });
});

Deno.test("Initialize Workspace has every view read it, and says what to commit", async () => {
  using _ = new TempUser();
  const root = Deno.makeTempDirSync();
  const editor = new FakeEditor(root);
  await editor.activate();
  const read: string[] = [];
  for (const view of ["work", "memory"]) {
    editor.made.get(`agentx.${view}`).treeDataProvider.onDidChangeTreeData(() => read.push(view));
  }
  editor.person = ({ choices }) => choices[0];
  await editor.execute("agentx.initialize");
  assertHas(editor.shown[0].text, "Commit its files");
  assertEquals(editor.executed.at(-1), ["workbench.view.scm"]);
  editor.changed(`${root}/.agentx/config.json`);
  await editor.until(() => read.length === 2);
  assertEquals((await editor.rows("agentx.work")).length, 3);
  editor.dispose();
  Deno.removeSync(root, { recursive: true });
});

Deno.test("a restricted window shows, and runs nothing", async () => {
  using temp = await escalated();
  const { run } = sys;
  const ran: string[] = [];
  sys.run = (argv, options) => {
    ran.push(argv.join(" "));
    return run(argv, options);
  };
  try {
    const editor = new FakeEditor(temp.root);
    editor.isTrusted = false;
    await editor.activate();
    const [{ node }] = await editor.rows("agentx.inbox");
    assertHas(await editor.document(temp.root, "CLR-42-001"), "Database layer");
    const before = editor.calls.length;
    for (const command of ["agentx.answer", "agentx.initialize"]) {
      await editor.execute(command, node);
    }
    assertEquals(editor.calls.slice(before), []);
    assert(editor.shown.every(({ text }) => text.includes("restricted")));
    assertEquals(editor.shown.length, 2);
    assertEquals(editor.made.get("servers").provideMcpServerDefinitions(), []);
    assertEquals(ran, []);
    editor.dispose();
  } finally {
    sys.run = run;
  }
});

Deno.test("reading changes no file, so that a view does not read without end", async () => {
  using temp = await escalated();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const stamp = () =>
    new Deno.Command("find", {
      args: [`${temp.root}/.agentx`, "-printf", "%p %T@ %i\n"],
    }).outputSync().stdout.join();
  const before = stamp();
  editor.changed(`${temp.root}/${temp.ledgerPath(42)}`);
  const calls = editor.calls.length;
  await editor.until(() => editor.calls.length > calls);
  await editor.document(temp.root, "CLR-42-001");
  assertEquals(stamp(), before);
  editor.dispose();
});

Deno.test("an editor that an agent's session started decides nothing for its person", async () => {
  using temp = await escalated();
  const { ancestors } = sys;
  sys.ancestors = () => [{ pid: 1, programs: ["codex"], variables: [] }];
  try {
    const editor = new FakeEditor(temp.root);
    await editor.activate();
    editor.person = ({ kind, choices }) => kind === "pick" ? choices.at(-1) : "PostgreSQL.";
    const [{ node }] = await editor.rows("agentx.inbox");
    await editor.execute("agentx.answer", node);
    assertEquals(temp.ledger().clarifications[0].status, "escalated");
    editor.dispose();
  } finally {
    sys.ancestors = ancestors;
  }
});

const HOSTILE_TEXTS: string[] = Deno
  .readTextFileSync(new URL("../fixtures/hostile_text.jsonl", import.meta.url))
  .trim().split("\n").map((line) => JSON.parse(line).text);

for (const [index, hostile] of [...HOSTILE, LINK].entries()) {
  Deno.test(`hostile text ${index} is no link, no icon and no heading in any view`, async () => {
    using temp = new TempWorkspace();
    plant(temp, hostile);
    const editor = new FakeEditor(temp.root);
    await editor.activate();
    const rows = await editor.rows("agentx.inbox");
    assert(rows.length > 0);
    editor.person = () => undefined;
    for (const { node } of rows) await editor.execute("agentx.answer", node);
    await editor.execute("agentx.answer");
    await editor.execute("agentx.openThread");
    const seen = [
      ...rows.flatMap(({ item }) => [item.label, item.description, item.tooltip]),
      ...editor.shown.flatMap(({ text, choices }) => [text, ...choices]),
      editor.made.get("agentx.inbox").message ?? "",
    ];
    for (const text of seen) {
      assert(typeof text === "string", "markdown of a tree");
      assertInert(text);
    }
    for (const { node } of rows) {
      const text = await editor.document(temp.root, node.entry.id);
      const [, fence, inside] = /^# .*\n\n(`{3,})text\n([^]*)\n\1\n$/.exec(text) ?? [];
      assert(inside !== undefined && !inside.includes(`\n${fence}`), text);
    }
    editor.dispose();
  });
}

Deno.test("hostile texts of every surface show no control, link or icon in the inbox", async () => {
  using temp = new TempWorkspace();
  const texts = HOSTILE_TEXTS;
  const timestamp = "2026-02-26T10:00:00.000Z";
  const clarifications = texts.map((text, index) =>
    sampleRecord({
      id: `CLR-42-${String(index + 1).padStart(3, "0")}`,
      status: "escalated",
      topic: text,
      thread: [{ round: 1, from: "engineer", body: text, timestamp, type: "escalation" }],
    })
  );
  temp.write(temp.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications }));
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const rows = await editor.rows("agentx.inbox");
  assertEquals(rows.length, texts.length);
  for (const { item } of rows) assertInert(`${item.label}\n${item.description}\n${item.tooltip}`);
  editor.dispose();
});
