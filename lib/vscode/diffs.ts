// Changes of steps in the editor's own diff editor: both sides of a file come from a diff that shows the whole file.

import type * as vscode from "vscode";
import type { Diff, FileDiff } from "../git/diff.ts";
import type { Editor, EditorWorkspace } from "./editor.ts";

const SCHEME = "agentx-diff";

/** More lines than a file has. */
const WHOLE_FILE = "1000000";

/** A changed file and where its two sides can be opened. */
export interface DiffedFile extends Pick<FileDiff, "path" | "added" | "removed"> {
  before: vscode.Uri;
  after: vscode.Uri;
}

/** The changes of steps that were looked at. */
export class Diffs {
  readonly #editor: Editor;
  readonly #texts = new Map<string, string>();

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  provide(): vscode.Disposable {
    return this.#editor.vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => this.#texts.get(`${uri}`) ?? "",
    });
  }

  /** The files that a step changed. Throws `NOT_FOUND` where no agent has begun it. */
  async of({ root }: EditorWorkspace, issue: number, step: string): Promise<DiffedFile[]> {
    const { calls, vscode } = this.#editor;
    const words = ["--diff", "--context", WHOLE_FILE, "--", `${issue}`, step];
    const { value } = await calls.run(["review", ...words], root);
    return (value as unknown as Diff).files.map(({ path, added, removed, diff }) => {
      const sides = sidesOf(diff);
      const [before, after] = (["before", "after"] as const).map((side) => {
        const query = JSON.stringify([root, issue, step, side]);
        const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${path}`, query });
        this.#texts.set(`${uri}`, sides[side]);
        return uri;
      });
      return { path, added, removed, before, after };
    });
  }
}

/**
 * @param diff as git prints it, with all lines of the file
 * @returns the file before and after; what git says of it where it is not text
 */
export function sidesOf(diff: string): { before: string; after: string } {
  const start = diff.search(/^@@/m);
  if (start < 0) return { before: "", after: diff.split("\n").slice(1).join("\n") };
  const sides = { before: [] as string[], after: [] as string[] };
  for (const line of diff.slice(start).replace(/\n$/, "").split("\n")) {
    if (/^[ -]/.test(line)) sides.before.push(line.slice(1));
    if (/^[ +]/.test(line)) sides.after.push(line.slice(1));
  }
  return { before: textOf(sides.before), after: textOf(sides.after) };
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
