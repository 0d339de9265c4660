// Shows the output of commands in an output channel, as plain text: no link can run a command, and no image loads.

import type * as vscode from "vscode";
import type { CallOptions } from "./calls.ts";
import type { Editor, EditorWorkspace } from "./editor.ts";

export class Channel {
  readonly #editor: Editor;
  readonly #channel: vscode.OutputChannel;
  /** The context budget of the last session in a chat, with its fresh and recalled parts. */
  budget = "";

  constructor(editor: Editor) {
    this.#editor = editor;
    this.#channel = editor.vscode.window.createOutputChannel("AgentX");
  }

  /** Runs a command and shows its output for people. */
  async show(
    { root }: EditorWorkspace,
    words: readonly [string, ...string[]],
    options: Pick<CallOptions, "isClick"> = {},
  ): Promise<void> {
    this.#channel.appendLine(`$ agentx ${words.join(" ")}`);
    this.#channel.show(true);
    const onText = (text: string) => this.#channel.append(text);
    const { said } = await this.#editor.calls.run([...words], root, { ...options, onText });
    this.#channel.appendLine(said);
  }

  /** Shows the budget of the last session. */
  showBudget(): void {
    this.#channel.appendLine(this.budget || "No session has worked in a chat of this window yet.");
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
