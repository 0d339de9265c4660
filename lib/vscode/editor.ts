// The parts of the extension share this: the editor, which comes as an argument, and its workspaces.

import type * as vscode from "vscode";
import { terminalLine } from "../text/text.ts";
import type { Calls } from "./calls.ts";

/** The module `vscode`, as the editor gives it. */
export type Vscode = typeof vscode;

/** A workspace of ours in the window. */
export interface EditorWorkspace {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** As the window names its folder, with the path below it. */
  name: string;
}

/** One window of the editor. */
export interface Editor {
  vscode: Vscode;
  calls: Calls;
  /** The workspaces, in the order of the window's folders. */
  places(): readonly EditorWorkspace[];
}

/**
 * Text that others wrote, on one line. The editor makes links and icons of text in messages, prompts and lists, so
 * that a link could name a command: here it stays text.
 */
export function plain(text: string, maxWidth = 200): string {
  return terminalLine(text, maxWidth).replaceAll("](", "] (").replaceAll("$(", "$ (");
}

/** The command lines that errors suggest, as buttons of the editor. */
const REMEDIES: readonly (readonly [says: RegExp, button: string, command: string])[] = [
  [/agentx trust\b/, "Show What Would Run", "trust"],
  [/agentx adopt\b/, "Show What Came From Elsewhere", "adopt"],
  [/agents\.[\w-]+\.preset\b/, "Choose a Coding Agent", "chooseAgent"],
  [/agentx config\b/, "Open Settings of the Workspace", "openSettings"],
  [/agentx (?:inbox|answer)\b/, "Open Inbox", "openInbox"],
  [/agentx (?:workflow|review)\b/, "Show Workflow", "showWorkflow"],
  [/agentx doctor\b/, "Look for Problems", "doctor"],
];

/** Says why something failed, in a message that stays. */
export async function reportFailure(
  { vscode }: Pick<Editor, "vscode">,
  error: unknown,
): Promise<void> {
  const message = messageOf(error);
  const remedies = new Map(
    REMEDIES.flatMap(([says, button, command]) => says.test(message) ? [[button, command]] : []),
  );
  const pressed = await vscode.window.showErrorMessage(message, ...remedies.keys());
  const command = remedies.get(pressed ?? "");
  if (command !== undefined) await vscode.commands.executeCommand(`agentx.${command}`);
}

/** The message of an error, on one line. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return plain(message.replaceAll("\n", ". "), 400);
}
