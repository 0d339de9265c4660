// Notifies the person of new inbox entries, with their options as buttons. A setting turns this off.

import { agentLabel } from "../text/agent_label.ts";
import { answering, decideItem, give } from "./decide.ts";
import { type Editor, plain } from "./editor.ts";
import type { InboxItem, WindowInbox } from "./inbox.ts";

/** Maximum number of separate notifications. More entries at once share one notification. */
const MAX_AT_ONCE = 3;

/** Maximum width of a button. The editor would cut off longer texts. */
const BUTTON_COLUMNS = 40;

/** Maximum number of options to show as buttons of a notification. */
const MAX_BUTTONS = 3;

const OPEN = "Open Inbox";
const MORE = "Answer...";

/** Shows notifications for the new entries of an inbox. */
export function notifyOf(editor: Editor, inbox: WindowInbox): void {
  const { vscode } = editor;
  inbox.onChange(async (news) => {
    if (news.length === 0 || !vscode.workspace.isTrusted) return;
    if (!vscode.workspace.getConfiguration("agentx").get("notifications", true)) return;
    if (news.length <= MAX_AT_ONCE) { for (const one of news) notify(editor, inbox, one); }
    else if (
      await vscode.window.showInformationMessage(`${news.length} things wait for you`, OPEN)
    ) {
      await vscode.commands.executeCommand("agentx.openInbox");
    }
  });
}

async function notify(editor: Editor, inbox: WindowInbox, waiting: InboxItem): Promise<void> {
  const { place, entry } = waiting;
  const { id, agent, topic, options } = entry;
  const where = editor.places().length > 1 ? ` in ${place.name}` : "";
  const message = plain(`${agentLabel(agent)}${where}: ${topic} (${id})`, 300);
  const texts = options.length > MAX_BUTTONS ? [] : options.map(({ text }) => text);
  const buttons = texts.map((text) => plain(text, BUTTON_COLUMNS));
  const rest = entry.kind === "permission" ? OPEN : MORE;
  const pressed = await editor.vscode.window.showInformationMessage(message, ...buttons, rest);
  const option = options[buttons.indexOf(pressed ?? "")];
  if (option !== undefined) await give(editor, waiting, answering(entry, option.label));
  else if (pressed === OPEN) await editor.vscode.commands.executeCommand("agentx.openInbox");
  else if (pressed !== undefined) await decideItem(editor, inbox, waiting);
}
