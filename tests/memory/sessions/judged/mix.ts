/**
 * Mixes what several rules keep of judged sessions, for readers who must not know which is whose.
 *
 * `deno run -A tests/memory/sessions/judged/mix.ts SESSIONS OUT [NAME=CHECKOUT...]`, where a checkout is a
 * copy of this repository with other rules. `OUT/items.json` is for the readers, `OUT/key.json` is not.
 *
 * @module
 */

import { readTranscript } from "../../../../lib/transcripts/mod.ts";

/** What a reader gives a verdict on. */
export interface Item {
  /** Counted from 1 within the session. */
  item: number;
  /** Items of one letter are one list; letters mean nothing beyond their session. */
  list: string;
  category?: string;
  text: string;
}

/** By session and number of the item: whose list it is from. */
export type Key = Record<string, Record<number, string>>;

const BASELINE = "first 300 characters";
const MOST_OF_BASELINE = 10;
const BASELINE_LENGTH = 300;
const LETTERS = ["A", "B", "C", "D"];

async function shuffled<T>(values: readonly T[], seed: string): Promise<T[]> {
  const marked = await Promise.all(values.map(async (value, at) => {
    const bytes = new TextEncoder().encode(`${seed} ${at}`);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return { value, order: digest.toHex() };
  }));
  return marked.toSorted((a, b) => a.order < b.order ? -1 : 1).map(({ value }) => value);
}

function evenly<T>(values: readonly T[], most: number): T[] {
  const count = Math.min(values.length, most);
  return Array.from({ length: count }, (_, at) => values[Math.floor(at * values.length / count)]);
}

if (import.meta.main) {
  const [sessions, out, ...others] = Deno.args;
  const here = new URL("../../../../", import.meta.url).pathname;
  const rules = [`these rules=${here}`, ...others].map((each) => each.split("=", 2));
  const items: Record<string, Item[]> = {};
  const key: Key = {};
  for (const { name: file } of Array.from(Deno.readDirSync(sessions))) {
    const name = file.replace(/\.\w+$/, "");
    const transcript = readTranscript(Deno.readTextFileSync(`${sessions}/${file}`));
    const said = transcript.messages.filter(({ role }) => role === "user" || role === "assistant");
    const lists = new Map<string, { category?: string; text: string }[]>();
    for (const [whose, folder] of rules) {
      const { extractFromTranscript } = await import(`${folder}/lib/memory/extract/extract.ts`);
      const kept: { category: string; content: string }[] = extractFromTranscript(transcript, {
        agent: "engineer",
        issueNumber: 1,
        sessionId: name,
      });
      lists.set(whose, kept.map(({ category, content }) => ({ category, text: content })));
    }
    lists.set(
      BASELINE,
      evenly(said, MOST_OF_BASELINE).map(({ text }) => ({ text: text.slice(0, BASELINE_LENGTH) })),
    );
    const letters = await shuffled(LETTERS.slice(0, lists.size), `letters ${name}`);
    const all = [...lists].flatMap(([whose, list], at) =>
      list.map((each) => ({ whose, list: letters[at], ...each }))
    );
    const mixed = await shuffled(all, `items ${name}`);
    items[name] = mixed.map(({ whose: _, ...each }, at) => ({ item: at + 1, ...each }));
    key[name] = Object.fromEntries(mixed.map(({ whose }, at) => [at + 1, whose]));
  }
  Deno.mkdirSync(out, { recursive: true });
  Deno.writeTextFileSync(`${out}/items.json`, JSON.stringify(items, null, 1));
  Deno.writeTextFileSync(`${out}/key.json`, JSON.stringify(key));
}
