// The extension for VS Code: it shows the content of `.agentx/`, and runs commands when a person clicks. In a
// restricted window it only shows.

import type * as vscode from "vscode";
import type { ClarificationRecord } from "../clarify/schema.ts";
import { Calls } from "./calls.ts";
import { provideChat } from "./chat.ts";
import { Channel } from "./channel.ts";
import { decideItem } from "./decide.ts";
import { Diffs } from "./diffs.ts";
import { documentUri, isDocumentOf, provideDocuments } from "./documents.ts";
import { type Editor, type EditorWorkspace, plain, reportFailure, type Vscode } from "./editor.ts";
import { Follower } from "./follower.ts";
import { type InboxItem, WindowInbox } from "./inbox.ts";
import { showInbox } from "./inbox_view.ts";
import { memoryCommands } from "./memory_commands.ts";
import { showMemory } from "./memory_view.ts";
import { ThinkingLog } from "./thinking_log.ts";
import { provideServers } from "./mcp.ts";
import type { FromHub, Port, ToHub } from "./messages.ts";
import { notifyOf } from "./notices.ts";
import { findPlaces } from "./places.ts";
import { workCommands } from "./work_commands.ts";
import { workspaceCommands } from "./workspace_commands.ts";
import { showWork } from "./work_view.ts";

/** The parameters of {@linkcode activate}, from the editor and from the script that loads this module. */
export interface Activation {
  vscode: Vscode;
  context: Pick<vscode.ExtensionContext, "subscriptions">;
  /** The connection to the thread that runs command lines. */
  port: Port<ToHub, FromHub>;
  /** The program and arguments that start agentx. */
  program: readonly string[];
}

/** Starts the extension, and returns once the workspaces of the window are read. */
export async function activate({ vscode, context, port, program }: Activation): Promise<void> {
  const calls = new Calls(port, (text) => askPerson(vscode, text));
  let places: readonly EditorWorkspace[] = [];
  const editor: Editor = { vscode, calls, places: () => places };
  const inbox = new WindowInbox(editor);
  const follower = new Follower(vscode);
  const diffs = new Diffs(editor);
  const channel = new Channel(editor);
  const thinking = new ThinkingLog(editor, follower);
  const servers = provideServers(editor, program);
  const found = vscode.workspace.createFileSystemWatcher("**/.agentx/config.json", false, true);
  const look = async () => {
    places = await findPlaces(vscode, calls, (error) => reportFailure(editor, error));
    follower.follow(places);
    servers.changed();
    await vscode.commands.executeCommand("setContext", "agentx.hasWorkspace", places.length > 0);
    await vscode.commands.executeCommand("setContext", "agentx.hasRoles", await haveRoles(editor));
    await Promise.all(places.map((place) => inbox.refresh(place)));
  };
  follower.onChange((place) => inbox.refresh(place));
  notifyOf(editor, inbox);
  found.onDidCreate(look);
  found.onDidDelete(look);
  context.subscriptions.push(
    follower,
    servers,
    found,
    showInbox(editor, inbox),
    showWork(editor, diffs, follower),
    showMemory(editor, follower),
    diffs.provide(),
    channel,
    thinking,
    provideChat(editor, channel),
    provideDocuments(editor, inbox, follower),
    vscode.workspace.onDidChangeWorkspaceFolders(look),
    vscode.workspace.onDidGrantWorkspaceTrust(look),
    vscode.workspace.onDidChangeConfiguration((event) =>
      ["agentx.rootPath", "agentx.searchDepth"].some((key) => event.affectsConfiguration(key)) &&
      look()
    ),
    ...Object.entries({
      ...trusting(editor, {
        ...workCommands(editor, diffs),
        ...memoryCommands(editor, channel),
        ...workspaceCommands(editor, channel),
        answer: (given?: InboxItem | vscode.Uri) =>
          decideItem(editor, inbox, waitingFor(inbox, given)),
        initialize: () => initialize(editor),
      }),
      openInbox: () => vscode.commands.executeCommand("agentx.inbox.focus"),
      openThread: () => openThread(editor).catch((error) => reportFailure(editor, error)),
      showLog: () => thinking.open().catch((error) => reportFailure(editor, error)),
    }).map(([name, run]) => vscode.commands.registerCommand(`agentx.${name}`, run)),
  );
  await look();
}

/** The implementation of an editor command. A row of a view passes its node. */
type Run = (...given: never[]) => Promise<unknown>;

/** Wraps commands that change something, so that they run nothing in a restricted window. */
function trusting(editor: Editor, commands: Readonly<Record<string, Run>>): Record<string, Run> {
  const { vscode } = editor;
  const trusted = (run: Run): Run => async (...given) => {
    if (vscode.workspace.isTrusted) {
      return await run(...given).catch((error) => reportFailure(editor, error));
    }
    const manage = "Manage Trust";
    const message = "This folder is restricted: AgentX shows it and runs nothing.";
    if (await vscode.window.showWarningMessage(message, manage) === manage) {
      await vscode.commands.executeCommand("workbench.trust.manage");
    }
  };
  return Object.fromEntries(
    Object.entries(commands).map(([name, run]) => [name, trusted(run)]),
  );
}

/**
 * Returns whether a workspace has roles of its own. If so, the editor would show the roles of the extension as
 * duplicates.
 */
async function haveRoles({ vscode, places }: Editor): Promise<boolean> {
  const { Uri, workspace } = vscode;
  const has = places().map(({ root }) =>
    workspace.fs.stat(Uri.file(`${root}/.github/agents`)).then(() => true, () => false)
  );
  return (await Promise.all(has)).includes(true);
}

async function initialize({ vscode, calls }: Editor): Promise<void> {
  const folder = await chooseFolder(vscode);
  if (folder === undefined) return;
  const { value } = await calls.run(["init"], folder, { isClick: true });
  const files = (value.files as { action: string }[]).filter(({ action }) => action !== "keep");
  if (files.length === 0) return;
  const message = "This is a workspace now. Commit its files: agents work on what is committed.";
  const commit = "Open Source Control";
  if (await vscode.window.showInformationMessage(message, commit) === commit) {
    await vscode.commands.executeCommand("workbench.view.scm");
  }
}

async function openThread({ vscode, calls, places }: Editor): Promise<void> {
  const all = await Promise.all(
    places().map(async (place) => {
      const { value } = await calls.run(["clarify", "--limit", "1000"], place.root);
      return (value.clarifications as ClarificationRecord[]).map(({ id, topic, status }) => ({
        label: plain(id),
        description: plain(`${status}: ${topic}`),
        uri: documentUri(vscode, place, id),
      }));
    }),
  );
  const chosen = await vscode.window.showQuickPick(all.flat(), { title: "Open a thread" });
  if (chosen !== undefined) await vscode.commands.executeCommand("vscode.open", chosen.uri);
}

async function chooseFolder(vscode: Vscode): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const chosen = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  return chosen?.uri.fsPath;
}

/** Returns the inbox item of a row, or of an open document. */
function waitingFor(inbox: WindowInbox, given?: InboxItem | vscode.Uri): InboxItem | undefined {
  if (given === undefined || "entry" in given) return given;
  return inbox.all().find(({ place, entry }) => isDocumentOf(given, place, entry.id));
}

/** Asks the person a command's question. Closing a yes-or-no question means no. */
async function askPerson(vscode: Vscode, text: string): Promise<string> {
  const [, question] = /^([^]*?)\s*\[y\/N\]\s*$/.exec(text) ?? [];
  if (question === undefined) {
    const prompt = plain(text.replaceAll("\n", " "), 1_000);
    return await vscode.window.showInputBox({ prompt, ignoreFocusOut: true }) ?? "";
  }
  const lines = question.trim().split("\n").map((line) => plain(line.trim()));
  const options = { modal: true, detail: lines.slice(0, -1).join("\n") };
  const answer = await vscode.window.showWarningMessage(lines.at(-1)!, options, "Yes");
  return answer === "Yes" ? "y" : "n";
}
