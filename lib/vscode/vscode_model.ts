// Adapts a model of the editor to the interface that loops and presets of agentx use.

import type * as vscode from "vscode";
import type {
  LanguageModel,
  ModelCall,
  ModelMessage,
  ModelRequest,
  ModelTurn,
} from "../agents/language_model.ts";
import { isObject } from "../base/checks.ts";
import type { Vscode } from "./editor.ts";

/** The vendor of the extension's own model, which does not answer for agents. */
export const OWN_VENDOR = "agentx";

/** @returns the model for an agent; undefined for the extension's own model, or if there is no model */
export function modelOf(
  vscode: Vscode,
  chat: vscode.LanguageModelChat | undefined,
): LanguageModel | undefined {
  if (chat === undefined || chat.vendor === OWN_VENDOR) return undefined;
  return { name: chat.name, respond: (request) => respond(vscode, chat, request) };
}

async function respond(
  vscode: Vscode,
  chat: vscode.LanguageModelChat,
  { system, messages, tools, signal }: ModelRequest,
): Promise<ModelTurn> {
  const stop = new vscode.CancellationTokenSource();
  const cancel = () => stop.cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    const { User } = vscode.LanguageModelChatMessage;
    const sent = [
      ...system === "" ? [] : [User(system)],
      ...messages.map((one) => toChat(vscode, one)),
    ];
    const offers = tools.map(({ name, description, input }) => ({
      name,
      description,
      inputSchema: input,
    }));
    const { stream } = await chat.sendRequest(sent, { tools: offers }, stop.token);
    let text = "";
    const calls: ModelCall[] = [];
    for await (const part of stream) {
      if (part instanceof vscode.LanguageModelTextPart) text += part.value;
      if (part instanceof vscode.LanguageModelToolCallPart) {
        const { callId: id, name, input } = part;
        calls.push({ id, name, input: isObject(input) ? input : JSON.stringify(input) });
      }
    }
    return { text, calls };
  } finally {
    signal?.removeEventListener("abort", cancel);
    stop.dispose();
  }
}

function toChat(vscode: Vscode, message: ModelMessage): vscode.LanguageModelChatMessage {
  const { LanguageModelChatMessage: Message, LanguageModelTextPart: Text } = vscode;
  if (message.role === "user") return Message.User(message.text);
  if (message.role === "tool") {
    const { callId, text } = message;
    return Message.User([new vscode.LanguageModelToolResultPart(callId, [new Text(text)])]);
  }
  return Message.Assistant([
    ...message.text === "" ? [] : [new Text(message.text)],
    ...message.calls.map(({ id, name, input }) =>
      new vscode.LanguageModelToolCallPart(id, name, isObject(input) ? input : {})
    ),
  ]);
}
