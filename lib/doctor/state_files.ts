// Checks the files of the state, of the issues and of memory: whether each can be read, whether merges left something
// in them, and whether their times are plausible.

import { ClarificationLedger } from "../clarify/ledger/ledger.ts";
import { ledgerNumbers } from "../clarify/ledger/ledger_files.ts";
import type { Origin } from "../base/origin.ts";
import type { ClarificationRecord, LedgerFile } from "../clarify/schema.ts";
import { AgentStatusStore } from "../clarify/status/status.ts";
import type { FileLockManager } from "../lock/mod.ts";
import { memoryAlerts } from "../memory/alerts.ts";
import { JsonObservationStore } from "../memory/store/store.ts";
import { sys } from "../sys/mod.ts";
import { AssumptionStore } from "../gate/assumption_store.ts";
import { IssueStore } from "../work/issue/issue_store.ts";
import { LoopGate } from "../work/iterations/loop_gate.ts";
import { fromFuture } from "./clock.ts";
import { examineLines } from "./issue_lines.ts";
import { failure, type Finding, fixed, ok, warn } from "./finding.ts";
import { examineOthers } from "./other_files.ts";
import { SessionFiles } from "../hooks/session_files.ts";
import { renumberSessions } from "../workspace/session_upkeep.ts";
import { examineMentions, type Move } from "./mentions.ts";
import { restoreDamaged } from "./restore.ts";

export interface ExamineStateOptions {
  home: string;
  locks: FileLockManager;
  nowMs: number;
  origin: Origin;
  /** Whether to repair leftovers of merges. */
  isFixing: boolean;
}

/** Returns findings on the ledgers, the issues, memory, the other files, and the clock. */
export async function examineState(options: ExamineStateOptions): Promise<Finding[]> {
  const { home, locks, isFixing } = options;
  const folder = `${home}/state/clarifications`;
  const restored = isFixing ? await restoreDamaged(`${home}/state`, locks) : [];
  const { findings: issues, moves: renumbered, numbers } = await examineIssues(options);
  const { findings: moved, moves } = await examineMoves(folder, numbers, options);
  const { ledgers, clarifications, problems } = new ClarificationLedger(folder, locks).scan();
  return [
    ...restored,
    ok("ledgers", `${ledgers.length} can be read, clarifications: ${clarifications.length}`),
    ...problems.map((problem) => failure("ledgers", problem)),
    ...moved,
    ...examineStrays(folder),
    ...issues,
    ...await examineMemory(numbers, options),
    ...await mentionsAfter([...renumbered, ...moves], clarifications, options),
    ...examineOthers(home, locks),
    ...examineClock(ledgers, folder, options),
  ];
}

/** Findings on a part of the state, and the issues that were just renumbered. */
interface Examined {
  findings: Finding[];
  moves: Move[];
}

/** The number of each readable issue, by its uid. */
type Numbers = ReadonlyMap<string, number>;

/** Reports files that do not have the name of a ledger, because agentx does not read them. */
function examineStrays(folder: string): Finding[] {
  return sys.readDir(folder)
    .filter((name) => !/^issue-[1-9][0-9]{0,8}\.json(\.(copy|damaged))?$|\.(lock|tmp)$/.test(name))
    .map((name) => {
      const next = "Rename it like issue-42.json if it is a ledger; otherwise move it aside";
      return warn("ledgers", `"${folder}/${name}" is not a ledger`, next);
    });
}

/** Moves the clarifications and other records of an issue to its new number, or reports that they must move. */
async function examineMoves(
  folder: string,
  numbers: Numbers,
  { home, locks, origin, isFixing }: ExamineStateOptions,
): Promise<Examined> {
  const check = "ledgers";
  const ledger = new ClarificationLedger(folder, locks, { origin });
  if (isFixing) {
    const moves = await ledger.renumber(numbers, "doctor");
    const statusPath = `${home}/state/agent-status.json`;
    if (moves.length > 0) await new AgentStatusStore(statusPath, locks, ledger).renumber(moves);
    const loop = new LoopGate(`${home}/state/loop-state.json`, locks, { origin });
    const loops = await loop.renumber(numbers, "doctor");
    const assumptions = await new AssumptionStore(`${home}/state/assumptions.json`, {
      locks,
      origin,
    })
      .renumber(numbers, "doctor");
    const { clarifications } = ledger.scan();
    const sessions = await renumberSessions(new SessionFiles(home, () => locks), {
      numbers,
      clarifications,
    });
    const findings = [
      ...sessions === 0 ? [] : [`sessions that follow their issues to new numbers: ${sessions}`],
      ...assumptions === 0 ? [] : [`assumptions that follow their issues: ${assumptions}`],
      ...moves.map(({ from, to }) => `the clarifications of #${from} follow their issue to #${to}`),
      ...loops.map((from) => `the loop of #${from} follows its issue`),
    ].map((message) => fixed(check, message));
    return { findings, moves };
  }
  const findings = ledger.planMoves(numbers).map(({ from, to }) => {
    const next = "Move them to their issue with: agentx doctor --fix";
    return warn(check, `The clarifications of #${from} belong to #${to}, which was #${from}`, next);
  });
  return { findings, moves: [] };
}

/** Reports mentions of former numbers. Runs after everything that follows an issue has been moved. */
async function mentionsAfter(
  moves: readonly Move[],
  clarifications: readonly ClarificationRecord[],
  { home, locks }: ExamineStateOptions,
): Promise<Finding[]> {
  if (moves.length === 0) return [];
  const recallsPath = `${home}/state/memory-recalls.json`;
  return examineMentions(moves, {
    issues: new IssueStore(rootOf(home), locks).scan().issues,
    clarifications,
    observations: await new JsonObservationStore(`${home}/memory`, locks, { recallsPath })
      .listAll(),
  });
}

async function examineIssues(
  { home, locks, nowMs, isFixing }: ExamineStateOptions,
): Promise<Examined & { numbers: Numbers }> {
  const check = "issues";
  const takenElsewhere = () => ledgerNumbers(`${home}/state/clarifications`);
  const store = new IssueStore(rootOf(home), locks, { takenElsewhere });
  const { setAside, restored, renumbered, relinked } = isFixing
    ? await store.repair("doctor")
    : { setAside: 0, restored: 0, renumbered: [], relinked: [] };
  const { issues, unnumbered, problems } = store.scan();
  const findings = [
    ok(check, `${issues.length} can be read`),
    ...asideFindings(check, setAside),
    ...renumbered.map(({ from, to, title }) =>
      fixed(check, `#${from} "${title}" is now #${to}: another issue has its number`)
    ),
    ...relinked.map((number) =>
      fixed(check, `the dependencies of #${number} follow issues with new numbers`)
    ),
    ...restored === 0 ? [] : [
      fixed(check, `changes that no file here had are written again: ${restored}`),
    ],
    ...examineLines(store, home, nowMs),
    ...unnumbered.map(({ ref, issue }) =>
      warn(
        check,
        `${ref} "${issue.title}" has the number of another issue`,
        "Give it one of its own with: agentx doctor --fix",
      )
    ),
    ...problems.map((problem) => failure(check, problem)),
  ];
  const numbers = new Map(issues.map(({ uid, number }) => [uid, number]));
  return { findings, moves: renumbered, numbers };
}

/** Checks the memory; an error becomes a finding, so that the other checks still run. */
async function examineMemory(
  numbers: Numbers,
  options: ExamineStateOptions,
): Promise<Finding[]> {
  const check = "memory";
  try {
    return await examineObservations(check, numbers, options);
  } catch (error) {
    return [failure(check, error)];
  }
}

async function examineObservations(
  check: string,
  numbers: Numbers,
  { home, locks, isFixing }: ExamineStateOptions,
): Promise<Finding[]> {
  const folder = `${home}/memory`;
  const recallsPath = `${home}/state/memory-recalls.json`;
  const store = new JsonObservationStore(folder, locks, { recallsPath });
  const isThere = sys.lstat(folder) !== undefined;
  const { restored, setAside } = isFixing && isThere
    ? await store.repair()
    : { restored: 0, setAside: 0 };
  const moved = isFixing && isThere ? await store.renumber(numbers) : 0;
  const { issues, failures, missing } = await store.examine();
  const alerts = await memoryAlerts(home, () => store.getStats());
  return [
    ok(check, `can be read, issues with observations: ${issues}`),
    ...asideFindings(check, setAside),
    ...restored === 0 ? [] : [
      fixed(check, `what no file here had is written again: ${restored} lines`),
    ],
    ...moved === 0 ? [] : [
      fixed(check, `${moved} observations follow issues with new numbers`),
    ],
    ...missing === 0 ? [] : [
      warn(
        check,
        `${missing} lines that were written here are in no file; they are in the copy alone`,
        "Write them again with: agentx doctor --fix",
      ),
    ],
    ...alerts.map(({ message, next }) =>
      next === null ? ok(check, message) : warn(check, message, next)
    ),
    ...failures.map((problem) => failure(check, problem)),
  ];
}

function asideFindings(check: string, count: number): Finding[] {
  if (count === 0) return [];
  const message =
    `lines that could not be read are in .agentx/state/lines/${check}.damaged now: ${count}`;
  return [fixed(check, message)];
}

function rootOf(home: string): string {
  return home.slice(0, -"/.agentx".length);
}

/** Finds times in the future in the ledgers, because ages and SLAs depend on the clock. */
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
