/**
 * The chat participant, the model of our own and the preset `vscode`, with a hand-made `vscode`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { assertHas } from "../board/temp_board.ts";
import { HOSTILE, plant } from "../board/hostile_state.ts";
import { repository, scriptedClaude } from "../pipeline/feature.ts";
import { ADR_ARCHITECT, ASK, TempWorkspace, type TempWorkspaceOptions } from "../temp_workspace.ts";
import { FakeEditor, FakeModel } from "./fake_vscode.ts";

async function opened(temp: TempWorkspace): Promise<FakeEditor> {
  const editor = new FakeEditor(temp.root);
  await editor.activate();
  return editor;
}

function withIssue(options: TempWorkspaceOptions = {}): TempWorkspace {
  const temp = new TempWorkspace(options);
  const issue = { number: 42, title: "Health endpoint", labels: ["type:story"], comments: [] };
  temp.write(".agentx/issues/42.json", JSON.stringify(issue));
  temp.write(
    "docs/adr/ADR-42.md",
    "Decision: Repository pattern with environment-based adapter.\n",
  );
  return temp;
}

const IMPLEMENT = "Implement the health endpoint for issue #42";

Deno.test("@agentx: commands show what the command line prints, in a fence", async () => {
  using temp = withIssue();
  await temp.run(["memory", "note", "--agent", "engineer", "-i", "42", "We cache for a minute"]);
  const editor = await opened(temp);
  const cases: [command: string, prompt: string, shown: string][] = [
    ["ready", "", "#42"],
    ["status", "", "Ready"],
    ["deps", "#42", "#42"],
    ["workflow", "story", "implement"],
    ["clarify", "", "No active clarifications."],
    ["memory", "cache", "We cache for a minute"],
    ["digest", "", "DIGEST-"],
  ];
  for (const [command, prompt, shown] of cases) {
    const { text } = await editor.chat(prompt, { command });
    assert(/^(`{3,})text\n[^]*\n\1\n\n$/.test(text), text);
    assertHas(text, shown);
  }
  const { text } = await editor.chat("", { command: "deps" });
  assertHas(text, "N");
  editor.dispose();
});

Deno.test("@agentx /clarify asks, shows the rounds of the documents, and resolves", async () => {
  using temp = withIssue({ agents: { architect: ADR_ARCHITECT } });
  const editor = await opened(temp);
  const asked = await editor.chat("ask architect #42 Which database?", { command: "clarify" });
  assertHas(asked.text, "-> Architect] Clarification needed (CLR-42-001):\n  Which database?");
  assertHas(asked.text, "[Architect] Repository pattern with environment-based adapter.");
  const resolved = await editor.chat("resolve CLR-42-001 Adapter.", { command: "clarify" });
  assertHas(resolved.text, "CLR-42-001");
  assertEquals(temp.ledger().clarifications[0].status, "resolved");
  const shown = await editor.chat("#42", { command: "clarify" });
  assertHas(shown.text, "Clarification resolved. Continuing...");
  editor.dispose();
});

Deno.test("@agentx: the example of the documents, with a model of the editor", async () => {
  using temp = withIssue({ agents: { architect: ADR_ARCHITECT } });
  const editor = await opened(temp);
  const model = new FakeModel([
    { text: "Implementing...", calls: [["read_file", { path: "docs/adr/ADR-42.md" }]] },
    {
      calls: [["request_clarification", {
        to: "architect",
        topic: "Database layer",
        question: "Should I create a dual-adapter or migrate everything?",
      }]],
    },
    { text: "The endpoint is there." },
  ]);
  const { text } = await editor.chat(IMPLEMENT, { model });
  const order = [
    "It is the turn of ` engineer `",
    "[Engineer] Implementing...",
    "[Engineer -> Architect] Clarification needed (CLR-42-001):",
    "Should I create a dual-adapter or migrate everything?",
    "[Architect] Repository pattern with environment-based adapter.",
    "[Engineer] Clarification resolved. Continuing...",
    "Loop complete:",
  ];
  let from = 0;
  for (const part of order) {
    const at = text.indexOf(part, from);
    assert(at >= from, `${part} in ${text}`);
    from = at;
  }
  assertEquals(temp.ledger().clarifications[0].status, "resolved");
  editor.dispose();
});

Deno.test("@agentx: a session that waits for an answer continues by a follow-up", async () => {
  using temp = withIssue();
  const editor = await opened(temp);
  const model = new FakeModel([
    {
      calls: [["request_clarification", {
        to: "architect",
        topic: "Database",
        question: "Which one?",
      }]],
    },
    { text: "Done with it." },
  ]);
  const first = await editor.chat(IMPLEMENT, { model });
  assertEquals(first.buttons.map(({ command }) => command), ["agentx.answer"]);
  await temp.run(["answer", "CLR-42-001", "SQLite."], { terminal: true });
  const [{ prompt }] = first.followUps;
  const second = await editor.chat(prompt, { model });
  assertHas(second.text, "Done with it.");
  assertHas(JSON.stringify(model.asked.at(-1)), "SQLite.");
  editor.dispose();
});

Deno.test("@agentx: Cancel stops the session, which can be resumed", async () => {
  using temp = withIssue();
  const editor = await opened(temp);
  const model = new FakeModel([{ text: "Never." }]);
  model.sendRequest = () => {
    editor.cancelled.fire();
    return new Promise(() => {});
  };
  const { text } = await editor.chat(IMPLEMENT, { model });
  assertHas(text, "It is the turn of");
  const folder = `${temp.root}/.agentx/state/transcripts`;
  assertEquals(
    Array.from(Deno.readDirSync(folder)).filter(({ name }) => name.endsWith(".jsonl")).length,
    1,
  );
  editor.dispose();
});

Deno.test("@agentx without a model names the role, and offers its own agent", async () => {
  using temp = withIssue();
  const editor = await opened(temp);
  const { text, buttons } = await editor.chat(IMPLEMENT);
  assertHas(text, "It is the turn of ` engineer `");
  assertEquals(buttons.map(({ command }) => command), ["agentx.runStep"]);
  const none = await editor.chat("Hello");
  assertHas(none.text, "Name an issue");
  editor.dispose();
});

Deno.test("/workflow with a request creates the issue by a click, and asks before its step runs", async () => {
  const temp = await repository();
  using _ = temp;
  await scriptedClaude(temp);
  const editor = await opened(temp);
  const { buttons: [button] } = await editor.chat("feature Add a health endpoint", {
    command: "workflow",
  });
  assertEquals((await temp.json(["issue", "list"])).issues.length, 1);
  await editor.execute(button.command, ...button.arguments);
  assertEquals((await temp.json(["issue", "view", "2"])).issue.title, "Add a health endpoint");
  assertHas(editor.shown[0].text, "does prd of #2: about");
  assertEquals((await temp.json(["workflow", "2"])).steps[0].state, "ready");
  editor.dispose();
});

Deno.test("a model of the editor answers questions of the preset vscode while the editor serves", async () => {
  using temp = withIssue({ config: { agents: { architect: { preset: "vscode" } } } });
  const ran = await temp.run(ASK);
  assertEquals(ran.code, 7);
  assertHas(ran.out + ran.err, "no window of it serves here");
  const editor = await opened(temp);
  editor.models = [new FakeModel([{ text: "PostgreSQL, by the model of the editor." }])];
  const serving = editor.execute("agentx.serve");
  await editor.until(() => temp.ledger().clarifications[0].status === "answered");
  assertEquals(
    temp.ledger().clarifications[0].thread.at(-1)!.body,
    "PostgreSQL, by the model of the editor.",
  );
  editor.cancelled.fire();
  await serving;
  editor.dispose();
});

Deno.test("the model of our own answers from the workspace, and calls no provider", async () => {
  using temp = withIssue();
  const editor = await opened(temp);
  const provider = editor.made.get("model agentx");
  assertEquals(provider.provideLanguageModelChatInformation().length, 1);
  const said: string[] = [];
  const { LanguageModelTextPart: Text } = editor.vscode;
  const respond = async (text: string) => {
    const messages = [{ content: [new Text(text)] }];
    const token = { onCancellationRequested: editor.cancelled.event };
    const progress = { report: ({ value }: { value: string }) => said.push(value) };
    await provider.provideLanguageModelChatResponse({}, messages, {}, progress, token);
  };
  await respond("What is going on?");
  assertHas(said.join(""), "Ready");
  await respond("/deps 42");
  assertHas(said.join(""), "#42");
  editor.dispose();
});

Deno.test("@agentx runs nothing in a restricted window", async () => {
  using temp = withIssue();
  const editor = await opened(temp);
  editor.isTrusted = false;
  const before = editor.calls.length;
  const { text } = await editor.chat(IMPLEMENT, { model: new FakeModel([{ text: "No." }]) });
  assertHas(text, "restricted");
  assertEquals(editor.calls.length, before);
  editor.dispose();
});

for (const [index, hostile] of HOSTILE.entries()) {
  Deno.test(`hostile text ${index} stays in the fences of a chat`, async () => {
    using temp = new TempWorkspace();
    plant(temp, hostile);
    const editor = await opened(temp);
    for (const [command, prompt] of [["status"], ["ready"], ["clarify", "#42"], ["deps", "42"]]) {
      const { text } = await editor.chat(prompt ?? "", { command });
      for (const part of text.trim().split(/\n\n(?=`{3,}text\n)/)) {
        const [, fence, inside] = /^(`{3,})text\n([^]*)\n\1$/.exec(part) ?? [];
        assert(
          inside !== undefined && !inside.split("\n").some((line) => line.trim() === fence),
          text,
        );
      }
    }
    editor.dispose();
  });
}
