// News of other machines as of the last sync, kept in the user's own state folder.

import { isObject } from "../base/checks.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import type { Machine } from "./claims.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import type { ClaimElsewhere } from "../work/queue/machine_claims.ts";

/** The key of a claim to run a question begins so. */
export const RUN = "run-";

/** Prefix of a claim for a scheduled task. The machine that ran the task keeps it until the next run. */
export const TASK = "task-";

/** Whether a claim is of an issue. */
export function isOfIssue(key: string): boolean {
  return !key.startsWith(RUN) && !key.startsWith(TASK);
}

/** A command that has other things to do waits no longer for a remote that does not answer. */
export const SHORT_MS = 10_000;

/** News of other machines. */
export interface View {
  v: 1;
  /** ISO-8601, UTC: when the last complete sync ended; null for none. */
  synced: string | null;
  /** When the last contact that reached the remote began. */
  heard: string | null;
  /** Why the last contact failed; null if it did not. */
  failed: { at: string; why: string } | null;
  /** Claims of other machines, by the uid of the issue or the key of a question. */
  claims: Record<string, ClaimElsewhere & { issue: number }>;
  /** The agents that claimed an issue on this machine alone, by uid. */
  here: Record<string, string>;
  /** The other machines, by id. */
  machines: Record<string, KnownMachine>;
  /** The commit of this machine's lines that the remote has. */
  sent: { commit: string; lines: number; serves: string[] } | null;
  /** So many lines of this machine may have left it. */
  offered: number;
  /** Questions that run here without the consent of the others: their lines stay here until the run has ended. */
  kept: string[];
  /** Clarifications that could not be kept yet, and why. */
  waiting: Record<string, string>;
  /** Lines of this machine that lost, and were reported. */
  told: string[];
  /** Notices that nobody has seen yet, one sentence each. */
  notices: string[];
  /** Problems in claims of others, one sentence each. */
  problems: string[];
}

/** Another machine. */
export interface KnownMachine extends Machine {
  /** The commit of its lines that was read last. */
  read: string;
  /** So many of its lines are in the ledgers. */
  folded: number;
  /** At least so far its clock is ahead of this one, or behind if negative, in milliseconds. */
  clockMs: number;
  /** It answers questions to these roles. */
  serves: string[];
  /** Problems in its lines, one sentence each. */
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

/** The file of a view. */
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

  /** Notices that nobody has seen yet; from now on they count as seen. */
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

/** Says why a value is no such file; undefined if it is one. */
function viewProblem(value: unknown): string | undefined {
  const isWhole = isObject(value) && value.v === 1 &&
    [value.claims, value.here, value.machines, value.waiting].every(isObject) &&
    [value.notices, value.problems, value.kept, value.told].every(Array.isArray);
  return isWhole ? undefined : "it is not what agentx wrote";
}

/** All that is wrong, one sentence each. */
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
  /** Another machine; null for a claim on this one that was not settled with the others. */
  machine: string | null;
  /** ISO-8601, UTC; null if the others do not know it yet. */
  until: string | null;
}

/** The sharing of a workspace, on one screen. */
export interface SharingState {
  /** The name of the git remote. */
  remote: string;
  /** ISO-8601, UTC: the last complete sync; null for none. */
  synced: string | null;
  /** Why the last contact failed; null if it did not. */
  failed: string | null;
  claims: ShownClaim[];
  /** Notices that nobody has seen yet. */
  notices: string[];
}

/** The sharing of a workspace from its news. */
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
