// The types and functions that all parts of the extension use. The module `vscode` is passed as an argument.

import type * as vscode from "vscode";
import { terminalLine } from "../text/text.ts";
import type { Calls } from "./calls.ts";

/** The module `vscode`, as the editor provides it. */
export type Vscode = typeof vscode;

/** A workspace of agentx in the editor window. */
export interface EditorWorkspace {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** Name of the window's folder, followed by the path below it. */
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
 * Returns a text of others as one line of plain text. The editor turns some text in messages, prompts and lists into
 * links and icons, and a link could run a command.
 */
export function plain(text: string, maxWidth = 200): string {
  return terminalLine(text, maxWidth).replaceAll("](", "] (").replaceAll("$(", "$ (");
}

/** Buttons for the command lines that error messages suggest. */
const REMEDIES: readonly (readonly [says: RegExp, button: string, command: string])[] = [
  [/agentx trust\b/, "Show What Would Run", "trust"],
  [/agentx adopt\b/, "Show What Came From Elsewhere", "adopt"],
  [/agents\.[\w-]+\.preset\b/, "Choose a Coding Agent", "chooseAgent"],
  [/agentx config\b/, "Open Settings of the Workspace", "openSettings"],
  [/agentx (?:inbox|answer)\b/, "Open Inbox", "openInbox"],
  [/agentx (?:workflow|review)\b/, "Show Workflow", "showWorkflow"],
  [/agentx doctor\b/, "Look for Problems", "doctor"],
];

/** Shows why something failed, in a message that remains until it is closed. */
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

/** Returns the message of an error, on one line. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return plain(message.replaceAll("\n", ". "), 400);
}
