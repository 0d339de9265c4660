// The memory commands of the editor, with the titles that the documents give them.

import type { ObservationIndex } from "../memory/schema.ts";
import { agreesTo, choosePlace } from "./choices.ts";
import type { Channel } from "./channel.ts";
import { documentUri } from "./documents.ts";
import { type Editor, type EditorWorkspace, plain } from "./editor.ts";
import { newest } from "./memory_view.ts";

/** Returns the commands by their name in the manifest. */
export function memoryCommands(editor: Editor, channel: Channel) {
  const { vscode } = editor;
  return {
    async searchMemory() {
      const place = await choosePlace(editor);
      const words = place && await vscode.window.showInputBox({ title: "Search the memory" });
      if (place === undefined || !words?.trim()) return;
      await choose(editor, place, await newest(editor, place, words));
    },
    async getObservation() {
      const place = await choosePlace(editor);
      if (place !== undefined) await choose(editor, place, await newest(editor, place));
    },
    async memoryStats() {
      const place = await choosePlace(editor);
      if (place !== undefined) await channel.show(place, ["memory stats"]);
    },
    async showContextBudget() {
      await channel.showBudget();
    },
    async compactMemory() {
      const place = await choosePlace(editor);
      if (place === undefined) return;
      await channel.show(place, ["memory compact", "--dry-run"]);
      const detail = "The output shows what would be archived. Nothing is lost.";
      const agreed = await agreesTo(editor, "Archive what is old?", "Archive", detail);
      if (agreed) await channel.show(place, ["memory compact"], { isClick: true });
    },
  };
}

async function choose(
  { vscode }: Editor,
  place: EditorWorkspace,
  observations: readonly ObservationIndex[],
): Promise<void> {
  const rows = observations.map(({ id, summary, category, agent, issueNumber, timestamp }) => ({
    label: plain(summary),
    description: plain(`${category}, ${agent}, #${issueNumber}, ${timestamp.slice(0, 10)}`),
    uri: documentUri(vscode, place, id),
  }));
  const title = rows.length === 0 ? "Nothing fits" : "Open an observation";
  const chosen = await vscode.window.showQuickPick(rows, { title, matchOnDescription: true });
  if (chosen !== undefined) await vscode.commands.executeCommand("vscode.open", chosen.uri);
}
