// Does a search find what is asked for? On the labelled set of `retrieval/`, of which the half that
// is held out was not used to tune anything. Peer: SQLite FTS5 (porter, bm25).

import { FileLockManager } from "../lib/lock/mod.ts";
import { MAX_PER_CAPTURE } from "../lib/memory/schema.ts";
import { JsonObservationStore } from "../lib/memory/store/store.ts";
import { openFts5 } from "./retrieval/fts5.ts";
import { type RetrievalScore, scoreSearch } from "./retrieval/score.ts";
import { type Half, readSet } from "./retrieval/set.ts";
import { freshFolder, target } from "./target.ts";

const scores = new Map<Half, Promise<Record<"ours" | "peer", RetrievalScore>>>();

function scoresOf(half: Half): Promise<Record<"ours" | "peer", RetrievalScore>> {
  let scored = scores.get(half);
  if (scored === undefined) scores.set(half, scored = score(half));
  return scored;
}

async function score(half: Half): Promise<Record<"ours" | "peer", RetrievalScore>> {
  const set = readSet(half);
  const folder = freshFolder("memory");
  const store = new JsonObservationStore(`${folder}/memory`, new FileLockManager(), {
    recallsPath: `${folder}/recalls.json`,
  });
  for (let start = 0; start < set.observations.length; start += MAX_PER_CAPTURE) {
    await store.store(set.observations.slice(start, start + MAX_PER_CAPTURE));
  }
  const ours = await scoreSearch(
    set,
    async (query, limit) => (await store.search(query, limit)).map(({ id }) => id),
  );
  await store.close();
  const fts5 = openFts5(set.observations);
  const peer = await scoreSearch(set, fts5.search);
  fts5.close();
  return { ours: ours.get("all")!, peer: peer.get("all")! };
}

for (const half of ["dev", "held_out"] satisfies Half[]) {
  const name = half === "dev" ? "dev half" : "held-out half";
  target({
    name: `memory: recall@10 above FTS5's, ${name}`,
    limit: { atLeast: 0.05 },
    async measure() {
      const { ours, peer } = await scoresOf(half);
      return ours.recallAt10 - peer.recallAt10;
    },
  });
  target({
    name: `memory: part of the evidence within 1,000 tokens, ${name}`,
    limit: { atLeast: 0.75 },
    measure: async () => (await scoresOf(half)).ours.within1000Tokens,
  });
}
