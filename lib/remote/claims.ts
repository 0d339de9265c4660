// A claim across machines: the ref `refs/agentx/claims/{key}`, where the key is the uid of an issue, or names a
// question or a scheduled task. A commit names the holder and the end of the claim. Each change is a child of the
// commit that its writer read, and the remote accepts it only if the ref still points to that commit. So exactly one of
// any number of writers wins.
//
// Each commit has a nonce. Without it, two writers with the same content in the same second make the same object, and
// both believe that they won (measured: 40 to 50 of 100 changes were lost this way). Nobody deletes a ref, because
// GitHub's interface deletes without a condition. A released claim is marked as released, and counts as free.

import { isObject, isTime, tryParseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { isoTime } from "../base/time.ts";
import { sys } from "../sys/mod.ts";

/** A machine, as others see it. */
export interface Machine {
  /** A random id of 12 letters and digits; a machine has a different one in each repository. */
  id: string;
  /** The host name of the machine. */
  name: string;
  /** The user that the machine works for. */
  login: string;
}

/** The content of a commit of a claim. */
export interface RemoteClaim {
  v: 1;
  /** The uid of an issue, `run-...` for a question, or `task-...` for a scheduled task. */
  key: string;
  /** The number of the issue on that machine. */
  issue: number;
  /** Such as `engineer@claude-3f2a`. */
  agent: string;
  machine: Machine;
  /** Time at which the claim was taken or last renewed, ISO-8601, UTC, by the clock of that machine. */
  claimed: string;
  /** The end of the lease, in the same form; null for a claim that was released. */
  until: string | null;
  nonce: string;
}

/** The newest commit of a claim. */
export interface ClaimAt {
  /** The id of the commit. */
  id: string;
  /** The claim, or a few words that say why the commit is no claim. */
  claim: RemoteClaim | string;
}

/**
 * The place where claims are kept: refs that git reads and writes (`git_claims.ts`), or GitHub's REST API
 * (`github_claims.ts`).
 */
export interface ClaimRefs {
  /** Fetches all claims from the remote. @throws {AgentxError} `SYNC_ERROR` */
  fetchAll(how?: { timeoutMs?: number }): Promise<void>;
  /** Returns all claims as last fetched, by key. */
  all(): Promise<Map<string, ClaimAt>>;
  /** Returns the claim as last read, without asking the remote; undefined if none is known. */
  known(key: string): Promise<ClaimAt | undefined>;
  /** Reads a claim from the remote. @throws {AgentxError} `SYNC_ERROR` */
  read(key: string): Promise<ClaimAt | undefined>;
  /**
   * Writes a claim on top of the commit that was read; `before` is null if there was none.
   *
   * @returns whether this writer won
   * @throws {AgentxError} `SYNC_ERROR` if the outcome is unknown
   */
  write(claim: RemoteClaim, before: string | null): Promise<boolean>;
}

/** If the clocks of machines differ by no more than this, no lease is cut short. */
export const CLOCKS_MS = 60_000;

/** Maximum length of a lease; a longer claim counts for nothing. */
const MAX_LEASE_MS = 367 * 24 * 60 * 60_000;

/** Matches the id of a machine. */
export const MACHINE_ID = /^[0-9a-v]{12}$/;

const KEY = /^[A-Za-z0-9](?:[\w-]|\.(?!\.|lock$)){0,120}[\w-]$/;
const AGENT = /^[a-z][a-z0-9-]{0,39}(?:@[\w.-]{1,60})?$/;

/** Maximum number of new attempts of a writer that lost, while the claim is free again. */
const MAX_TRIES = 10;

/** Prefix of the refs of claims. */
export const CLAIMS = "refs/agentx/claims/";

/** Returns the name of the ref for a key. Throws `RangeError` for an invalid key. */
export function claimRef(key: string): string {
  if (!KEY.test(key)) throw new RangeError(`Invalid key of a claim: ${key}`);
  return `${CLAIMS}${key}`;
}

/** Reads all claims from the refs; returns them by key. */
export function claimsIn(
  refs: Iterable<{ name: string; id: string; subject: string | undefined }>,
): Map<string, ClaimAt> {
  return new Map(Array.from(refs, ({ name, id, subject }) => {
    const key = name.slice(CLAIMS.length);
    const claim = KEY.test(key) ? parseClaim(subject, key) : "its ref is not named so";
    return [key, { id, claim }];
  }));
}

/** Returns the single line that a commit of a claim has as its message. */
export function encodeClaim(claim: RemoteClaim): string {
  return JSON.stringify(claim);
}

/** Reads the line of a commit; if it is no claim, returns the reason in a few words. */
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

/** Whether a value names the machine that wrote something. */
export function isMachine(value: unknown): value is Machine {
  if (!isObject(value)) return false;
  const isShort = (text: unknown) => typeof text === "string" && text.length <= 100;
  return MACHINE_ID.test(String(value.id)) && isShort(value.name) && isShort(value.login);
}

/** Returns why a well-formed claim is void; undefined if it counts. */
export function whyVoid({ until }: RemoteClaim, nowMs: number): string | undefined {
  return until !== null && Date.parse(until) - nowMs > MAX_LEASE_MS
    ? `it lasts until ${until.slice(0, 10)}, and a year is the most`
    : undefined;
}

/** Returns the claim if it is in force now; undefined if it is free, void or unreadable. */
export function heldIn(at: ClaimAt | undefined, nowMs: number): RemoteClaim | undefined {
  if (at === undefined || typeof at.claim === "string") return undefined;
  const { claim } = at;
  if (claim.until === null || whyVoid(claim, nowMs) !== undefined) return undefined;
  return Date.parse(claim.until) + CLOCKS_MS > nowMs ? claim : undefined;
}

/** A change of a claim's ref to a new commit. */
export interface ClaimMove {
  key: string;
  /** The id of the new commit. */
  id: string;
  /** The commit that the ref must point to before; null if the ref must not exist. */
  before: string | null;
  /** Maximum number of attempts. */
  tries: number;
  /** The name of the remote. */
  remote: string;
  /** Sends the change once. `unclear`: the ref was locked, or no answer came. */
  send: () => Promise<"done" | "changed" | "unclear">;
}

/**
 * Moves the ref of a claim; returns whether this writer won. If the ref was locked or no answer came, it reads the ref
 * to find out whether the change was made. Throws `SYNC_ERROR`.
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
 * Takes a claim, or extends one of this machine.
 *
 * @returns the claim of another machine that holds it; undefined if this machine holds it now
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
      // A claim of another session of this machine is written again, too, because that session may be releasing it.
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
 * Releases a claim in the version that was read. If somebody has changed it since, it stays.
 *
 * @throws {AgentxError} `SYNC_ERROR`
 */
export async function releaseClaim(refs: ClaimRefs, { id, claim }: ClaimAt): Promise<void> {
  if (typeof claim === "string" || claim.until === null) return;
  await refs.write({ ...claim, until: null, nonce: crypto.randomUUID() }, id);
}
