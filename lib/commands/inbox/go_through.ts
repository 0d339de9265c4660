// Goes through the inbox at a terminal, one entry after the other; a letter decides each.

import type { Context } from "../../cli/command.ts";
import { type Io, viewOf } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { chosenKey } from "../../cli/person.ts";
import { type AgentxError, hasCode } from "../../base/errors.ts";
import type { InboxEntry } from "../../inbox/entry.ts";
import { decideEntry } from "../../inbox/inbox.ts";
import { renderInboxEntry } from "../../inbox/render.ts";
import type { Workspace } from "../../workspace/open.ts";
import { isVerifiedFor } from "../ask/input.ts";

/** An entry and its decision. */
interface Decision {
  id: string;
  decision: string;
}

/** The keys Ctrl-D, Escape and q. */
const QUIT = ["\x04", "\x1b", "q"];

const TEXT = "t";

/** An option that must be typed: no single key decides for all later commands of agents. */
const WHOLE_WORD = "rule";

/** The keys Enter and s. */
const SKIP = ["\r", "\n", "s"];

/** Returns the decisions, in their order. */
export async function goThrough(
  { io, signal }: Context,
  workspace: Workspace,
  entries: readonly InboxEntry[],
): Promise<Decision[]> {
  const decided: Decision[] = [];
  const decidable = entries.filter(({ kind }) => kind !== "permission");
  for (const [index, entry] of decidable.entries()) {
    const shown = renderInboxEntry(entry, viewOf(io, "stderr"));
    io.stderr(`\n  ${index + 1} of ${decidable.length}\n${shown}\n\n`);
    const answer = await answerTo(io, entry);
    signal.throwIfAborted();
    if (answer === null) break;
    if (answer === "") continue;
    try {
      const decision = await decideEntry(workspace, entry.id, answer, {
        verified: true,
        signal,
        isVerifiedFor: (asked) => isVerifiedFor(io, asked),
      });
      decided.push({ id: entry.id, decision });
    } catch (error) {
      // Somebody else was faster, or the entry has expired.
      const expected = ["INVALID_TRANSITION", "INVALID_INPUT", "NOT_FOUND"] as const;
      if (!expected.some((code) => hasCode(error, code))) throw error;
      note(io, (error as AgentxError).oneLine);
    }
  }
  return decided;
}

/** Returns a letter or words; empty if the entry is skipped, null if the human quits. */
async function answerTo(io: Io, { id, kind, options }: InboxEntry): Promise<string | null> {
  const labels = options.map(({ label }) => label).filter((label) => label !== WHOLE_WORD);
  const byKey = new Map(labels.map((label) => [label[0], label]));
  const hasRule = labels.length < options.length;
  const isFixed = kind === "assumption" || kind === "plan" || kind === "command" && !hasRule;
  const words = isFixed || id.endsWith("-deletion") ? [] : [TEXT];
  const skip = SKIP.filter((key) => !byKey.has(key));
  const prompt = `  ${
    [
      ...labels.map((label) => label.length === 1 ? label : `[${label[0]}]${label.slice(1)}`),
      ...words.length === 0 ? [] : [hasRule ? `[t]ype ${WHOLE_WORD}` : "[t]ext"],
    ].map((choice) => `${choice}, `).join("")
  }${byKey.has("s") ? "Enter to skip" : "[s]kip"} or [q]uit? `;
  for (;;) {
    const key = await chosenKey(io, prompt, [...QUIT, ...skip, ...byKey.keys(), ...words]);
    if (key === null || QUIT.includes(key)) return null;
    if (byKey.has(key)) return byKey.get(key)!;
    if (skip.includes(key)) return "";
    io.stderr("  Your answer (Enter alone goes back): ");
    const text = (await io.readLine()).trim();
    if (text !== "") return text;
  }
}
