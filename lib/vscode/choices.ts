// Asks the person before a command runs: for a workspace, for an issue, or for consent.

import type { IssueRow } from "../work/issue/row.ts";
import type { Route } from "../work/route/route.ts";
import { type Editor, type EditorWorkspace, plain } from "./editor.ts";
import type { IssueNode, StepNode } from "./work_view.ts";

/** An issue that a command is about. */
export interface OfIssue {
  place: EditorWorkspace;
  issue: number;
}

/** The node that a command gets from the button of a row; undefined from the Command Palette. */
export type GivenNode = IssueNode | StepNode | OfIssue | undefined;

/** Shows progress while `run` is running, with a button to cancel it. */
export async function withCancel<T>(
  { vscode }: Editor,
  title: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  const options = { location, title: plain(title), cancellable: true };
  return await vscode.window.withProgress(options, async (_, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    return await run(stop.signal);
  });
}

/** Asks in a modal dialog, and returns whether the person presses the button. */
export async function agreesTo(
  { vscode }: Editor,
  question: string,
  button: string,
  detail?: string,
): Promise<boolean> {
  const options = { modal: true, detail };
  return await vscode.window.showInformationMessage(plain(question), options, button) === button;
}

/** Returns the only workspace, or lets the person choose one. */
export async function choosePlace(
  { vscode, places }: Editor,
): Promise<EditorWorkspace | undefined> {
  const all = places();
  if (all.length < 2) return all[0];
  const rows = all.map((place) => ({ label: plain(place.name), place }));
  return (await vscode.window.showQuickPick(rows, { title: "In which workspace?" }))?.place;
}

/** Returns the issue of a row, or lets the person choose an open one. */
export async function chooseIssue(
  editor: Editor,
  given: GivenNode,
  title: string,
): Promise<OfIssue | undefined> {
  if (given !== undefined) {
    const { place, issue } = given;
    return { place, issue: typeof issue === "number" ? issue : issue.number };
  }
  const place = await choosePlace(editor);
  if (place === undefined) return undefined;
  const { value } = await editor.calls.run(["issue list", "--limit", "1000"], place.root);
  const rows = (value.issues as IssueRow[]).map(({ number, title, status }) => ({
    label: plain(`#${number} ${title}`),
    description: plain(status),
    issue: number,
  }));
  const chosen = await editor.vscode.window.showQuickPick(rows, { title });
  return chosen && { place, issue: chosen.issue };
}

/** Returns the next step of an issue; undefined if no role has to act. */
export async function nextOf(
  { calls }: Editor,
  { place, issue }: OfIssue,
): Promise<Route["first"][number] | undefined> {
  const { value } = await calls.run(["issue route", "--", `${issue}`], place.root);
  return (value as unknown as Route).first.at(0);
}
