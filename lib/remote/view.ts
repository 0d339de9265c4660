// News of other machines as of the last sync, stored in the user's own state folder.

import { isObject } from "../base/checks.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import type { Machine } from "./claims.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import type { ClaimElsewhere } from "../work/queue/machine_claims.ts";

/** Prefix of the key of a claim to run a question. */
export const RUN = "run-";

/**
 * Prefix of the key of a claim for a scheduled task. The machine that ran the task keeps the claim until the next run.
 */
export const TASK = "task-";

/** Whether a key is that of a claim on an issue. */
export function isOfIssue(key: string): boolean {
  return !key.startsWith(RUN) && !key.startsWith(TASK);
}

/** Maximum time that a command with other work waits for a remote that does not answer. */
export const SHORT_MS = 10_000;

/** News of other machines. */
export interface View {
  v: 1;
  /** End of the last complete sync, ISO-8601, UTC; null for none. */
  synced: string | null;
  /** Start of the last contact that reached the remote. */
  heard: string | null;
  /** Why and when the last contact failed; null if it succeeded. */
  failed: { at: string; why: string } | null;
  /** Claims of other machines, by key: the uid of an issue, or the key of a question or a scheduled task. */
  claims: Record<string, ClaimElsewhere & { issue: number }>;
  /** The agents that claimed an issue on this machine only, by uid. */
  here: Record<string, string>;
  /** The other machines, by id. */
  machines: Record<string, KnownMachine>;
  /** The commit with this machine's lines that the remote has. */
  sent: { commit: string; lines: number; serves: string[] } | null;
  /** Number of lines that may have left this machine. */
  offered: number;
  /**
   * Questions that run on this machine without the consent of the others. Their lines stay here until the run has
   * ended.
   */
  kept: string[];
  /** Clarifications that could not be stored yet, each with the reason. */
  waiting: Record<string, string>;
  /** Lines of this machine that lost and were already reported. */
  told: string[];
  /** Notices that nobody has seen yet, one sentence each. */
  notices: string[];
  /** Problems in claims of other machines, one sentence each. */
  problems: string[];
}

/** Another machine. */
export interface KnownMachine extends Machine {
  /** The commit of the machine's lines that was read last. */
  read: string;
  /** Number of the machine's lines that are in the local ledgers. */
  folded: number;
  /**
   * Minimum clock offset of that machine in milliseconds: positive if it is ahead of this one, negative if it is
   * behind.
   */
  clockMs: number;
  /** The machine answers questions to these roles. */
  serves: string[];
  /** Problems in the machine's lines, one sentence each. */
  problems: string[];
}

const NEW_VIEW: View = {
  v: 1,
  synced: null,
  heard: null,
  failed: null,
  claims: {},
  here: {},
  machines: {},
  sent: null,
  offered: 0,
  kept: [],
  waiting: {},
  told: [],
  notices: [],
  problems: [],
};

/** The file that stores a view. */
export class ViewFile {
  readonly #file: JsonFile<View>;

  constructor(folder: string) {
    this.#file = new JsonFile<View>(`${folder}/view.json`, new FileLockManager(), {
      problemWith: viewProblem,
      kind: "state",
      fsync: false,
    });
  }

  read(): View {
    return this.#file.read() ?? NEW_VIEW;
  }

  async note(change: (view: View) => void): Promise<void> {
    await this.#file.update("remote", (view = structuredClone(NEW_VIEW)) => {
      change(view);
      return view;
    });
  }

  /** Returns the notices that nobody has seen yet, and marks them as seen. */
  async takeNotices(): Promise<string[]> {
    const { notices } = this.read();
    if (notices.length > 0) {
      await this.note((view) => {
        view.notices = view.notices.filter((notice) => !notices.includes(notice));
      });
    }
    return notices;
  }
}

/** Returns why a value is no view; undefined if it is one. */
function viewProblem(value: unknown): string | undefined {
  const isWhole = isObject(value) && value.v === 1 &&
    [value.claims, value.here, value.machines, value.waiting].every(isObject) &&
    [value.notices, value.problems, value.kept, value.told].every(Array.isArray);
  return isWhole ? undefined : "it is not what agentx wrote";
}

/** Returns all problems, one sentence each. */
export function problemsIn({ problems, machines, waiting }: View): string[] {
  return [
    ...problems,
    ...Object.values(machines).flatMap(({ problems }) => problems),
    ...Object.values(waiting),
  ];
}

/** A claim of an agent, as `status` and the board show it. */
export interface ShownClaim {
  /** The number of the issue on the machine that claimed it. */
  issue: number;
  agent: string;
  /** The other machine; null for a claim on this machine that other machines have not accepted yet. */
  machine: string | null;
  /** ISO-8601, UTC; null if other machines do not know the claim yet. */
  until: string | null;
}

/** The state of sharing in a workspace, for one screen. */
export interface SharingState {
  /** The name of the git remote. */
  remote: string;
  /** End of the last complete sync, ISO-8601, UTC; null for none. */
  synced: string | null;
  /** Why the last contact failed; null if it succeeded. */
  failed: string | null;
  claims: ShownClaim[];
  /** Notices that nobody has seen yet. */
  notices: string[];
}

/** Derives the state of sharing from a view. */
export function sharingOf(
  remote: string,
  { synced, failed, claims, here, notices }: View,
  { issues, nowMs }: { issues: Pick<IssueStore, "view">; nowMs: number },
): SharingState {
  const { byUid } = issues.view();
  const numberOf = (uid: string) => byUid.get(uid)?.issue.number;
  const shown = Object.entries(claims)
    .filter(([key, { until }]) => isOfIssue(key) && Date.parse(until) > nowMs)
    .map(([uid, claim]): ShownClaim => ({ ...claim, issue: numberOf(uid) ?? claim.issue }));
  const offline = Object.entries(here).map(([uid, agent]): ShownClaim => {
    return { issue: numberOf(uid) ?? 0, agent, machine: null, until: null };
  });
  return {
    remote,
    synced,
    failed: failed?.why ?? null,
    claims: [...shown, ...offline],
    notices,
  };
}
