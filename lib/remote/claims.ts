// A claim across machines: the ref `refs/agentx/claims/{key}`, where the key is the uid of an issue, or names a
// question. A commit names its holder and its end. Each change is a child of the commit that its writer read, and the
// remote takes it only if the ref still leads there. So exactly one of any number of writers wins.
//
// Each commit has a nonce. Without it two writers that say the same in the same second make the same object, and both
// believe that they won (measured: 40 to 50 of 100 changes were lost so). Nobody deletes a ref: GitHub's interface
// deletes without a condition. A released claim says so, and counts as free.

import { isObject, isTime, tryParseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { isoTime } from "../base/time.ts";
import { sys } from "../sys/mod.ts";

/** A machine, as others see it. */
export interface Machine {
  /** Its own in each repository: 12 letters and digits by chance. */
  id: string;
  /** Its host name. */
  name: string;
  /** The user that it works for. */
  login: string;
}

/** The content of a commit of a claim. */
export interface RemoteClaim {
  v: 1;
  /** The uid of an issue, or `run-...` of a question. */
  key: string;
  /** The number of the issue on that machine. */
  issue: number;
  /** Such as `engineer@claude-3f2a`. */
  agent: string;
  machine: Machine;
  /** ISO-8601, UTC, by the clock of that machine: when it was taken or renewed last. */
  claimed: string;
  /** The end of the lease, in the same form; null for a claim that was given back. */
  until: string | null;
  nonce: string;
}

/** The newest commit of a claim. */
export interface ClaimAt {
  /** The commit. */
  id: string;
  /** The claim, or in a few words why it is none. */
  claim: RemoteClaim | string;
}

/** Where claims are kept: refs that git reads and writes (`git_claims.ts`), or GitHub's REST API (`github_claims.ts`). */
export interface ClaimRefs {
  /** Asks the remote for all claims. @throws {AgentxError} `SYNC_ERROR` */
  fetchAll(how?: { timeoutMs?: number }): Promise<void>;
  /** All claims as read last, by key. */
  all(): Promise<Map<string, ClaimAt>>;
  /** The claim as read last, without asking the remote; undefined if none is known. */
  known(key: string): Promise<ClaimAt | undefined>;
  /** Asks the remote. @throws {AgentxError} `SYNC_ERROR` */
  read(key: string): Promise<ClaimAt | undefined>;
  /**
   * Writes a claim over the commit that was read; `before` is null if there was none.
   *
   * @returns whether this writer won
   * @throws {AgentxError} `SYNC_ERROR` where that is not known
   */
  write(claim: RemoteClaim, before: string | null): Promise<boolean>;
}

/** Clocks of machines may differ by this without a lease being cut short. */
export const CLOCKS_MS = 60_000;

/** No lease is longer, and a claim beyond it counts for nothing. */
const MAX_LEASE_MS = 367 * 24 * 60 * 60_000;

/** The id of a machine. */
export const MACHINE_ID = /^[0-9a-v]{12}$/;

const KEY = /^[A-Za-z0-9](?:[\w-]|\.(?!\.|lock$)){0,120}[\w-]$/;
const AGENT = /^[a-z][a-z0-9-]{0,39}(?:@[\w.-]{1,60})?$/;

/** How often a writer that lost to a claim that is free again begins anew. */
const MAX_TRIES = 10;

/** Where the refs are. */
export const CLAIMS = "refs/agentx/claims/";

/** The name of the ref. Throws `RangeError` for a key that makes none. */
export function claimRef(key: string): string {
  if (!KEY.test(key)) throw new RangeError(`Invalid key of a claim: ${key}`);
  return `${CLAIMS}${key}`;
}

/** All claims by key, from the refs. */
export function claimsIn(
  refs: Iterable<{ name: string; id: string; subject: string | undefined }>,
): Map<string, ClaimAt> {
  return new Map(Array.from(refs, ({ name, id, subject }) => {
    const key = name.slice(CLAIMS.length);
    const claim = KEY.test(key) ? parseClaim(subject, key) : "its ref is not named so";
    return [key, { id, claim }];
  }));
}

/** The one line that a commit of a claim has. */
export function encodeClaim(claim: RemoteClaim): string {
  return JSON.stringify(claim);
}

/** Reads the line of a commit; or says in a few words why it is no claim. */
function parseClaim(subject: string | undefined, key: string): RemoteClaim | string {
  const value = subject === undefined ? undefined : tryParseJson(subject);
  if (!isObject(value)) return "it is not a claim in JSON";
  if (value.v !== 1) return `a newer agentx wrote it (version ${String(value.v).slice(0, 20)})`;
  const { machine, issue, agent, claimed, until, nonce } = value;
  if (value.key !== key) return "it names another key than its ref";
  const isWhole = isMachine(machine) && Number.isSafeInteger(issue) && isTime(claimed) &&
    (until === null || isTime(until)) && typeof nonce === "string";
  if (!isWhole || typeof agent !== "string" || !AGENT.test(agent)) return "it lacks who or when";
  return value as unknown as RemoteClaim;
}

/** Whether a value says which machine wrote something. */
export function isMachine(value: unknown): value is Machine {
  if (!isObject(value)) return false;
  const isShort = (text: unknown) => typeof text === "string" && text.length <= 100;
  return MACHINE_ID.test(String(value.id)) && isShort(value.name) && isShort(value.login);
}

/** Says why a well-formed claim is void; undefined if it counts. */
export function whyVoid({ until }: RemoteClaim, nowMs: number): string | undefined {
  return until !== null && Date.parse(until) - nowMs > MAX_LEASE_MS
    ? `it lasts until ${until.slice(0, 10)}, and a year is the most`
    : undefined;
}

/** The claim, where a machine has it now. */
export function heldIn(at: ClaimAt | undefined, nowMs: number): RemoteClaim | undefined {
  if (at === undefined || typeof at.claim === "string") return undefined;
  const { claim } = at;
  if (claim.until === null || whyVoid(claim, nowMs) !== undefined) return undefined;
  return Date.parse(claim.until) + CLOCKS_MS > nowMs ? claim : undefined;
}

/** A commit that the ref of a claim shall lead to. */
export interface ClaimMove {
  key: string;
  /** The commit. */
  id: string;
  /** The expected commit of the ref before; null if there must be none. */
  before: string | null;
  /** How often it is sent. */
  tries: number;
  /** The name of the remote. */
  remote: string;
  /** Sends it once. `unclear`: the ref was locked, or the answer did not come. */
  send: () => Promise<"done" | "changed" | "unclear">;
}

/**
 * Moves the ref of a claim; returns whether this writer won. A lock is no loss, and an answer that did not come may
 * have been yes: the ref says which. Throws `SYNC_ERROR`.
 */
export async function moveClaim(
  refs: Pick<ClaimRefs, "read">,
  { key, id, before, tries, remote, send }: ClaimMove,
): Promise<boolean> {
  for (let left = tries;; left--) {
    const sent = await send();
    if (sent !== "unclear") return sent === "done";
    const now = await refs.read(key);
    if (now?.id === id) return true;
    if ((now?.id ?? null) !== before) return false;
    if (left === 0) break;
    await sys.wait(10 + Math.random() * 90);
  }
  const reason = `the ref of ${key} stays locked`;
  throw new AgentxError("SYNC_ERROR", `Cannot write to the remote ${remote}: ${reason}`, {
    details: { remote, reason },
    next: "Try again; if it stays so, look at the remote",
  });
}

/** A claim to take. */
export type WantedClaim = Pick<RemoteClaim, "key" | "issue" | "agent" | "machine"> & {
  /** Milliseconds since the epoch. */
  untilMs: number;
};

/**
 * Takes a claim, or makes one of this machine last longer.
 *
 * @returns the claim of another machine that has it; undefined where this one has it now
 * @throws {AgentxError} `SYNC_ERROR`
 */
export async function takeClaim(
  refs: ClaimRefs,
  { untilMs, ...wanted }: WantedClaim,
): Promise<RemoteClaim | undefined> {
  let seen = await refs.known(wanted.key);
  for (let tries = 0;; tries++) {
    const nowMs = sys.now();
    const holder = heldIn(seen, nowMs);
    const isOwn = holder?.machine.id === wanted.machine.id;
    if (holder !== undefined && !isOwn) {
      if (tries > 0) return holder;
    } else {
      // A claim of another session of this machine is written anew, too: that session may be giving it back.
      const endMs = Math.max(untilMs, isOwn ? Date.parse(holder!.until!) : 0);
      const [claimed, until] = [nowMs, endMs].map(isoTime);
      const claim: RemoteClaim = { v: 1, ...wanted, claimed, until, nonce: crypto.randomUUID() };
      if (await refs.write(claim, seen?.id ?? null)) return undefined;
    }
    seen = await refs.read(wanted.key);
    if (tries < MAX_TRIES) continue;
    const last = heldIn(seen, sys.now());
    if (last !== undefined) return last;
    tries = 0;
    await sys.wait(50 + Math.random() * 200);
  }
}

/**
 * Gives back a claim as it was read. If somebody has changed it since, it stays.
 *
 * @throws {AgentxError} `SYNC_ERROR`
 */
export async function releaseClaim(refs: ClaimRefs, { id, claim }: ClaimAt): Promise<void> {
  if (typeof claim === "string" || claim.until === null) return;
  await refs.write({ ...claim, until: null, nonce: crypto.randomUUID() }, id);
}
