/**
 * The files of the state, of the issues and of memory: whether each can be read, what merges left in
 * them, and whether their times make sense.
 *
 * @module
 */

import { ClarificationLedger } from "../clarify/ledger.ts";
import type { TrackedFiles } from "../clarify/ledger_files.ts";
import { planMoves } from "../clarify/renumber.ts";
import type { ClarificationRecord, LedgerFile } from "../clarify/schema.ts";
import { AgentStatusStore } from "../clarify/status.ts";
import type { FileLockManager } from "../lock/mod.ts";
import { JsonObservationStore } from "../memory/store/store.ts";
import { sys } from "../sys/mod.ts";
import { IssueStore } from "../work/issue/issue_store.ts";
import { LoopGate } from "../work/loop/loop_gate.ts";
import { fromFuture } from "./clock.ts";
import { failure, type Finding, fixed, ok, warn } from "./finding.ts";
import { examineOthers } from "./other_files.ts";
import { removeKeptRecalls } from "../hosts/hook/recall_cache.ts";
import { SessionFiles } from "../hosts/hook/session_files.ts";
import { renumberSessions } from "../hosts/hook/session_upkeep.ts";
import { examineMentions, type Move } from "./mentions.ts";

/** Options of {@linkcode examineState}. */
export interface ExamineStateOptions {
  /** The folder `.agentx`. */
  home: string;
  /** The locks of this process. */
  locks: FileLockManager;
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** Tells what git tracks. */
  trackedFiles: TrackedFiles;
  /** Whether to clear up what merges left. */
  isFixing: boolean;
}

/**
 * @param options where the state is, and the time
 * @returns what is to be said of the ledgers, the issues, memory, the other files, and of the clock
 */
export async function examineState(options: ExamineStateOptions): Promise<Finding[]> {
  const { home, locks } = options;
  const folder = `${home}/state/clarifications`;
  const { findings: issues, moves: renumbered } = await examineIssues(options);
  const { findings: moved, moves } = await examineMoves(folder, options);
  const { ledgers, clarifications, problems } = new ClarificationLedger(folder, locks).scan();
  return [
    ok("ledgers", `${ledgers.length} can be read, clarifications: ${clarifications.length}`),
    ...problems.map((problem) => failure("ledgers", problem)),
    ...moved,
    ...examineStrays(folder),
    ...issues,
    ...await examineMemory(options),
    ...await mentionsAfter([...renumbered, ...moves], clarifications, options),
    ...examineOthers(home, locks),
    ...examineClock(ledgers, folder, options),
  ];
}

/** The condition of a part of the state, and what was just given another number. */
interface Examined {
  findings: Finding[];
  moves: Move[];
}

/** A ledger under another name is not read. */
function examineStrays(folder: string): Finding[] {
  return sys.readDir(folder)
    .filter((name) => !/^issue-[1-9][0-9]{0,8}\.json$|\.(lock|tmp)$/.test(name))
    .map((name) => {
      const next = "Rename it like issue-42.json if it is a ledger; otherwise move it aside";
      return warn("ledgers", `"${folder}/${name}" is not a ledger`, next);
    });
}

/** An issue that got another number, here or elsewhere, takes its clarifications with it. */
async function examineMoves(
  folder: string,
  { home, locks, trackedFiles, isFixing }: ExamineStateOptions,
): Promise<Examined> {
  const check = "ledgers";
  const ledger = new ClarificationLedger(folder, locks, { trackedFiles });
  const numbers = new IssueStore(`${home}/issues`, locks).numbersByUid();
  if (isFixing) {
    const moves = await ledger.renumber(numbers, "doctor");
    const statusPath = `${home}/state/agent-status.json`;
    if (moves.length > 0) await new AgentStatusStore(statusPath, locks, ledger).renumber(moves);
    const loop = new LoopGate(`${home}/state/loop-state.json`, locks);
    const loops = await loop.renumber(numbers, "doctor");
    const { clarifications } = ledger.scan();
    const sessions = await renumberSessions(new SessionFiles(home, () => locks), {
      numbers,
      clarifications,
    });
    const findings = [
      ...sessions === 0 ? [] : [`sessions that follow their issues to new numbers: ${sessions}`],
      ...moves.map(({ from, to }) => `the clarifications of #${from} follow their issue to #${to}`),
      ...loops.map((from) => `the loop of #${from} follows its issue`),
    ].map((message) => fixed(check, message));
    return { findings, moves };
  }
  const findings = planMoves(ledger.scan().ledgers, numbers).map(({ from, to }) => {
    const next = "Move them to their issue with: agentx doctor --fix";
    return warn(check, `The clarifications of #${from} belong to #${to}, which was #${from}`, next);
  });
  return { findings, moves: [] };
}

/** Once all that follows its issue by itself has done so. */
async function mentionsAfter(
  moves: readonly Move[],
  clarifications: readonly ClarificationRecord[],
  { home, locks }: ExamineStateOptions,
): Promise<Finding[]> {
  if (moves.length === 0) return [];
  const recallsPath = `${home}/state/memory-recalls.json`;
  return examineMentions(moves, {
    issues: new IssueStore(`${home}/issues`, locks).scan().issues,
    clarifications,
    observations: await new JsonObservationStore(`${home}/memory`, locks, { recallsPath })
      .listAll(),
  });
}

async function examineIssues({ home, locks, isFixing }: ExamineStateOptions): Promise<Examined> {
  const check = "issues";
  const store = new IssueStore(`${home}/issues`, locks);
  const { cleared, renumbered, relinked } = isFixing
    ? await store.repair("doctor")
    : { cleared: [], renumbered: [], relinked: [] };
  const { issues, problems } = store.scan();
  const findings = [
    ok(check, `${issues.length} can be read`),
    ...renumbered.map(({ from, to, title }) =>
      fixed(check, `#${from} "${title}" is now #${to}: another issue has its number`)
    ),
    ...relinked.map((number) =>
      fixed(check, `the dependencies of #${number} follow issues with new numbers`)
    ),
    ...clearedUp(check, cleared),
    ...problems.map((problem) => failure(check, problem)),
  ];
  return { findings, moves: renumbered };
}

/** A failure of one check does not prevent the others. */
async function examineMemory(options: ExamineStateOptions): Promise<Finding[]> {
  const check = "memory";
  try {
    return await examineObservations(check, options);
  } catch (error) {
    return [failure(check, error)];
  }
}

async function examineObservations(
  check: string,
  { home, locks, isFixing }: ExamineStateOptions,
): Promise<Finding[]> {
  const folder = `${home}/memory`;
  const recallsPath = `${home}/state/memory-recalls.json`;
  const store = new JsonObservationStore(folder, locks, { recallsPath });
  const { issues } = store.examine();
  const repaired = isFixing && issues > 0 ? await store.repair() : [];
  const numbers = new IssueStore(`${home}/issues`, locks).numbersByUid();
  const moved = isFixing && issues > 0 ? await store.renumber(numbers) : 0;
  if (moved > 0) removeKeptRecalls(home);
  const lost = await store.recover(isFixing);
  const { failures, manifest } = store.examine();
  return [
    ok(check, `observations of ${issues} issues`),
    ...clearedUp(check, repaired),
    ...moved === 0 ? [] : [
      fixed(check, `${moved} observations follow issues with new numbers`),
    ],
    ...recovered(check, lost, { isFixing }),
    ...manifest === "damaged" ? [damagedManifest(check, `${folder}/manifest.json`)] : [],
    ...failures.map((problem) => failure(check, problem)),
  ];
}

/** What is in the second generation only. */
function recovered(
  check: string,
  { observations, hasCounts }: { observations: number; hasCounts: boolean },
  { isFixing }: Pick<ExamineStateOptions, "isFixing">,
): Finding[] {
  const lost = [
    ...observations === 0 ? [] : [`observations of the journal: ${observations}`],
    ...hasCounts ? ["the counts of recalls"] : [],
  ];
  return lost.map((what) =>
    isFixing ? fixed(check, `brought back from state/backup: ${what}`) : warn(
      check,
      `Lost or damaged, but in state/backup: ${what}`,
      "Bring it back with: agentx doctor --fix",
    )
  );
}

function damagedManifest(check: string, path: string): Finding {
  const next = "It is rebuilt when memory is next used, or now with: agentx memory rebuild";
  return warn(check, `"${path}" is damaged; no observation is lost`, next);
}

function clearedUp(check: string, issues: readonly number[]): Finding[] {
  if (issues.length === 0) return [];
  const names = issues.map((issue) => `#${issue}`).join(", ");
  return [fixed(check, `cleaned up after merges in ${names}`)];
}

/** Ages and SLAs depend on the clock. */
function examineClock(
  ledgers: readonly LedgerFile[],
  folder: string,
  { nowMs }: ExamineStateOptions,
): Finding[] {
  const check = "clock";
  const findings = ledgers.flatMap(({ issueNumber, clarifications }) => {
    const path = `${folder}/issue-${issueNumber}.json`;
    const times = clarifications.flatMap(({ created, thread }) =>
      [created, ...thread.map(({ timestamp }) => timestamp)].map((time) => Date.parse(time))
    );
    const known = times.filter((ms) => !Number.isNaN(ms));
    return fromFuture(path, Math.max(sys.lstat(path)?.modifiedMs ?? 0, ...known), nowMs);
  });
  return findings.length > 0 ? findings : [ok(check, "no ledger has a time in the future")];
}
