// Goes through the inbox at a terminal, one entry after the other; a letter or a word decides each.

import type { Context } from "../../cli/command.ts";
import { type Io, viewOf } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { chosenKey } from "../../cli/person.ts";
import { type AgentxError, hasCode } from "../../base/errors.ts";
import { quote } from "../../base/quote.ts";
import { type InboxEntry, takesWords } from "../../inbox/entry.ts";
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

const REFUSE = "refuse";

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
async function answerTo(io: Io, entry: InboxEntry): Promise<string | null> {
  if (entry.kind === "command") return await commandDecision(io, entry);
  const labels = entry.options.map(({ label }) => label);
  const words = takesWords(entry) && entry.kind !== "plan" ? [TEXT] : [];
  const prompt = `  ${
    [...labels, ...words.map(() => "[t]ext")].map((choice) => `${choice}, `).join("")
  }[s]kip or [q]uit? `;
  for (;;) {
    const key = await chosenKey(io, prompt, [...labels, ...words, ...SKIP, ...QUIT]);
    if (key === null || QUIT.includes(key)) return null;
    if (labels.includes(key)) return key;
    if (SKIP.includes(key)) return "";
    io.stderr("  Your answer (Enter alone goes back): ");
    const text = (await io.readLine()).trim();
    if (text !== "") return text;
  }
}

/** Reads the decision on a command of an agent. A single key never allows a command: the person types a whole word. */
async function commandDecision(io: Io, { options }: InboxEntry): Promise<string | null> {
  const labels = options.map(({ label }) => label);
  const allowing = labels.filter((label) => label !== REFUSE);
  const ways = `${allowing.slice(0, -1).join(", ")} or ${allowing.at(-1)}`;
  for (;;) {
    io.stderr(`  Type ${ways}; [r]efuse, Enter to skip or [q]uit: `);
    const typed = (await io.readLine()).trim().toLowerCase();
    if (typed === "" || labels.includes(typed)) return typed;
    if (typed === REFUSE[0]) return REFUSE;
    if (typed === "q" || typed === "quit") return null;
    io.stderr(`  ${quote(typed)} is none of these words.\n`);
  }
}
