/**
 * Repositories that carry state: ledgers that are overdue, statuses, leases, links and `.git` files,
 * put there for the toolkit of whoever clones them to act on.
 *
 * @module
 */

import type { ClarificationRecord } from "../../lib/clarify/schema.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { plantIndex } from "../git/index_file.ts";
import type { HostileClone } from "./clone.ts";

type Changes = Partial<ClarificationRecord>;

const LEDGER = ".agentx/state/clarifications/issue-1.json";
const STATUS = ".agentx/state/agent-status.json";
const LOOP = ".agentx/state/loop-state.json";
const LOG = ".agentx/log/2026-02-26.jsonl";
const ISSUE = ".agentx/issues/1.json";
const PAST = "2026-02-26T10:00:00.000Z";
const FUTURE = "2999-01-01T00:00:00.000Z";

const WORKFLOW = `[[steps]]
id = "design"
agent = "architect"
can_clarify = ["engineer"]
[[steps]]
id = "implement"
agent = "engineer"
can_clarify = ["architect"]
`;

const OVERDUE: Changes = { id: "CLR-1-001" };
const STALE: Changes = { id: "CLR-1-001", status: "stale" };
const OPEN: Changes = { id: "CLR-1-001", staleAfter: FUTURE };
const OF_SESSION: Changes = { ...OPEN, from: "engineer@2" };
const OPPOSITE: Changes = { ...OPEN, id: "CLR-1-002", from: "architect", to: "engineer" };
const REPEATED: Changes = {
  ...OPEN,
  status: "answered",
  round: 2,
  thread: [1, 2].flatMap((round) => [
    { round, from: "engineer", type: "question", body: "the same words", timestamp: PAST },
    { round, from: "architect", type: "answer", body: "the same words", timestamp: PAST },
  ]),
};

/** The clones. */
export const STATE_CLONES: readonly HostileClone[] = [
  tracked("an overdue question, forced in", [OVERDUE]),
  tracked("a question that was overdue twice", [STALE]),
  tracked("a deadlock", [OPEN, OPPOSITE]),
  tracked("rounds that repeat themselves", [REPEATED]),
  tracked("a ledger that says it is not foreign", [{ ...STALE, foreign: false as never }]),
  tracked("an index of version 3", [STALE], (root) => plantIndex(root, [LEDGER], { version: 3 })),
  tracked(
    "an index of version 4",
    [STALE],
    (root) => plantIndex(root, [".agentx/config.json", LEDGER], { version: 4 }),
  ),
  tracked(
    "an index with SHA-256",
    [STALE],
    (root) => plantIndex(root, [LEDGER], { hashBytes: 32 }),
  ),
  tracked("a split index", [STALE], (root) => plantIndex(root, [LEDGER], { isSplit: true })),
  tracked("an index with many paths before it", [STALE], (root) => {
    const many = Array.from({ length: 2_000 }, (_, index) => `.agentx/archive/${index}`);
    plantIndex(root, [...many, LEDGER]);
  }),
  tracked(
    "other letters in the index than on disk",
    [STALE],
    (root) => plantIndex(root, [LEDGER.replace("agentx/state", "AgentX/STATE")]),
  ),
  tracked("a damaged index", [STALE], (root) => {
    plantIndex(root, [LEDGER]);
    Deno.truncateSync(`${root}/.git/index`, 40);
  }),
  tracked("an index of a version to come", [STALE], (root) => {
    plantIndex(root, []);
    write(`${root}/.git/index`, "DIRC\0\0\0\x07\0\0\0\0");
  }),
  tracked(
    "state that is a submodule",
    [STALE],
    (root) => plantIndex(root, [{ path: ".agentx/state", mode: 0o160000 }]),
  ),
  tracked(
    "state that is left out of the checkout",
    [STALE],
    (root) => plantIndex(root, [{ path: ".agentx/state/", mode: 0o040000 }]),
  ),
  tracked("a workspace in a folder of the repository", [STALE], (root) => {
    const above = folderOf(root);
    plantIndex(above, [`${root.slice(above.length + 1)}/${LEDGER}`]);
  }),
  tracked("a git folder elsewhere, as a submodule has it", [STALE], (root) => {
    plantIndex(root, [LEDGER], { gitFolder: `${root}-modules` });
    write(`${root}/.git`, `gitdir: ${root}-modules\n`);
  }),
  tracked("a loop, a log and a lease that are over", [STALE], (root) => {
    write(`${root}/${LOOP}`, JSON.stringify({ 1: { active: true, criteria: "touch x" } }));
    write(`${root}/${LOG}`, JSON.stringify({ operation: "clarification-stale" }) + "\n");
    write(`${root}/${ISSUE}`, expiredIssue());
    plantIndex(root, [LEDGER, LOOP, LOG, ISSUE]);
  }),
  tracked("a status that gives up the questions of a session", [OF_SESSION], (root) => {
    const base = { status: "working", issue: 7, since: FUTURE };
    write(`${root}/${STATUS}`, JSON.stringify({ "engineer@2": { status: "working", base } }));
    plantIndex(root, [STATUS]);
  }),
  leading("state that is a link to another project's", (root, victim) => {
    Deno.symlinkSync(`${victim}/.agentx/state`, `${root}/.agentx/state`);
    plantIndex(root, [{ path: ".agentx/state", mode: 0o120000 }]);
  }),
  leading("a ledger that is a link to another project's", (root, victim) => {
    Deno.mkdirSync(`${root}/${folderOf(LEDGER)}`, { recursive: true });
    Deno.symlinkSync(`${victim}/${LEDGER}`, `${root}/${LEDGER}`);
    plantIndex(root, [{ path: LEDGER, mode: 0o120000 }]);
  }),
  leading("a .git file of another project's worktree", (root, victim) => {
    const own = `${victim}/.git/worktrees/second`;
    write(`${own}/HEAD`, "ref: refs/heads/main\n");
    write(`${own}/commondir`, "../..\n");
    write(`${own}/gitdir`, `${root}-second/.git\n`);
    write(`${root}/.git`, `gitdir: ${own}\n`);
  }),
  leading("a .git file with a git folder of its own making", (root, victim) => {
    write(`${root}/forged/commondir`, `${victim}/.git\n`);
    write(`${root}/forged/gitdir`, `${root}/.git\n`);
    write(`${root}/.git`, "gitdir: forged\n");
  }),
  above("a workspace above it that everybody may write to", (home) => Deno.chmodSync(home, 0o777)),
  above("a workspace above it of another user", (home) => {
    if (Deno.uid() === 0) Deno.chownSync(home, 65_534, 65_534);
    else Deno.chmodSync(home, 0o702); // nobody else can give a folder away
  }),
];

/** A project with a ledger and, unless it says otherwise, an index that tracks it. */
function tracked(
  name: string,
  records: readonly Changes[],
  plant: (root: string) => void = (root) => plantIndex(root, [LEDGER]),
): HostileClone {
  return {
    name,
    build(root, beacon) {
      writeProject(root, beacon);
      writeLedger(root, records);
      plant(root);
    },
  };
}

/** A project that leads to another one of the user, about which nobody asked. */
function leading(name: string, lead: (root: string, victim: string) => void): HostileClone {
  return {
    name,
    build(root, beacon) {
      const victim = `${root}-victim`;
      writeProject(root, beacon);
      writeProject(victim, beacon);
      writeLedger(victim, [STALE]);
      plantIndex(victim, []);
      lead(root, victim);
    },
  };
}

/** A folder without a workspace, and one in a folder above it. */
function above(name: string, make: (home: string) => void): HostileClone {
  return {
    name,
    build(root, beacon) {
      writeProject(folderOf(root), beacon);
      writeLedger(folderOf(root), [STALE]);
      make(`${folderOf(root)}/.agentx`);
    },
  };
}

/** What every one of them has: agents that are the beacon, and a workflow in which they may ask. */
function writeProject(root: string, beacon: string): void {
  const agent = { command: [beacon] };
  const agents = { architect: agent, engineer: agent, reviewer: agent };
  const config = { agents, clarify: { retryDelaySeconds: 0 } };
  write(`${root}/.agentx/config.json`, JSON.stringify(config));
  for (const type of ["feature", "story", "bug"]) {
    write(`${root}/.agentx/workflows/${type}.toml`, WORKFLOW);
  }
}

function writeLedger(root: string, records: readonly Changes[]): void {
  const clarifications = records.map((changes) => sampleRecord(changes));
  write(`${root}/${LEDGER}`, JSON.stringify({ issueNumber: 1, clarifications }));
}

function expiredIssue(): string {
  return JSON.stringify({
    number: 1,
    title: "Take me",
    body: "",
    labels: ["type:story"],
    status: "ready",
    state: "open",
    created: PAST,
    updated: PAST,
    comments: [],
    assignee: "engineer",
    leaseUntil: PAST,
  });
}

function write(path: string, text: string): void {
  Deno.mkdirSync(folderOf(path), { recursive: true });
  Deno.writeTextFileSync(path, text);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
