/**
 * The Work view and its commands, with a hand-made `vscode`, on real repositories.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sidesOf } from "../../lib/vscode/diffs.ts";
import { assertHas } from "../board/temp_board.ts";
import { HOSTILE, plant } from "../board/hostile_state.ts";
import { document, git, GOOD, place, repository, scriptedClaude } from "../pipeline/feature.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { assertInert, FakeEditor, type Row } from "./fake_vscode.ts";

const VIEW = "agentx.work";

/** The row below others with these labels. */
async function at(editor: FakeEditor, ...labels: string[]): Promise<Row> {
  let row: Row | undefined;
  for (const label of labels) {
    const rows = await editor.rows(VIEW, row);
    row = rows.find(({ item }) => item.label === label);
    assert(row !== undefined, `${label}: ${rows.map(({ item }) => item.label).join(" | ")}`);
  }
  return row!;
}

async function texts(editor: FakeEditor, row: Row): Promise<string[]> {
  return (await editor.rows(VIEW, row)).map(({ item }) =>
    [item.label, item.description ?? ""].join(": ")
  );
}

Deno.test("sidesOf() gives both sides of a whole file", () => {
  const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n -- d\n";
  assertEquals(sidesOf(diff), { before: "a\nb\n-- d\n", after: "a\nc\n-- d\n" });
  assertEquals(sidesOf("diff --git a/x b/x\nBinary files differ\n").before, "");
});

Deno.test("the Work view shows agents, the ready queue and issues down to the files of a step", async () => {
  const { temp, run } = await place(GOOD);
  using _ = temp;
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const labels = (await editor.rows(VIEW)).map(({ item }) => item.label);
  assertEquals(labels, ["Agents", "Ready queue", "Workflows"]);
  assertEquals(await texts(editor, await at(editor, "Ready queue")), ["#1 Make it work: Backlog"]);
  await run();
  assertEquals((await at(editor, "Workflows", "#1 Make it work")).item.description, "not merged");
  const step = await at(editor, "Workflows", "#1 Make it work", "implement");
  const [file] = await editor.rows(VIEW, step);
  assertEquals([file.item.label, file.item.description], ["app.txt", "+1 -1"]);
  const [before, after] = file.item.command.arguments;
  const provider = editor.made.get("agentx-diff");
  assertEquals(file.item.command.command, "vscode.diff");
  assertEquals(provider.provideTextDocumentContent(before), "nothing\n");
  assertEquals(provider.provideTextDocumentContent(after), "works\n");
  editor.dispose();
});

Deno.test("an agent that waits for an answer, and the one that is asked, have icons of their own", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const rows = await editor.rows(VIEW, await at(editor, "Agents"));
  const seen = rows.map(({ item }) => [item.label, item.description, item.iconPath.id]);
  assertEquals(seen.find(([label]) => label === "engineer"), [
    "engineer",
    "blocked-clarification #42 CLR-42-001, architect",
    "debug-pause",
  ]);
  editor.dispose();
});

Deno.test("a person runs a step after a click that names it and its tokens, and merges the work", async () => {
  const temp = await repository();
  using _ = temp;
  await scriptedClaude(temp);
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = ({ kind, choices }) => kind === "information" ? choices[0] : undefined;
  const issue = await at(editor, "Ready queue", "#1 Make it work");
  await editor.execute("agentx.runStep", issue.node);
  const [asked, told] = editor.shown;
  assert(/does prd of #1: about \d+ tokens in its prompt/.test(asked.text), asked.text);
  assertEquals(told.text, "#1 prd: done");
  const { steps } = await temp.json(["workflow", "1"]);
  assertEquals(steps[0].state, "done");
  for (let count = 0; count < 4; count++) await editor.execute("agentx.runStep", issue.node);
  await editor.execute("agentx.merge", issue.node);
  assertEquals(editor.shown.at(-1)!.text, "#1: Merged into main");
  assertEquals(temp.read("app.txt"), "works\n");
  assertEquals(git(temp, "status", "--porcelain", "-uno"), "");
  editor.dispose();
});

Deno.test("a person chooses the coding agent that works where nobody does, or sees how one is installed", async () => {
  const temp = await repository();
  using _ = temp;
  await scriptedClaude(temp);
  temp.user.configure({});
  const path = Deno.env.get("PATH")!;
  Deno.env.set("PATH", `${temp.user.path}/bin:/usr/bin:/bin`); // no other coding agent is there
  try {
    const editor = new FakeEditor(temp.root);
    await editor.activate();
    const issue = await at(editor, "Ready queue", "#1 Make it work");
    editor.person = ({ kind, choices }) =>
      kind === "pick" ? choices.find((each) => each === "Install Codex") : choices[0];
    await editor.execute("agentx.runStep", issue.node);
    assertHas(editor.shown[1].text, "A terminal runs:\nnpm install --global @openai/codex");
    assertEquals(editor.shown[0].choices[0], "Claude Code");
    assertEquals(editor.executed.at(-1)![0], "terminal");
    editor.shown.length = 0;
    editor.person = ({ kind, choices }) => kind === "pick" ? choices[0] : undefined;
    await editor.execute("agentx.runStep", issue.node);
    assertHas(editor.shown[1].text, "Run the next step of #1?");
    const { value } = await temp.json(["config", "get", "agents.default.preset"]);
    assertEquals(value, "claude");
    editor.dispose();
  } finally {
    Deno.env.set("PATH", path);
  }
});

Deno.test("the next step of an error is a button", async () => {
  const temp = await repository();
  using _ = temp;
  await scriptedClaude(temp);
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = ({ kind, choices }) => kind === "pick" ? undefined : choices[0];
  const issue = await at(editor, "Ready queue", "#1 Make it work");
  await editor.execute("agentx.merge", issue.node);
  const failed = editor.shown.find(({ kind }) => kind === "error")!;
  assertEquals(failed.choices, ["Show Workflow"]);
  assertEquals(editor.executed.at(-1), ["agentx.showWorkflow"]);
  editor.dispose();
});

Deno.test("nothing runs that the person did not agree to", async () => {
  const temp = await repository();
  using _ = temp;
  await scriptedClaude(temp);
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const issue = await at(editor, "Ready queue", "#1 Make it work");
  for (const command of ["runStep", "merge"]) await editor.execute(`agentx.${command}`, issue.node);
  assertEquals((await temp.json(["workflow", "1"])).steps[0].state, "ready");
  assertEquals(editor.shown.length, 2);
  editor.dispose();
});

Deno.test("the editor shows the programs of a repository, and asks for consent", async () => {
  const config = { agents: { engineer: { command: ["touch", "marker"] } } };
  using temp = new TempWorkspace({ isTrusted: false, config });
  Deno.env.delete("AGENTX_TRUST");
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = ({ choices }) => choices.includes("Yes") ? "Yes" : undefined;
  await editor.execute("agentx.trust");
  const asked = editor.shown.find(({ choices }) => choices.includes("Yes"))!;
  assertHas(asked.text, "Let this repository run this from now on?");
  assertHas(asked.text, `"touch"`);
  assertEquals((await temp.json(["trust", "--print"])).isTrusted, true);
  editor.dispose();
});

Deno.test("a person accepts a step as it is, and returns an issue with a reason", async () => {
  const { temp, run } = await place({ ...GOOD, engineer: document("app.txt", "broken\n") });
  using _ = temp;
  await run();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  editor.person = ({ kind, choices }) => kind === "input" ? "It has to say hello." : choices[0];
  const find = async (name: string) => {
    for (const section of ["Ready queue", "Workflows"]) {
      const row = await at(editor, section, "#1 Make it work", name).catch(() => undefined);
      if (row !== undefined) return row;
    }
    throw new Error(`There is no ${name}`);
  };
  const step = await find("implement");
  assertEquals(step.item.contextValue, "step acceptable");
  await editor.execute("agentx.accept", step.node);
  assertEquals((await temp.json(["workflow", "1"])).steps[3].state, "done");
  await editor.execute("agentx.return", (await find("implement")).node);
  const { issue } = await temp.json(["issue", "view", "1"]);
  assert(issue.labels.includes("needs:changes"));
  assertHas(JSON.stringify(issue.comments), "It has to say hello.");
  editor.dispose();
});

Deno.test("a person writes an issue and claims it", async () => {
  using temp = new TempWorkspace();
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  const typed = ["Add a health endpoint", "GET /health says ok."];
  editor.person = ({ kind, choices }) =>
    kind === "input" ? typed.shift() : choices.find((each) => each === "story") ?? choices[0];
  await editor.execute("agentx.newIssue");
  const { issue } = await temp.json(["issue", "view", "1"]);
  assertEquals([issue.title, issue.body, issue.labels], [
    "Add a health endpoint",
    "## Acceptance criteria\n\n- [ ] GET /health says ok.",
    ["type:story"],
  ]);
  await editor.execute("agentx.claim");
  const { issue: claimed } = await temp.json(["issue", "view", "1"]);
  assert(claimed.assignee !== null);
  editor.dispose();
});

for (const [index, hostile] of HOSTILE.entries()) {
  Deno.test(`hostile text ${index} is no icon, link or control in the Work view`, async () => {
    using temp = new TempWorkspace();
    plant(temp, hostile);
    const editor = new FakeEditor(temp.root);
    await editor.activate();
    const look = async (row?: Row): Promise<string[]> => {
      const rows = await editor.rows(VIEW, row);
      const below = await Promise.all(
        rows.filter(({ item }) => item.collapsibleState > 0).map((each) => look(each)),
      );
      return [
        ...rows.flatMap(({ item }) => [item.label, item.description, item.tooltip]),
        ...below.flat(),
      ];
    };
    for (const text of await look()) {
      assert(text === undefined || typeof text === "string");
      assertInert(text ?? "");
    }
    editor.dispose();
  });
}
