// The right to run a question, which only one machine has at a time.

import { hasCode } from "../base/errors.ts";
import { issueNumberOf, lastEntry } from "../clarify/schema.ts";
import { sys } from "../sys/mod.ts";
import { CLOCKS_MS } from "./claims.ts";
import { type Contacts, isPassing } from "./contacts.ts";
import type { LocalParts } from "./other_lines.ts";
import type { OwnLines } from "./own_lines.ts";
import type { AllClaims, SharedClaims } from "./shared_claims.ts";
import { RUN, TASK, type ViewFile } from "./view.ts";

/** Length of a turn: two runs with a retry between them. */
const RUN_MS = 15 * 60_000;

const YEAR_MS = 365 * 24 * 60 * 60_000;

/** The right to run a question. */
export interface Turn {
  /** Sends the answer, and releases the right. */
  end(): Promise<void>;
}

export interface TurnsOptions {
  claims: SharedClaims;
  contacts: Contacts;
  own: OwnLines;
  view: ViewFile;
  /** Called with one sentence for a failure that did no harm. */
  notify: (message: string) => void;
}

/** Takes and releases the turns of this machine. */
export class Turns {
  readonly #claims: SharedClaims;
  readonly #contacts: Contacts;
  readonly #own: OwnLines;
  readonly #view: ViewFile;
  readonly #notify: (message: string) => void;

  constructor({ claims, contacts, own, view, notify }: TurnsOptions) {
    this.#claims = claims;
    this.#contacts = contacts;
    this.#own = own;
    this.#view = view;
    this.#notify = notify;
  }

  /**
   * Takes the right to run a question. This also fetches all answers from the remote, so the caller must look at the
   * question again.
   *
   * @returns undefined if another machine runs the question, or may do so
   */
  async take(id: string, parts: LocalParts): Promise<Turn | undefined> {
    try {
      await this.#own.add(parts);
      const { shared, to: agent } = parts.ledger.getById(id);
      if (shared === undefined) return { end: () => Promise.resolve() };
      const key = `${RUN}${shared.uid}`;
      if (this.#claims.elsewhere().has(key)) {
        await this.#contacts.hearAgain(parts);
        return undefined;
      }
      const wanted = { key, issue: issueNumberOf(id), agent, untilMs: sys.now() + RUN_MS };
      if (await this.#claims.takeKey(wanted) !== undefined) return undefined;
      await this.#contacts.exchange(parts);
      return { end: () => this.#end(wanted, parts) };
    } catch (error) {
      if (!isPassing(error)) throw error;
      const uid = hasCode(error, "SYNC_ERROR") ? await this.#keep(id, parts) : undefined;
      if (uid !== undefined) return { end: () => this.#letGo(uid, parts) };
      this.#notify(`${id} is not run: other machines may run it, and cannot be asked now`);
      return undefined;
    }
  }

  /**
   * Takes the run of a scheduled task. The run is free for all machines again when the next one is due.
   *
   * @returns false if another machine has taken the run
   * @throws {AgentxError} `SYNC_ERROR`
   */
  async takeTask(id: string, nextMs: number): Promise<boolean> {
    const nowMs = sys.now();
    // Other machines regard the claim as held for a little longer than its lease.
    const endMs = Math.min(nextMs - 2 * CLOCKS_MS, nowMs + YEAR_MS);
    const untilMs = Math.max(nowMs + 1_000, endMs);
    const wanted = { key: `${TASK}${id}`, issue: 0, agent: "schedule", untilMs };
    return await this.#claims.takeKey(wanted) === undefined;
  }

  /** Releases the turns of processes that died; their answers were sent before. */
  async settle(
    all: AllClaims,
    { ledger, isRunning }: Pick<LocalParts, "ledger"> & { isRunning: (id: string) => boolean },
  ): Promise<void> {
    const turns = this.#claims.runs(all);
    const { kept } = this.#view.read();
    if (turns.length + kept.length === 0) return;
    const { clarifications } = ledger.scan();
    const running = new Set(
      clarifications.flatMap(({ id, shared }) => shared && isRunning(id) ? [shared.uid] : []),
    );
    for (const { uid, giveBack } of turns) if (!running.has(uid)) await giveBack();
    const left = kept.filter((uid) => !running.has(uid));
    if (left.length === 0) return;
    await this.#own.letGo(left);
    await this.#own.send();
  }

  async #end({ key, agent }: { key: string; agent: string }, parts: LocalParts): Promise<void> {
    try {
      await this.#contacts.exchange(parts); // first the answer, so nobody runs it again
      await this.#claims.release(key, agent);
    } catch (error) {
      if (!isPassing(error)) throw error; // the next sync does both
    }
  }

  /**
   * Keeps the answer of a run that other machines do not know of on this machine; returns the uid of the question if
   * that is still possible.
   */
  async #keep(id: string, { ledger }: LocalParts): Promise<string | undefined> {
    const { shared, thread } = ledger.getById(id);
    const line = lastEntry({ thread }, "question")?.line;
    return shared !== undefined && await this.#own.keepHere(shared.uid, line)
      ? shared.uid
      : undefined;
  }

  async #letGo(uid: string, parts: LocalParts): Promise<void> {
    await this.#own.add(parts);
    await this.#own.letGo([uid]);
  }
}
