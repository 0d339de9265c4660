// Shows threads, observations and inbox entries as read-only documents, such as `agentx:CLR-42-001.md`. The
// documents are updated when the files of their workspace change.

import type * as vscode from "vscode";
import { renderInboxEntry } from "../inbox/render.ts";
import { makeStyle } from "../text/style.ts";
import { markdownFence } from "../text/text.ts";
import { renderThread } from "../clarify/render/threads.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import { type Editor, type EditorWorkspace, messageOf, plain, type Vscode } from "./editor.ts";
import type { Follower } from "./follower.ts";
import type { WindowInbox } from "./inbox.ts";

const SCHEME = "agentx";

/** The width is that of code lines. */
const VIEW = { style: makeStyle(false), width: 100, isPiped: true };

const THREAD = /^CLR-[1-9]\d{0,8}-\d{3,9}$/;

const OBSERVATION = /^obs-/;

/** Returns the URI of a document; its query contains the workspace. */
export function documentUri(vscode: Vscode, { root }: EditorWorkspace, id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `${id}.md`, query: root });
}

/** Returns whether a document shows an id of a workspace. */
export function isDocumentOf(
  { path, query }: vscode.Uri,
  { root }: EditorWorkspace,
  id: string,
): boolean {
  return query === root && path === `${id}.md`;
}

/** Provides the documents, and updates them when the files of their workspace change. */
export function provideDocuments(
  editor: Editor,
  inbox: WindowInbox,
  follower: Follower,
): vscode.Disposable {
  const { vscode } = editor;
  const changed = new vscode.EventEmitter<vscode.Uri>();
  follower.onChange(({ root }) => {
    const open = vscode.workspace.textDocuments.filter(({ uri }) =>
      uri.scheme === SCHEME && uri.query === root
    );
    for (const { uri } of open) changed.fire(uri);
  });
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    async provideTextDocumentContent({ path, query: root }) {
      const id = path.replace(/\.md$/, "");
      const place = editor.places().find((each) => each.root === root);
      if (place === undefined) return "This workspace is not open here.\n";
      try {
        return `# ${plain(id)}\n\n${await textOf(id, place, editor, inbox)}\n`;
      } catch (error) {
        return `${markdownFence([messageOf(error)])}\n`;
      }
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
  );
}

/** Renders a document in a fence, so that no text of an agent becomes a link, an image or a heading. */
async function textOf(
  id: string,
  place: EditorWorkspace,
  { calls }: Editor,
  inbox: WindowInbox,
): Promise<string> {
  if (THREAD.test(id)) {
    const { value } = await calls.run(["clarify", `--id=${id}`], place.root);
    const threads = value.clarifications as ClarificationRecord[];
    return markdownFence(threads.flatMap((record) => renderThread(record, VIEW).split("\n")));
  }
  if (OBSERVATION.test(id)) {
    let text = "";
    await calls.run(["memory view", "--", id], place.root, { onText: (part) => text += part });
    return markdownFence(text.trimEnd().split("\n"));
  }
  await inbox.refresh(place);
  const found = inbox.in(place).find(({ entry }) => entry.id === id);
  if (found === undefined) return "It does not wait any more.";
  return markdownFence(renderInboxEntry(found.entry, VIEW).split("\n"));
}
