// What does the look at all clarifications cost that rides on every command, and how does it grow?
// Peer: itself on a hundredth of the ledgers.

import type {
  ClarificationRecord,
  ClarificationStatus,
  LedgerFile,
} from "../lib/clarify/schema.ts";
import { openWorkspaceParts } from "../lib/workspace/open.ts";
import { freshFolder, median, ratio, target } from "./target.ts";

const AGENTS = ["product-manager", "architect", "engineer", "reviewer", "tester"];
const STATUSES: ClarificationStatus[] = ["resolved", "answered", "pending", "abandoned"];

/** Four clarifications of two rounds; one is answered, and one pending without being overdue. */
function ledgerFile(issueNumber: number): LedgerFile {
  const nowMs = Date.now();
  const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
  const records = STATUSES.map((status, index): ClarificationRecord => {
    const [to, from] = [AGENTS[index], AGENTS[index + 1]];
    const entry = (round: number, type: "question" | "answer", body: string) => {
      const author = type === "question" ? from : to;
      return { round, from: author, type, body, timestamp: at(-40 + round) };
    };
    return {
      id: `CLR-${issueNumber}-00${index + 1}`,
      from,
      to,
      topic: `Retention of audit entries, part ${index + 1}`,
      blocking: index % 2 === 0,
      status,
      round: 2,
      maxRounds: 5,
      created: at(-40),
      staleAfter: at(60),
      resolvedAt: status === "resolved" ? at(-20) : null,
      thread: [
        entry(1, "question", "How long do we keep audit entries, and who may delete them earlier?"),
        entry(1, "answer", "Seven years by law; nobody may delete them, not even on request."),
        entry(2, "question", "Does that hold for the entries of trial accounts as well?"),
        entry(2, "answer", "No: those go after ninety days, together with the account itself."),
      ],
    };
  });
  return { issueNumber, clarifications: records };
}

async function monitorOver(ledgers: number) {
  const root = freshFolder("disk");
  const folder = `${root}/.agentx/state/clarifications`;
  Deno.mkdirSync(folder, { recursive: true });
  for (let issue = 1; issue <= ledgers; issue++) {
    const text = JSON.stringify(ledgerFile(issue), null, 2);
    Deno.writeTextFileSync(`${folder}/issue-${issue}.json`, text);
  }
  const monitor = await (await openWorkspaceParts({ root })).monitor();
  return async (times: number) => {
    for (let i = 0; i < times; i++) {
      const { stale, overdue, stuck, deadlocked, abandoned } = await monitor.runCheck();
      const acts = [stale, overdue, stuck, deadlocked, abandoned].flat();
      if (acts.length > 0) throw new Error("there was something to do");
    }
  };
}

async function millisecondsOf(ledgers: number): Promise<number> {
  const check = await monitorOver(ledgers);
  const times: number[] = [];
  for (let round = 0; round < 11; round++) {
    const startMs = performance.now();
    await check(1);
    times.push(performance.now() - startMs);
  }
  return median(times);
}

target({
  name: "monitor over 10 ledgers, in process, milliseconds",
  limit: { atMost: 20 },
  measure: () => millisecondsOf(10),
});

target({
  name: "monitor over 1,000 ledgers, in process, milliseconds",
  limit: { atMost: 500 },
  measure: () => millisecondsOf(1_000),
});

target({
  name: "monitor over 1,000 ledgers / over 10, in process (linear is 100)",
  limit: { atMost: 120 },
  measure: async () =>
    await ratio(await monitorOver(1_000), await monitorOver(10), { times: 3, rounds: 11 }),
});
