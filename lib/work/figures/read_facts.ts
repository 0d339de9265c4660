// Reads the facts that figures are counted from. A file that cannot be read is left out and listed as a problem.

import { AgentxError } from "../../base/errors.ts";
import { isoTime } from "../../base/time.ts";
import type { ClarificationLedger } from "../../clarify/ledger/ledger.ts";
import { readLog } from "../../events/read_log.ts";
import type { HumanGate } from "../../gate/gate.ts";
import { LOOKS_ONLY, runGit } from "../../git/run_git.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { SessionUses } from "../../memory/recall/session_uses.ts";
import { isRestart } from "../issue/change.ts";
import { timesOf } from "../issue/history.ts";
import { RECORDS_MESSAGE } from "../issue/issue.ts";
import type { KnownIssue } from "../issue/issue_files.ts";
import type { IssueStore } from "../issue/issue_store.ts";
import { NEEDS_CHANGES } from "../issue/labels.ts";
import { type ClosedIssue, type Commit, type DatedStep, type Facts, factsWithin } from "./facts.ts";

/** The stores and folders to read facts from. */
export interface FactSources {
  /** The folder that holds `.agentx/`. */
  root: string;
  ledger: ClarificationLedger;
  issues: IssueStore;
  locks: FileLockManager;
  gate: () => Promise<HumanGate>;
  /** Whether this state was made here. If it was copied from elsewhere, git is not run in its folder. */
  isOurs: boolean;
}

/** The facts, and one error for each file that was left out. */
export interface FactsRead {
  facts: Facts;
  problems: AgentxError[];
}

/** Reads the facts since a time, in milliseconds. */
export async function readFacts(
  { root, ledger, issues, locks, gate, isOurs }: FactSources,
  sinceMs: number,
): Promise<FactsRead> {
  const { clarifications, problems: all } = ledger.scan();
  const problems: AgentxError[] = [...all];
  const orNothing = async <T>(read: () => T[] | Promise<T[]>): Promise<T[]> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      problems.push(error);
      return [];
    }
  };
  const view = issues.view();
  problems.push(...view.problems);
  const known = [...view.byNumber.values()];
  const uses = new SessionUses(`${root}/.agentx/state/memory-uses.json`, locks);
  const facts: Facts = {
    clarifications,
    questions: await orNothing(async () => await (await gate()).list()),
    log: readLog(`${root}/.agentx/log`, { sinceMs }),
    uses: await orNothing(() => uses.read()),
    closed: known.flatMap(closedIn),
    steps: known.flatMap(stepsIn),
    changes: known.flatMap(({ lines, issue: { number: issueNumber } }) =>
      lines.map(({ time }) => ({ issueNumber, time }))
    ),
    commits: isOurs ? await commitsIn(root, sinceMs, (number) => view.byNumber.has(number)) : null,
  };
  return { facts: factsWithin(facts, sinceMs, Infinity), problems };
}

function closedIn(known: KnownIssue): ClosedIssue[] {
  const { number, title } = known.issue;
  const { closed, ...times } = timesOf(known);
  return closed === null ? [] : [{ number, title, closed, ...times }];
}

function stepsIn({ lines, undone, issue: { number: issueNumber } }: KnownIssue): DatedStep[] {
  const claimed = new Map<string, string>();
  return lines.filter(({ id }) => !undone.has(id)).flatMap((line): DatedStep[] => {
    const { time, by } = line;
    const base = { issueNumber, time, by, tookMs: null };
    if (line.op === "add") {
      if (line.step !== undefined) claimed.set(line.step, time);
      return line.values.includes(NEEDS_CHANGES) ? [{ ...base, what: "returned", step: null }] : [];
    }
    if (isRestart(line)) return [];
    if (line.op === "returned") return [{ ...base, what: "returned", step: line.step }];
    if (line.op !== "validated" && line.op !== "approved") return [];
    const { step } = line;
    const since = claimed.get(step);
    claimed.delete(step);
    const tookMs = since === undefined ? null : Math.max(0, Date.parse(time) - Date.parse(since));
    return [{ ...base, what: "done", step, tookMs }];
  });
}

async function commitsIn(
  root: string,
  sinceMs: number,
  isKnown: (issue: number) => boolean,
): Promise<Commit[] | null> {
  const since = `--since=${isoTime(sinceMs)}`;
  const args = ["log", "--no-merges", "--no-show-signature", since, "--format=%cI%n%B%x00"];
  let text: string;
  try {
    text = await runGit(root, args, { action: "read the log of git", confinement: LOOKS_ONLY });
  } catch (error) {
    if (error instanceof AgentxError) return null; // there is no repository, or it has no commit
    throw error;
  }
  return text.split("\0").map((entry) => entry.trim()).filter(Boolean).flatMap((entry) => {
    const [time, ...message] = entry.split("\n");
    if (message[0] === RECORDS_MESSAGE) return [];
    const named = message.join("\n").matchAll(/(?<![\w&/])#([1-9]\d{0,8})\b/g);
    return { time, namesIssue: Array.from(named).some(([, number]) => isKnown(Number(number))) };
  });
}
