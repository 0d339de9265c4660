// The thinking log: shows the actions of agents as they happen, in an output channel. It reads them with `agentx
// log`.

import type * as vscode from "vscode";
import type { LogLine } from "../events/follower.ts";
import { LOG_KINDS, logAgent, logDetail, logIssue, logKind } from "../events/log_line.ts";
import { agentLabel } from "../text/agent_label.ts";
import { terminalLine } from "../text/text.ts";
import { choosePlace } from "./choices.ts";
import { type Editor, type EditorWorkspace, plain } from "./editor.ts";
import type { Follower } from "./follower.ts";

/** Maximum number of lines to show, the newest ones. */
const MAX_LINES = "2000";

const ANYTHING = "Everything";

const TIMES: Readonly<Record<string, string>> = {
  "The last hour": "1h",
  "The last day": "24h",
  "The last week": "168h",
};

/** The workspace, filters and lines that the channel shows. */
interface Shown {
  place: EditorWorkspace;
  /** The filters, as arguments of `agentx log`. */
  words: readonly string[];
  /** The lines in the channel. Lines of a recording are captured late, so they may belong between earlier ones. */
  lines: Set<string>;
}

export class ThinkingLog {
  readonly #editor: Editor;
  readonly #channel: vscode.OutputChannel;
  /** Undefined until the log is opened. */
  #shown: Shown | undefined;

  constructor(editor: Editor, follower: Follower) {
    this.#editor = editor;
    this.#channel = editor.vscode.window.createOutputChannel("AgentX Thinking Log");
    follower.onLog((place) => {
      if (place.root === this.#shown?.place.root) return this.#write(this.#shown);
    });
  }

  /** Lets the person choose filters, and shows the matching lines. */
  async open(): Promise<void> {
    const { vscode } = this.#editor;
    const place = await choosePlace(this.#editor);
    const time = await vscode.window.showQuickPick(Object.keys(TIMES), { title: "Since when?" });
    if (place === undefined || time === undefined) return;
    const pick = async (title: string, all: Iterable<string>) => {
      const chosen = await vscode.window.showQuickPick([ANYTHING, ...all], { title });
      return chosen === ANYTHING ? undefined : chosen;
    };
    const kind = await pick("Which kind?", LOG_KINDS);
    const words = [`--since=${TIMES[time]}`, ...kind === undefined ? [] : [`--kind=${kind}`]];
    const lines = await this.#read(place, words);
    const names = new Set(
      lines.flatMap((line) => plain(logAgent(line) ?? "") || []),
    );
    const agent = await pick("Which agent?", [...names].sort());
    if (agent !== undefined) words.push(`--agent=${agent}`);
    this.#shown = { place, words, lines: new Set() };
    this.#channel.clear();
    for (const summary of summaryOf(await this.#write(this.#shown))) {
      this.#channel.appendLine(summary);
    }
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }

  async #read({ root }: EditorWorkspace, words: readonly string[]): Promise<LogLine[]> {
    const { value } = await this.#editor.calls.run(["log", "--limit", MAX_LINES, ...words], root);
    return value.lines as LogLine[];
  }

  async #write({ place, words, lines: shown }: Shown): Promise<LogLine[]> {
    const lines = await this.#read(place, words);
    for (const line of lines) {
      const issue = logIssue(line);
      const what = [line.operation, ...issue === undefined ? [] : [`#${issue}`], logDetail(line)];
      const text = terminalLine(
        `${line.time} [${logKind(line)}] ${agentOf(line)}: ${what.join(" ")}`,
      );
      if (!shown.has(text)) this.#channel.appendLine(text);
      shown.add(text);
    }
    return lines;
  }
}

function agentOf(line: LogLine): string {
  return plain(agentLabel(logAgent(line) ?? "-"));
}

/** Returns one line per role, with counts by kind. */
function summaryOf(lines: readonly LogLine[]): string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const line of lines) {
    const kinds = counts.get(agentOf(line)) ?? new Map<string, number>();
    counts.set(agentOf(line), kinds.set(logKind(line), (kinds.get(logKind(line)) ?? 0) + 1));
  }
  return Array.from(
    counts,
    ([agent, kinds]) =>
      `${agent}: ${Array.from(kinds, ([kind, count]) => `${count} ${kind}`).join(", ")}`,
  );
}
