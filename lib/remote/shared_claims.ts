// The claims of all machines, as this machine sees and changes them.

import { hasCode } from "../base/errors.ts";
import { isoTime } from "../base/time.ts";
import { sys } from "../sys/mod.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import type { ClaimElsewhere, LocalClaim, MachineClaims } from "../work/queue/machine_claims.ts";
import {
  type ClaimAt,
  type ClaimRefs,
  heldIn,
  type Machine,
  releaseClaim,
  type RemoteClaim,
  takeClaim,
  type WantedClaim,
  whyVoid,
} from "./claims.ts";
import {
  isOfIssue,
  RUN,
  sharingOf,
  type SharingState,
  SHORT_MS,
  type View,
  type ViewFile,
} from "./view.ts";

/** Minimum time by which a local lease must outlast the remote lease before the remote lease is renewed. */
const RENEW_MS = 60_000;

/** Time after its last push during which a claim without a local session is not yet released. */
const MAKING_MS = 60_000;

/** All claims as fetched, by key. A change of a claim counts only if nobody changed it after the fetch. */
export type AllClaims = ReadonlyMap<string, ClaimAt>;

export interface SharedClaimsOptions {
  claims: ClaimRefs;
  machine: Machine;
  view: ViewFile;
  /** Called with one sentence for a failure that did no harm. */
  notify: (message: string) => void;
}

/** News of claims. */
export interface ClaimNews extends Pick<SharingState, "claims" | "notices"> {
  /** One sentence for each claim that counts for nothing. */
  problems: string[];
}

/** Reads and changes the claims of all machines; `view` stores those of the other machines. */
export class SharedClaims implements MachineClaims {
  readonly #claims: ClaimRefs;
  readonly #machine: Machine;
  readonly #view: ViewFile;
  readonly #notify: (message: string) => void;

  constructor({ claims, machine, view, notify }: SharedClaimsOptions) {
    this.#claims = claims;
    this.#machine = machine;
    this.#view = view;
    this.#notify = notify;
  }

  async refresh(): Promise<void> {
    await this.fetch();
  }

  /** Like {@linkcode SharedClaims.refresh}, but returns all claims. */
  async fetch(): Promise<AllClaims> {
    await this.#claims.fetchAll({ timeoutMs: SHORT_MS });
    return await this.see();
  }

  elsewhere(): ReadonlyMap<string, ClaimElsewhere> {
    const now = isoTime(sys.now());
    return new Map(Object.entries(this.#view.read().claims).filter(([, { until }]) => until > now));
  }

  async take({ issue, agent, untilMs }: LocalClaim): Promise<ClaimElsewhere | undefined> {
    return await this.takeKey({ key: issue.uid, issue: issue.number, agent, untilMs });
  }

  /** Like {@linkcode SharedClaims.take}, by the key of a claim. */
  async takeKey(wanted: Omit<WantedClaim, "machine">): Promise<ClaimElsewhere | undefined> {
    const holder = await takeClaim(this.#claims, { ...wanted, machine: this.#machine });
    await this.#view.note((view) => {
      delete view.here[wanted.key];
      if (holder === undefined) delete view.claims[wanted.key];
      else view.claims[wanted.key] = { ...shownClaim(holder), issue: holder.issue };
    });
    return holder && shownClaim(holder);
  }

  async takeHere({ issue, agent }: LocalClaim): Promise<void> {
    await this.#view.note((view) => {
      view.here[issue.uid] = agent;
    });
  }

  async giveBack({ issue: { uid }, agent }: Pick<LocalClaim, "issue" | "agent">): Promise<void> {
    try {
      await this.release(uid, agent); // another session of this machine may hold it by now
    } catch (error) {
      if (!hasCode(error, "SYNC_ERROR")) throw error;
      this.#notify(`It is given back here; other machines hear of it later: ${error.summary}`);
    }
  }

  /** Releases a claim of this machine if the given agent holds it. Throws `SYNC_ERROR`. */
  async release(key: string, agent: string): Promise<void> {
    const at = await this.#claims.known(key);
    if (at === undefined || !this.#isOwn(at.claim)) return;
    if (at.claim.agent === agent) await releaseClaim(this.#claims, at);
  }

  /** Derives the claims of other machines from the refs; returns all claims, by key. */
  async see(): Promise<AllClaims> {
    const nowMs = sys.now();
    const claims: View["claims"] = {};
    const problems: string[] = [];
    const all = await this.#claims.all();
    for (const [key, at] of all) {
      const { claim } = at;
      const why = typeof claim === "string" ? claim : whyVoid(claim, nowMs);
      if (why !== undefined) problems.push(`The claim ${key} counts for nothing: ${why}`);
      const held = heldIn(at, nowMs);
      if (held === undefined || held.machine.id === this.#machine.id) continue;
      claims[key] = { ...shownClaim(held), issue: held.issue };
    }
    await this.#view.note((view) => {
      view.claims = claims;
      view.problems = problems;
    });
    return all;
  }

  /**
   * Updates the claims at the remote from the local ones: renews leases, releases claims, and takes issues that were
   * claimed offline. Calls `lose` for a local claim that another machine holds.
   */
  async settle(
    all: AllClaims,
    local: readonly LocalClaim[],
    lose: (claim: LocalClaim) => Promise<void>,
  ): Promise<void> {
    const here = new Set(local.map(({ issue }) => issue.uid));
    for (const [key, at] of all) {
      if (!this.#isOwn(at.claim) || here.has(key) || !isOfIssue(key)) continue;
      // A session pushes its claim before it has the issue locally.
      if (sys.now() - Date.parse(at.claim.claimed) < MAKING_MS) continue;
      await releaseClaim(this.#claims, at);
    }
    for (const claim of local) {
      const { issue, agent, untilMs } = claim;
      const held = heldIn(all.get(issue.uid), sys.now());
      const isOwn = held?.machine.id === this.#machine.id;
      if (isOwn && untilMs - Date.parse(held.until!) < RENEW_MS) continue;
      const holder = await this.take(claim);
      if (holder === undefined) continue;
      await lose(claim);
      const why = `${holder.agent} on ${holder.machine} has it until ${holder.until}`;
      await this.#view.note(({ notices }) => {
        const notice = `${agent} has lost #${issue.number}: ${why}`;
        if (!notices.includes(notice)) notices.push(notice);
      });
    }
  }

  /** Returns the claims of other machines, and the notices that nobody has seen yet; marks the notices as seen. */
  async news(issues: Pick<IssueStore, "view">): Promise<ClaimNews> {
    const view = this.#view.read();
    const { claims } = sharingOf("", view, { issues, nowMs: sys.now() });
    return { claims, notices: await this.#view.takeNotices(), problems: view.problems };
  }

  /** Returns the turns of this machine, by the uid of the question. */
  runs(all: AllClaims): { uid: string; giveBack: () => Promise<void> }[] {
    return [...all]
      .filter(([key, { claim }]) => key.startsWith(RUN) && this.#isOwn(claim))
      .map(([key, at]) => ({
        uid: key.slice(RUN.length),
        giveBack: () => releaseClaim(this.#claims, at),
      }));
  }

  #isOwn(claim: RemoteClaim | string): claim is RemoteClaim {
    return typeof claim !== "string" && claim.machine.id === this.#machine.id &&
      claim.until !== null;
  }
}

function shownClaim({ agent, machine, until }: RemoteClaim): ClaimElsewhere {
  return { agent, machine: machine.name, until: until! };
}
