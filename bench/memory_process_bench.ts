/**
 * What does memory cost whoever waits for it, a person or a hook? Whole processes, beside one that asks
 * SQLite FTS5 (porter, bm25) and prints the same. A capture flushes the journal, so it is empty.
 *
 * @module
 */

import {
  type Fixture,
  fixtureOf,
  pullFiveFiles,
  removeRecalls,
  storeOne,
} from "./memory_fixture.ts";
import { runAgentx, runDeno } from "./process.ts";
import { ratio, target } from "./target.ts";

const WORKSPACES: { name: string; fixture: () => Promise<Fixture> }[] = [
  { name: "10K", fixture: () => fixtureOf(10_000) },
  { name: "50K", fixture: () => fixtureOf(50_000) },
  { name: "50K, 20K of one issue", fixture: () => fixtureOf(50_000, 20_000) },
];

/** What is run, at most so many times the peer, after something that is not timed. */
const CASES: {
  what: string;
  atMost: number;
  words: (question: string) => string[];
  before?: (fixture: Fixture) => unknown;
}[] = [
  { what: "`agentx memory search`", atMost: 2, words: search },
  { what: "`agentx hook start`", atMost: 3, words: hookStart },
  {
    what: "`agentx hook start` that nobody prepared",
    atMost: 3,
    words: hookStart,
    before: ({ folder }) => removeRecalls(folder),
  },
  {
    what: "`agentx memory search` after a pull",
    atMost: 2,
    words: search,
    async before(fixture) {
      await storeOne(fixture);
      pullFiveFiles(fixture);
    },
  },
  {
    what: "`agentx hook start` after a pull",
    atMost: 3,
    words: hookStart,
    async before(fixture) {
      await storeOne(fixture);
      await runAgentx(fixture.folder, hookStart());
      pullFiveFiles(fixture);
    },
  },
];

function search(question: string): string[] {
  return ["memory", "search", question];
}

function hookStart(): string[] {
  return ["hook", "start", "engineer", "1"];
}

for (const { name, fixture } of WORKSPACES) {
  for (const { what, atMost, words, before = () => {} } of CASES) {
    target({
      name: `${what} at ${name} / a process that asks FTS5 and prints the same, wall time`,
      limit: { atMost },
      async measure() {
        const made = await fixture();
        await made.open().close();
        const { folder, questions: [question] } = made;
        const ours = () => runAgentx(folder, words(question));
        const peer = () => runDeno([`${folder}/fts5.ts`, `${folder}/fts5.db`, question]);
        return await ratio(ours, peer, { times: 1, rounds: 15, prepare: () => before(made) });
      },
    });
  }
}
