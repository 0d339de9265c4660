// The editor commands for work: claim an issue, run its next step, accept or return an agent's work, and merge it.

import type { IssueRow } from "../work/issue/row.ts";
import type { IssueStanding } from "../pipeline/standing.ts";
import type { StepOutcome } from "../pipeline/run_step.ts";
import type { Workflow } from "../config/workflow.ts";
import type { Diffs } from "./diffs.ts";
import {
  agreesTo,
  chooseIssue,
  choosePlace,
  type GivenNode,
  type OfIssue,
  withCancel,
} from "./choices.ts";
import { type Editor, type EditorWorkspace, plain } from "./editor.ts";
import { hasAgent } from "./choose_agent.ts";
import { modelOf, OWN_VENDOR } from "./vscode_model.ts";
import type { StepNode } from "./work_view.ts";

/** Maximum length of a title. The title of an issue is the first line of its request. */
const MAX_TITLE = 200;

/** A step that would run, with the estimated tokens of its prompt. */
interface NextStep extends Pick<StepOutcome, "issueNumber" | "step" | "agent"> {
  tokens: number;
}

/** Returns the commands by their name in the manifest. */
export function workCommands(editor: Editor, diffs: Diffs) {
  const { vscode, calls } = editor;
  const click = async ({ place, issue }: OfIssue, words: readonly string[], rest: string[] = []) =>
    await calls.run([words.join(" "), ...rest, "--", `${issue}`], place.root, { isClick: true });
  const create = async ({ root }: EditorWorkspace, type: string, title: string, body: string) => {
    const words = [`--label=type:${type}`, `--title=${title}`, `--body=${body}`];
    const { value } = await calls.run(["issue create", ...words], root, { isClick: true });
    return (value.issue as IssueRow).number;
  };
  const done = (text: string) =>
    void vscode.window.setStatusBarMessage(`AgentX: ${plain(text)}`, 5_000);
  return {
    async newIssue() {
      const place = await choosePlace(editor);
      const title = place && await vscode.window.showInputBox({ title: "Title of the issue" });
      if (place === undefined || !title?.trim()) return;
      const { value } = await calls.run(["workflow"], place.root);
      const types = (value.workflows as Workflow[]).map(({ type, description }) => ({
        label: plain(type),
        description: plain(description ?? ""),
        type,
      }));
      const chosen = await vscode.window.showQuickPick(types, { title: "Which workflow?" });
      if (chosen === undefined) return;
      const about = { title: "What should be true afterwards?", ignoreFocusOut: true };
      const body = await vscode.window.showInputBox(about);
      if (body === undefined) return;
      const text = body.trim() && `## Acceptance criteria\n\n- [ ] ${body}`;
      done(`#${await create(place, chosen.type, title, text)} ${title}`);
    },
    /** Creates an issue for a request from the chat. The person then starts its first step. */
    async startWorkflow(place: EditorWorkspace, type: string, request: string) {
      const [title] = request.trim().split("\n");
      const issue = await create(place, type, title.slice(0, MAX_TITLE), request);
      await runNext(editor, { place, issue });
    },
    async serve() {
      const [chat] = (await vscode.lm.selectChatModels()).filter(({ vendor }) =>
        vendor !== OWN_VENDOR
      );
      const place = await choosePlace(editor);
      if (place === undefined) return;
      const model = modelOf(vscode, chat);
      const title = `AgentX answers questions${
        model === undefined ? "" : ` with ${plain(model.name)}`
      }`;
      await withCancel(
        editor,
        title,
        (signal) => calls.run(["serve"], place.root, { isClick: true, model, signal, onText() {} }),
      );
    },
    async claim(given: GivenNode) {
      const of = await chooseIssue(editor, given, "Claim which issue?");
      if (of === undefined) return;
      const { value } = await calls.run(["workflow", `${of.issue}`], of.place.root);
      const { steps } = value as unknown as IssueStanding;
      const next = steps.filter(({ state }) => state === "ready");
      const roles = [...new Set((next.length > 0 ? next : steps).map(({ agent }) => agent))];
      const role = roles.length === 1
        ? roles[0]
        : await vscode.window.showQuickPick(roles, { title: `Claim #${of.issue} as` });
      if (role === undefined) return;
      const words = ["ready", `--claim=${role}`, `--issue=${of.issue}`] as const;
      await calls.run([...words], of.place.root, { isClick: true });
      done(`#${of.issue} is claimed by ${role}`);
    },
    async runStep(given: GivenNode) {
      const of = await chooseIssue(editor, given, "Run the next step of which issue?");
      if (of !== undefined) await runNext(editor, of);
    },
    async accept(given: StepNode) {
      const { step: { step } } = given;
      const question = `Accept ${step} of #${given.issue} as it is?`;
      if (!await agreesTo(editor, question, "Accept")) return;
      await click(given, ["workflow"], [`--accept=${step}`]);
      done(`${step} of #${given.issue} is accepted`);
    },
    async return(given: GivenNode) {
      const of = await chooseIssue(editor, given, "Return which issue?");
      const title = `What has to change in #${of?.issue}?`;
      const text = of && await vscode.window.showInputBox({ title, ignoreFocusOut: true });
      if (of === undefined || !text?.trim()) return;
      await click(of, ["issue", "comment"], [`--comment=${text}`]);
      await click(of, ["issue", "edit"], ["--label=needs:changes"]);
      done(`#${of.issue} is returned`);
    },
    async merge(given: GivenNode) {
      const of = await chooseIssue(editor, given, "Merge the work of which issue?");
      if (of === undefined) return;
      if (!await agreesTo(editor, `Merge the work of #${of.issue} into your branch?`, "Merge")) {
        return;
      }
      const { value } = await click(of, ["workflow", "merge"]);
      const { into, merged } = value as { into: string; merged: string[] };
      const text = merged.length === 0 ? "Nothing is left to merge" : `Merged into ${plain(into)}`;
      await vscode.window.showInformationMessage(`#${of.issue}: ${text}`);
    },
    async showChanges({ place, issue, step: { step } }: StepNode) {
      const files = await diffs.of(place, issue, step);
      const sides = files.map(({ before, after }) => [after, before, after]);
      await vscode.commands.executeCommand("vscode.changes", `${step} of #${issue}`, sides);
    },
  };
}

/** Runs the next step of an issue, after the person has seen the estimated cost and agreed. */
async function runNext(editor: Editor, { place, issue }: OfIssue): Promise<void> {
  const { vscode, calls } = editor;
  if (!await hasAgent(editor, place)) return;
  const next: NextStep[] = [];
  const reasons: string[] = [];
  const onValue = (value: Record<string, unknown>) => {
    const step = value as unknown as StepOutcome & NextStep;
    if (step.outcome === "not done") reasons.push(...step.reasons);
    else next.push(step);
  };
  const words = ["workflow run", "--dry-run", "--", `${issue}`] as const;
  const { said } = await calls.run([...words], place.root, { onValue });
  if (next.length === 0) {
    const why = reasons.join(". ") || said || "nothing to run now";
    await vscode.window.showInformationMessage(plain(`#${issue}: ${why}`, 400));
    return;
  }
  const lines = next.map((step) =>
    plain(
      `${step.agent} does ${step.step} of #${step.issueNumber}: about ${step.tokens} tokens in its prompt`,
    )
  );
  const detail = [...lines, "What it reads and writes comes on top."].join("\n");
  if (!await agreesTo(editor, `Run the next step of #${issue}?`, "Run", detail)) return;
  const { step } = next[0];
  const outcome = await withCancel(editor, `#${issue} ${step}`, async (signal) => {
    const words = ["workflow run", `--until=${step}`, "--", `${issue}`] as const;
    const { value } = await calls.run([...words], place.root, {
      isClick: true,
      signal,
    });
    return value as unknown as StepOutcome;
  });
  const end = `#${issue} ${outcome.step ?? step}: ${outcome.outcome ?? "nothing to run"}`;
  await vscode.window.showInformationMessage(
    plain([end, ...outcome.reasons ?? []].join(". "), 400),
  );
}
