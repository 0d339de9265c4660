/**
 * Counts the verdicts of readers, by whose list the items are from.
 *
 * `deno run -A tests/memory/sessions/judged/tally.ts MIXED VERDICTS... [--labels LABELS...]`: the folder
 * that `mix.ts` wrote, one file for each reader (and part of the sessions), and the labeller's files.
 *
 * @module
 */

import type { Item, Key } from "./mix.ts";

const VERDICTS = ["useful", "false", "prompt", "narration", "repeat", "fragment", "trivial"];

/** What one reader says of one item. */
interface Verdict {
  session: string;
  item: number;
  verdict: string;
  /** Of a useful item: the category that it should have. */
  category?: string;
}

/** A labelled session: its facts, and for each the items that tell it. */
interface Labels {
  session: string;
  facts: { fact: string; items: number[] }[];
}

const at = Deno.args.indexOf("--labels");
const [mixed, ...files] = at < 0 ? Deno.args : Deno.args.slice(0, at);
const labelFiles = at < 0 ? [] : Deno.args.slice(at + 1);
const read = (path: string) => JSON.parse(Deno.readTextFileSync(path));
const items: Record<string, Item[]> = read(`${mixed}/items.json`);
const key: Key = read(`${mixed}/key.json`);
const verdicts: Verdict[] = files.flatMap(read);
const labels: Labels[] = labelFiles.flatMap(read);

/** What at least two of three say; undefined if all differ. */
function majority(values: readonly (string | undefined)[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) !== index);
}

const rows = new Map<string, Record<string, number>>();
for (const [session, list] of Object.entries(items)) {
  for (const { item, category } of list) {
    const given = verdicts.filter((each) => each.session === session && each.item === item);
    const said = given.map(({ verdict }) => verdict);
    if (said.length !== 3 || !said.every((each) => VERDICTS.includes(each))) {
      throw new Error(`${session} ${item}: ${said.length} verdicts: ${said}`);
    }
    const row = rows.get(key[session][item]) ?? {};
    rows.set(key[session][item], row);
    const count = (name: string) => row[name] = (row[name] ?? 0) + 1;
    const useful = said.filter((each) => each === "useful").length;
    count("items");
    // Where all three differ, the item is not useful; of which kind, nobody can say.
    count(useful >= 2 ? "useful" : majority(said) ?? "disputed");
    if (useful === 0 || useful === 3) count("agreed");
    if (useful >= 2 && category !== undefined) {
      const right = given.filter((each) => (each.category ?? category) === category).length;
      if (right >= 2) count("right category");
    }
  }
}
const facts = labels.flatMap((each) => each.facts.map(({ items }) => ({ ...each, items })));
for (const [whose, row] of rows) {
  const told = facts.filter(({ session, items }) =>
    items.some((item) => key[session][item] === whose)
  );
  const share = (name: string) => `${name} ${(100 * (row[name] ?? 0) / row.items).toFixed(1)} %`;
  console.log(
    `${whose}: ${row.items} items; ${[...VERDICTS, "disputed", "agreed"].map(share).join(", ")}; ` +
      `right category ${row["right category"] ?? 0} of ${row.useful ?? 0}` +
      (facts.length === 0 ? "" : `; facts told ${told.length} of ${facts.length}`),
  );
}
