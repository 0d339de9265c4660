// Chooses the coding agent for the roles on this machine: an installed agent, or one to install first.

import { HOSTS, PRESET_NAMES } from "../hosts/hosts.ts";
import { agreesTo } from "./choices.ts";
import { type Editor, type EditorWorkspace, plain } from "./editor.ts";

/** The output of `agentx agents`. */
interface Agents {
  agents: { way: string | null }[];
  installed: { name: string; version: string | null }[];
}

interface Row {
  label: string;
  description: string;
  /**
   * Sets this coding agent as the default and returns true. Or installs it and returns false: it can be chosen
   * later.
   */
  choose(): Promise<boolean>;
}

/** Returns whether a workspace has an agent. If it has none, lets the person choose one. */
export async function hasAgent(editor: Editor, place: EditorWorkspace): Promise<boolean> {
  const { agents } = await agentsOf(editor, place);
  return agents.some(({ way }) => way !== null) || await chooseAgent(editor, place);
}

/** Lets the person choose an agent, and writes it to their own settings. Returns whether one was set. */
export async function chooseAgent(editor: Editor, place: EditorWorkspace): Promise<boolean> {
  const { installed } = await agentsOf(editor, place);
  const rows = PRESET_NAMES.flatMap((name): Row[] => {
    const { title, tried } = HOSTS[name];
    const found = installed.find((each) => each.name === name);
    if (found !== undefined) {
      const choose = async () => {
        const words = ["--global", "agents.default.preset", name] as const;
        await editor.calls.run(["config set", ...words], place.root, { isClick: true });
        return true;
      };
      return [{ label: title, description: plain(found.version ?? "installed"), choose }];
    }
    if (tried === undefined) return [];
    const command = `npm install --global ${tried.packageName}`;
    const choose = async () => {
      await runInTerminal(editor, `Install ${title}?`, command);
      return false;
    };
    return [{ label: `Install ${title}`, description: command, choose }];
  });
  rows.sort((a, b) =>
    Number(a.label.startsWith("Install")) - Number(b.label.startsWith("Install"))
  );
  const title = "Which coding agent works for roles without one of their own?";
  const chosen = await editor.vscode.window.showQuickPick(rows, { title });
  return chosen !== undefined && await chosen.choose();
}

/** Runs a command in a terminal, after the person has seen it and agreed. */
export async function runInTerminal(
  editor: Editor,
  question: string,
  command: string,
): Promise<void> {
  if (!await agreesTo(editor, question, "Run", `A terminal runs:\n${command}`)) return;
  const terminal = editor.vscode.window.createTerminal("AgentX");
  terminal.show();
  terminal.sendText(command);
}

async function agentsOf({ calls }: Editor, { root }: EditorWorkspace): Promise<Agents> {
  return (await calls.run(["agents"], root)).value as unknown as Agents;
}
