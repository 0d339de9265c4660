// Contacts with the remote: fetch the news of other machines, and send everything pending of this machine.

import { AgentxError, hasCode } from "../base/errors.ts";
import { isoTime } from "../base/time.ts";
import { sys } from "../sys/mod.ts";
import type { FetchOptions, GitRemote } from "./git_remote.ts";
import type { LocalParts, OtherLines } from "./other_lines.ts";
import type { OwnLines } from "./own_lines.ts";
import type { AllClaims, SharedClaims } from "./shared_claims.ts";
import { SHORT_MS, type View, type ViewFile } from "./view.ts";

const ALL = "refs/agentx/";

/** Interval of contacts while another machine runs a question. */
const HEAR_MS = 2_000;

/** Time after a failed contact during which a command with other work does not try again. */
const QUIET_MS = 15_000;

export interface ContactsOptions {
  git: GitRemote;
  claims: SharedClaims;
  own: OwnLines;
  others: OtherLines;
  view: ViewFile;
}

/** Makes contact with the remote. */
export class Contacts {
  readonly #git: GitRemote;
  readonly #claims: SharedClaims;
  readonly #own: OwnLines;
  readonly #others: OtherLines;
  readonly #view: ViewFile;
  #heardMs = -Infinity;

  constructor({ git, claims, own, others, view }: ContactsOptions) {
    this.#git = git;
    this.#claims = claims;
    this.#own = own;
    this.#others = others;
    this.#view = view;
  }

  /**
   * Exchanges questions and answers, then runs `andThen`; stores why the contact failed, if it did. Throws
   * `SYNC_ERROR`.
   */
  async exchange(
    parts: LocalParts,
    how?: FetchOptions,
    andThen?: (all: AllClaims) => Promise<void>,
  ): Promise<void> {
    let failed: View["failed"] = null;
    try {
      const all = await this.#exchange(parts, how);
      await andThen?.(all);
    } catch (error) {
      if (!hasCode(error, "SYNC_ERROR")) throw error;
      failed = { at: isoTime(sys.now()), why: error.summary };
      throw error;
    } finally {
      if (failed !== null || this.#view.read().failed !== null) {
        await this.#view.note((view) => {
          view.failed = failed;
        });
      }
    }
  }

  /**
   * Exchanges questions and answers. After a failure they stay pending, and the next attempts are skipped for a while.
   */
  async hear(parts: LocalParts): Promise<void> {
    const { failed } = this.#view.read();
    if (failed !== null && sys.now() - Date.parse(failed.at) < QUIET_MS) return;
    try {
      await this.exchange(parts, { timeoutMs: SHORT_MS });
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }

  /** Like {@linkcode Contacts.hear}, but does nothing if the last contact was a moment ago. */
  async hearAgain(parts: LocalParts): Promise<void> {
    if (performance.now() - this.#heardMs < HEAR_MS) return;
    this.#heardMs = performance.now();
    await this.hear(parts);
  }

  async #exchange(parts: LocalParts, how?: FetchOptions): Promise<AllClaims> {
    await this.#own.add(parts);
    const beganMs = sys.now();
    await this.#git.fetch(ALL, how);
    this.#heardMs = performance.now();
    const all = await this.#claims.see();
    await this.#others.read(isoTime(beganMs));
    await this.#others.fold(parts);
    await this.#own.send();
    if (Math.random() < 1 / 200) await this.#git.tidy();
    return all;
  }
}

/**
 * Whether an error is temporary: the remote is out of reach, or a sandbox may not write to the folder of the user.
 * Everything then stays pending.
 */
export function isPassing(error: unknown): boolean {
  return error instanceof AgentxError &&
    ["SYNC_ERROR", "IO_ERROR", "LOCK_TIMEOUT"].includes(error.code);
}
