// Lets the person decide an inbox entry: with one of its options, or in their own words.

import { type InboxEntry, takesWords } from "../inbox/entry.ts";
import { type Editor, plain, reportFailure } from "./editor.ts";
import type { InboxItem, WindowInbox } from "./inbox.ts";

/** How long the status bar shows a decision. */
const SHOWN_MS = 5_000;

/** The arguments of `agentx answer`. */
type Answer = readonly string[];

interface Choice {
  label: string;
  description?: string;
  detail?: string;
  /** Returns the answer; undefined if the person cancels. */
  answer(): Answer | undefined | Promise<Answer | undefined>;
}

/** Lets the person decide an entry. If no entry is given, the person chooses one first. */
export async function decideItem(
  editor: Editor,
  inbox: WindowInbox,
  given?: InboxItem,
): Promise<void> {
  const { vscode } = editor;
  const waiting = given ?? await chooseEntry(editor, inbox);
  if (waiting === undefined) return;
  const { entry } = waiting;
  if (entry.kind === "permission") {
    await vscode.window.showInformationMessage(plain(entry.content.replaceAll("\n", " "), 400));
    return;
  }
  const title = plain(`${entry.id}: ${entry.topic}`);
  const choices = choicesOf(editor, entry);
  const chosen = choices.length === 1
    ? choices[0]
    : await vscode.window.showQuickPick(choices, { title, placeHolder: "How do you decide?" });
  const answer = await chosen?.answer();
  if (answer !== undefined) await give(editor, waiting, answer);
}

/** Gives an answer to an entry. */
export async function give(
  editor: Editor,
  { place, entry }: InboxItem,
  answer: Answer,
): Promise<void> {
  const { vscode, calls } = editor;
  try {
    await calls.run(["answer", ...answer], place.root, { isClick: true });
    vscode.window.setStatusBarMessage(`AgentX: ${plain(entry.id)} is decided`, SHOWN_MS);
  } catch (error) {
    await reportFailure(editor, error); // somebody else may have decided the entry meanwhile
  }
}

/** Returns the arguments that answer an entry with a text. */
export function answering({ id }: InboxEntry, text: string): Answer {
  return ["--", id, text];
}

async function chooseEntry({ vscode }: Editor, inbox: WindowInbox): Promise<InboxItem | undefined> {
  const rows = inbox.all().map((waiting) => {
    const { id, kind, topic } = waiting.entry;
    return { label: plain(topic), description: plain(`${id}, ${kind}`), waiting };
  });
  const title = rows.length === 0 ? "Nothing waits for you" : "What do you decide?";
  return (await vscode.window.showQuickPick(rows, { title, matchOnDescription: true }))?.waiting;
}

function choicesOf({ vscode }: Editor, entry: InboxEntry): Choice[] {
  const letters = entry.options.map(({ label, text, isFallback }): Choice => ({
    label: plain(text),
    description: isFallback ? `${label}, taken if nobody answers` : label,
    answer: () => answering(entry, label),
  }));
  const words: Choice = {
    label: "In my own words...",
    async answer() {
      const title = plain(`${entry.id}: ${entry.topic}`);
      const text = await vscode.window.showInputBox({ title, ignoreFocusOut: true });
      return text?.trim() ? answering(entry, text) : undefined;
    },
  };
  const nothing: Choice = {
    label: "Do not answer",
    detail: entry.options.some(({ isFallback }) => isFallback)
      ? "The agent continues with the fallback"
      : "Nothing is assumed",
    answer: () => ["--decline", "--", entry.id],
  };
  return [
    ...letters,
    ...takesWords(entry) ? [words] : [],
    ...entry.kind === "question" ? [nothing] : [],
  ];
}
