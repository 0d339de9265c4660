// The chat participant `@agentx`, and a model of agentx itself, so that the editor's chat works even without another
// model. Both give the same answers. Texts of others are put in fences, where they have no effect.

import type * as vscode from "vscode";
import type { LanguageModel } from "../agents/language_model.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import { renderChat } from "../clarify/render/threads.ts";
import { NEEDS_HUMAN } from "../base/errors.ts";
import { markdownFence, markdownLine } from "../text/text.ts";
import type { Channel } from "./channel.ts";
import { choosePlace, nextOf } from "./choices.ts";
import { type Editor, type EditorWorkspace, messageOf } from "./editor.ts";
import { modelOf, OWN_VENDOR } from "./vscode_model.ts";

/** Receives the parts of an answer. */
interface Answer {
  markdown(text: string): void;
  /** Adds a button that runs a command of this extension. An answer by the model of agentx itself has no buttons. */
  button(command: string, title: string, ...given: unknown[]): void;
}

/** A person's request in a chat. */
interface Asked {
  editor: Editor;
  place: EditorWorkspace;
  /** The words after the command. */
  prompt: string;
  answer: Answer;
  /** The model of the chat; undefined if the chat uses the model of agentx itself. */
  model: LanguageModel | undefined;
  signal: AbortSignal;
  channel: Channel;
}

/** The data that follow-ups are made from. */
interface Answered {
  /** Id of a session that can continue. */
  paused?: string;
}

const COMMANDS: Readonly<Record<string, (asked: Asked) => Promise<Answered | void>>> = {
  ready: async (asked) => {
    await show(asked, ["ready"]);
    asked.answer.button("claim", "Claim an issue");
  },
  status: async (asked) => {
    await show(asked, ["status"]);
    asked.answer.button("openInbox", "Open Inbox");
  },
  deps: async (asked) => await show(asked, ["issue deps", "--", ...issueIn(asked.prompt)]),
  digest: async (asked) => await show(asked, ["digest"]),
  memory: async (asked) => await show(asked, ["memory search", "--", asked.prompt]),
  workflow: startWorkflow,
  clarify,
};

/** Registers the chat participant and the model. */
export function provideChat(editor: Editor, channel: Channel): vscode.Disposable {
  const { vscode } = editor;
  const handle = async (
    { command, prompt }: { command?: string; prompt: string },
    answer: Answer,
    { model, token }: { model?: LanguageModel; token: vscode.CancellationToken },
  ): Promise<Answered> => {
    if (!vscode.workspace.isTrusted) {
      answer.markdown("This folder is restricted: AgentX runs nothing here.");
      return {};
    }
    const place = await choosePlace(editor);
    if (place === undefined) {
      answer.markdown("This window has no AgentX workspace.");
      answer.button("initialize", "Initialize Workspace");
      return {};
    }
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const { signal } = stop;
    const asked = { editor, channel, place, prompt: prompt.trim(), answer, model, signal };
    try {
      return await (COMMANDS[command ?? ""] ?? takeTurn)(asked) ?? {};
    } catch (error) {
      answer.markdown(markdownLine(messageOf(error), 400));
      return {};
    }
  };
  const participant = vscode.chat.createChatParticipant(
    "agentx.agentx",
    async (request, _, stream, token) => {
      const answer: Answer = {
        markdown: (text) => stream.markdown(`${text}\n\n`),
        button: (command, title, ...given) =>
          stream.button({ command: `agentx.${command}`, title, arguments: given }),
      };
      const model = modelOf(vscode, request.model);
      return { metadata: await handle(request, answer, { model, token }) };
    },
  );
  participant.iconPath = new vscode.ThemeIcon("comment-discussion");
  participant.followupProvider = {
    provideFollowups: ({ metadata }) => followUps(metadata as Answered | undefined),
  };
  const offered = new vscode.EventEmitter<void>();
  const own = vscode.lm.registerLanguageModelChatProvider(OWN_VENDOR, {
    onDidChangeLanguageModelChatInformation: offered.event,
    provideLanguageModelChatInformation: () => [OWN_MODEL],
    async provideLanguageModelChatResponse(_, messages, __, progress, token) {
      const text = (messages.at(-1)?.content ?? []).map((part) =>
        part instanceof vscode.LanguageModelTextPart ? part.value : ""
      ).join("");
      const [, command, rest] = /^\s*(?:@agentx\s+)?\/(\w+)\s*([^]*)$/.exec(text) ?? [];
      const answer: Answer = {
        markdown: (text) => progress.report(new vscode.LanguageModelTextPart(`${text}\n\n`)),
        button() {},
      };
      await handle({ command: command ?? "status", prompt: rest ?? "" }, answer, { token });
    },
    provideTokenCount: (_, text) =>
      Promise.resolve(Math.ceil((typeof text === "string" ? text : "").length / 4)),
  });
  offered.fire(); // the editor only looks for models when something changes
  return vscode.Disposable.from(participant, own, offered);
}

const OWN_MODEL: vscode.LanguageModelChatInformation = {
  id: "hub",
  name: "AgentX",
  family: OWN_VENDOR,
  version: "1",
  detail: "no model is called",
  tooltip: "Answers from the files of the workspace, such as /status and /ready",
  maxInputTokens: 100_000,
  maxOutputTokens: 100_000,
  capabilities: { toolCalling: true }, // the editor's chat offers only models with this capability
};

function followUps(answered: Answered | undefined): vscode.ChatFollowup[] {
  const { paused } = answered ?? {};
  return [
    ...paused === undefined ? [] : [{ prompt: `continue ${paused}`, label: "Continue" }],
    { prompt: "", command: "status", label: "What is going on?" },
    { prompt: "", command: "clarify", label: "Which questions are open?" },
    { prompt: "", command: "ready", label: "What can be worked on?" },
  ];
}

/** Shows a command's output for people. */
async function show(
  { editor, place, answer, signal }: Asked,
  words: [string, ...string[]],
): Promise<void> {
  let text = "";
  const onText = (part: string) => text += part;
  const { said } = await editor.calls.run(words, place.root, { isClick: true, onText, signal });
  const lines = [text, said].flatMap((each) =>
    each.trim() === "" ? [] : each.trimEnd().split("\n")
  );
  answer.markdown(lines.length === 0 ? "Nothing." : markdownFence(lines));
}

function issueIn(text: string): string[] {
  const [, number] = /#?\b([1-9]\d{0,8})\b/.exec(text) ?? [];
  return number === undefined ? [] : [number];
}

/**
 * Shows the workflow `TYPE`. If a request follows, offers a button that creates an issue for the request. The button
 * asks again before the first step runs.
 */
async function startWorkflow(asked: Asked): Promise<void> {
  const [, type = "", request = ""] = /^(\S*)\s*([^]*)$/.exec(asked.prompt) ?? [];
  await show(asked, ["workflow", ...type === "" ? [] : ["--", type]]);
  if (request === "") return;
  asked.answer.markdown(
    "The button creates the issue. Before an agent starts, you see which one and about what it costs.",
  );
  asked.answer.button("startWorkflow", "Create and start", asked.place, type, request);
}

async function clarify(asked: Asked): Promise<void> {
  const { editor, place, prompt, answer, signal } = asked;
  const { calls } = editor;
  const [, verb, name, text = ""] = /^(ask|resolve)\s+(\S+)\s*([^]*)$/.exec(prompt) ?? [];
  if (verb === "resolve") return await show(asked, ["clarify resolve", "--", name, text]);
  if (verb === "ask") {
    const [issue] = issueIn(text);
    if (issue === undefined) {
      return answer.markdown("Name its issue: `/clarify ask ROLE #42 QUESTION`");
    }
    const question = text.replace(/#?\b\d+\b[\s:,]*/, "");
    const next = await nextOf(editor, { place, issue: Number(issue) });
    if (next === undefined) return answer.markdown(`No role has to act on #${issue}.`);
    const words = [`--issue=${issue}`, `--from=${next.agent}`, "--", name, question] as const;
    const { value } = await calls.run(["ask", ...words], place.root, { isClick: true, signal });
    return showThread(value.clarification as ClarificationRecord, answer);
  }
  const [issue] = issueIn(prompt);
  if (issue === undefined) return await show(asked, ["clarify"]);
  const { value } = await calls.run(["clarify", `--issue=${issue}`], place.root);
  const threads = value.clarifications as ClarificationRecord[];
  if (threads.length === 0) answer.markdown(`Issue #${issue} has no clarifications.`);
  for (const record of threads) showThread(record, answer);
}

function showThread(record: ClarificationRecord, answer: Answer): void {
  answer.markdown(renderChat(record).trimEnd());
  if (["pending", "stale", "escalated"].includes(record.status)) {
    answer.button("answer", "Answer...");
  }
}

/** Handles a request without a command: the role of the next step does it, with the model of the chat. */
async function takeTurn(asked: Asked): Promise<Answered> {
  const { editor, place, prompt, answer, model } = asked;
  const [, session] = /^continue (\S+)$/.exec(prompt) ?? [];
  if (session !== undefined) return await work(asked, [`--resume=${session}`]);
  const [issue] = issueIn(prompt);
  if (issue === undefined) {
    answer.markdown("Name an issue, such as `#42`, or use one of the commands.");
    return {};
  }
  const next = await nextOf(editor, { place, issue: Number(issue) });
  if (next === undefined) {
    answer.markdown(`No role has to act on #${issue}.`);
    return {};
  }
  answer.markdown(`It is the turn of ${markdownLine(next.agent)}, for ${markdownLine(next.step)}.`);
  if (model === undefined) {
    answer.markdown("This chat has no language model; its own agent can do the step.");
    answer.button("runStep", "Run Next Step", { place, issue: Number(issue) });
    return {};
  }
  return await work(asked, [`--issue=${issue}`, "--", next.agent, prompt]);
}

/** Runs a session, and streams its steps. */
async function work(asked: Asked, words: string[]): Promise<Answered> {
  const { editor: { calls }, channel, place, answer, model, signal } = asked;
  let session: string | undefined;
  const onText = (text: string) => {
    session ??= /^.*\(session ([\w.-]+)\)/.exec(text)?.[1]; // the line with the session comes first
    const [budget] = /^Context budget: [^]*/m.exec(text) ?? [];
    if (budget !== undefined) channel.budget = budget;
    if (text.trim() !== "") answer.markdown(markdownFence(text.trim().split("\n")));
  };
  const options = { isClick: true, onText, model, signal };
  const { code, said } = await calls.run(["run", ...words], place.root, options);
  if (said.trim() !== "") answer.markdown(markdownFence(said.trim().split("\n")));
  if (code !== NEEDS_HUMAN) return {};
  answer.button("answer", "Answer...");
  return { paused: session };
}
