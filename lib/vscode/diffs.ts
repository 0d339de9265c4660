// Shows changes of steps in the editor's own diff editor. A diff with the whole file as context gives both sides of
// a file.

import type * as vscode from "vscode";
import type { Diff, FileDiff } from "../git/diff.ts";
import type { Editor, EditorWorkspace } from "./editor.ts";

const SCHEME = "agentx-diff";

/** Number of context lines, more than any file has. */
const WHOLE_FILE = "1000000";

/** A changed file, and the documents with its two sides. */
export interface DiffedFile extends Pick<FileDiff, "path" | "added" | "removed"> {
  before: vscode.Uri;
  after: vscode.Uri;
}

/** Provides the documents with the sides of changed files. */
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

  /** Returns the files that a step changed. Throws `NOT_FOUND` if no agent has begun the step. */
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
 * Splits a diff into the two sides of the file.
 *
 * @param diff the output of git, with all lines of the file as context
 * @returns the file before and after; for a file that is not text, git's description of the change as `after`
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
