// Several machines at work on one repository, over its git remote. Between machines, a push decides which one gets an
// issue (`claims.ts`); within a machine, the lock of the issues decides. Questions and answers travel as lines: each
// machine writes to its own ref, and folds its lines with those of the others (`fold.ts`).

import { isoTime } from "../base/time.ts";
import { sys } from "../sys/mod.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import type { LocalClaim } from "../work/queue/machine_claims.ts";
import { Contacts } from "./contacts.ts";
import { GitClaims } from "./git_claims.ts";
import { type FetchOptions, GitRemote } from "./git_remote.ts";
import { LineFiles } from "./line_files.ts";
import { type LocalParts, OtherLines } from "./other_lines.ts";
import { OwnLines } from "./own_lines.ts";
import { GitHubClaims, type GitHubClaimsOptions } from "./github_claims.ts";
import { machinePlace, type RemotePlace, sharedPlace } from "./place.ts";
import { SharedClaims } from "./shared_claims.ts";
import { Turns } from "./turns.ts";
import { sharingOf, type SharingState, type View, ViewFile } from "./view.ts";

export {
  addressOf,
  isAgreed,
  joinMachines,
  joinRemote,
  leaveRemote,
  shownAddress,
} from "./place.ts";
export type { SharedClaims } from "./shared_claims.ts";
export type { LocalParts } from "./other_lines.ts";
export { problemsIn } from "./view.ts";
export type { SharingState } from "./view.ts";

/** The parts of a workspace that take part in a sync. */
export interface SyncParts extends LocalParts {
  /** Returns the claims of agents on this machine. */
  held: () => Promise<readonly LocalClaim[]>;
  /** Ends a local claim, because another machine holds it. */
  lose: (claim: LocalClaim) => Promise<void>;
  /** Returns whether a process of this machine runs a question. */
  isRunning: (id: string) => boolean;
}

export interface RemoteOptions {
  /** Called with one sentence for a failure that did no harm. */
  notify: (message: string) => void;
}

/** Returns claims over GitHub's REST API; undefined if this machine does not take part. */
export function gitHubClaims(
  place: Pick<RemotePlace, "birth">,
  options: Omit<GitHubClaimsOptions, "folder">,
): SharedClaims | undefined {
  const own = machinePlace(place);
  if (own === undefined) return undefined;
  const claims = new GitHubClaims({ ...options, ...own });
  return new SharedClaims({ ...options, ...own, claims, view: new ViewFile(own.folder) });
}

/** The remote that the user agreed to, as this machine uses it. */
export class Remote {
  readonly name: string;
  readonly claims: SharedClaims;
  readonly contacts: Contacts;
  readonly own: OwnLines;
  readonly turns: Turns;
  readonly #git: GitRemote;
  readonly #view: ViewFile;

  /** Opens the remote; undefined if the user did not agree to one. */
  static open(place: RemotePlace, options: RemoteOptions): Remote | undefined {
    const shared = sharedPlace(place);
    return shared && new Remote({ ...place, ...shared, ...options });
  }

  private constructor(
    { root, folder, name, machine, prefix, notify }:
      & RemotePlace
      & NonNullable<ReturnType<typeof sharedPlace>>
      & RemoteOptions,
  ) {
    const git = new GitRemote({ folder: `${folder}/git`, root, name, prefix });
    const view = new ViewFile(folder);
    const lines = new LineFiles(folder, machine.id);
    const shared = { git, lines, machine, view, notify };
    this.name = name;
    this.claims = new SharedClaims({ ...shared, claims: new GitClaims(git) });
    this.own = new OwnLines(shared);
    const parts = { ...shared, claims: this.claims, own: this.own };
    this.contacts = new Contacts({ ...parts, others: new OtherLines(shared) });
    this.turns = new Turns({ ...parts, contacts: this.contacts });
    this.#git = git;
    this.#view = view;
  }

  /** Returns the news of other machines, as of the last sync. */
  view(): View {
    return this.#view.read();
  }

  /** Returns the name of another machine that answers questions to a role; undefined if there is none. */
  servedBy(role: string): string | undefined {
    return Object.values(this.view().machines).find(({ serves }) => serves.includes(role))?.name;
  }

  /** Returns the claims of other machines, and whether the last contacts failed. */
  sharing(issues: Pick<IssueStore, "view">): SharingState {
    return sharingOf(this.name, this.view(), { issues, nowMs: sys.now() });
  }

  /** Returns the size of the local copy of the refs on disk, in bytes. */
  async size(): Promise<number> {
    return await this.#git.size();
  }

  /**
   * Reads the news of other machines, and sends everything pending.
   *
   * @throws {AgentxError} `SYNC_ERROR`, `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`
   */
  async sync(parts: SyncParts, how?: FetchOptions): Promise<void> {
    await this.contacts.exchange(parts, how, async (all) => {
      await this.turns.settle(all, parts);
      await this.claims.settle(all, await parts.held(), parts.lose);
      await this.#view.note((view) => {
        view.synced = isoTime(sys.now());
      });
    });
  }

  /** Returns the notices that nobody has seen yet, and marks them as seen. */
  async takeNotices(): Promise<string[]> {
    return await this.#view.takeNotices();
  }
}
