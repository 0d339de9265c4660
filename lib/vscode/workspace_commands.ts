// Editor commands for the whole workspace: questions, dependencies, the digest, the board, and coding agents.

import type { ClarificationRecord } from "../clarify/schema.ts";
import type { Workflow } from "../config/workflow.ts";
import type { IssueStanding } from "../pipeline/standing.ts";
import type { Channel } from "./channel.ts";
import { chooseAgent, runInTerminal } from "./choose_agent.ts";
import { documentUri } from "./documents.ts";
import type { Editor } from "./editor.ts";
import { chooseIssue, choosePlace, type GivenNode, nextOf, withCancel } from "./choices.ts";

/** The command that installs agentx, so that the coding agents of this machine can run it by name. */
const INSTALL = "npm install --global @agentx/toolkit && agentx setup";

/** Returns the commands by their name in the manifest. */
export function workspaceCommands(editor: Editor, channel: Channel) {
  const { vscode, calls } = editor;
  const showing = (command: string) => async () => {
    const place = await choosePlace(editor);
    if (place !== undefined) await channel.show(place, [command], { isClick: true });
  };
  return {
    async ask(given: GivenNode) {
      const of = await chooseIssue(editor, given, "Ask about which issue?");
      if (of === undefined) return;
      const { place: { root }, issue } = of;
      const from = (await nextOf(editor, of))?.agent;
      if (from === undefined) {
        await vscode.window.showInformationMessage(`No role has to act on #${issue}`);
        return;
      }
      const { workflow } = (await calls.run(["workflow", `${issue}`], root))
        .value as unknown as IssueStanding;
      const [{ steps }] = (await calls.run(["workflow", "--", workflow], root))
        .value.workflows as Workflow[];
      const asking = steps.filter(({ agent }) => agent === from);
      const roles = [...new Set(asking.flatMap(({ canClarify }) => canClarify))];
      const to = await vscode.window.showQuickPick(roles, { title: `Whom does ${from} ask?` });
      const about = { title: `What does ${from} ask ${to}?`, ignoreFocusOut: true };
      const question = to && await vscode.window.showInputBox(about);
      if (to === undefined || !question?.trim()) return;
      const words = [`--issue=${issue}`, `--from=${from}`, "--", to, question] as const;
      const { value } = await withCancel(
        editor,
        `${from} asks ${to}`,
        (signal) => calls.run(["ask", ...words], root, { isClick: true, signal }),
      );
      const { id } = value.clarification as ClarificationRecord;
      await vscode.commands.executeCommand("vscode.open", documentUri(vscode, of.place, id));
    },
    async showWorkflow(given: GivenNode) {
      const of = await chooseIssue(editor, given, "Show the workflow of which issue?");
      if (of !== undefined) await channel.show(of.place, ["workflow", `${of.issue}`]);
    },
    async showDependencies(given: GivenNode) {
      const of = await chooseIssue(editor, given, "Show the dependencies of which issue?");
      if (of !== undefined) await channel.show(of.place, ["issue deps", `${of.issue}`]);
    },
    doctor: showing("doctor"),
    digest: showing("digest"),
    /** Shows the programs that the repository's files would run, and asks for consent. */
    trust: showing("trust"),
    /** Shows the state that came with a copy of a project, and asks whether to adopt it. */
    adopt: showing("adopt"),
    async openBoard() {
      const place = await choosePlace(editor);
      if (place === undefined) return;
      const onValue = ({ url }: Record<string, unknown>) =>
        void vscode.env.openExternal(vscode.Uri.parse(`${url}`));
      await withCancel(
        editor,
        "The board is open until you cancel",
        (signal) =>
          calls.run(["board", "--no-open"], place.root, { isClick: true, signal, onValue })
            .catch((error) => {
              if (!signal.aborted) throw error;
            }),
      );
    },
    async chooseAgent() {
      const place = await choosePlace(editor);
      if (place !== undefined) await chooseAgent(editor, place);
    },
    /**
     * Opens the settings file. The editor completes and checks it as JSON; there is no other view of these settings.
     */
    async openSettings() {
      const place = await choosePlace(editor);
      const file = place && vscode.Uri.file(`${place.root}/.agentx/config.json`);
      if (file !== undefined) await vscode.commands.executeCommand("vscode.open", file);
    },
    async setUpAgents() {
      await runInTerminal(
        editor,
        "Install agentx and set up the coding agents of this machine?",
        INSTALL,
      );
    },
  };
}
