// The ready queue: lists the issues that can be claimed, and claims them (PRD US-3.3).
//
// An issue is claimed under its own lock, on fresh data. If several processes want the same issue, one gets it, and
// the others try the next issue.

import { HUB, parseAgentName, roleOf } from "../../base/agent_names.ts";
import type { ClarificationLedger } from "../../clarify/ledger/ledger.ts";
import { activeByAge } from "../../clarify/ledger/ledger_files.ts";
import { askerOf, issueNumberOf } from "../../clarify/schema.ts";
import type { AgentStatusStore } from "../../clarify/status/status.ts";
import { agentsOf } from "../../clarify/status/status_file.ts";
import { AgentxError } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { enumerate } from "../../base/quote.ts";
import { DEFAULT_LEASE_MS, isOpen, type Issue, type StepClaim } from "../issue/issue.ts";
import { type FoldedIssue, statusBeforeClaims } from "../issue/fold.ts";
import type { IssueScan, IssueStore } from "../issue/issue_store.ts";
import {
  type AgentStatuses,
  checkLeaseMs,
  endLease,
  endStepClaims,
  extendLease,
  grantLease,
  grantStep,
  holdersOf,
  isUnderWay,
  type LeaseJudge,
  ownerOf,
} from "./lease.ts";
import type { LocalClaim, MachineClaims } from "./machine_claims.ts";
import { type NextStep, type Queue, selectReady } from "./selection.ts";

/** The stores and callbacks of the queue. `openWorkspace` provides them. */
export interface ReadyQueueOptions {
  /** The store of issues. */
  issues: IssueStore;
  /** Knows which issues wait for an answer. */
  ledger: ClarificationLedger;
  /** Knows which agents have left their issue. */
  status: AgentStatusStore;
  /**
   * Reads the current routes of issues, and the roles that have finished.
   *
   * @internal
   */
  routes?: () => Routes;
  /**
   * Returns whether an issue of another project, such as `owner/repo#12`, is known to be closed.
   *
   * @internal
   */
  isClosedElsewhere?: (ref: string) => boolean;
  /**
   * Decides which machine gets a claim, if several machines share the workspace.
   *
   * @internal
   */
  machines?: () => Promise<MachineClaims | undefined>;
  /**
   * Called after an agent has claimed an issue.
   *
   * @internal
   */
  onClaim?: (issueNumber: number, agent: string) => Promise<void>;
  /**
   * Called with a message for each harmless failure.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/** Routes of issues, and the roles that have finished. */
export interface Routes {
  /** Returns the next steps of an issue; undefined if it has no type. */
  nextSteps(issue: Issue): readonly NextStep[] | undefined;
  /** Returns whether a step of the issue was claimed by its role, or is complete. */
  isBegun(issue: Issue): boolean;
  /** Returns the steps that wait for a person, if no step of the issue can be taken without an answer. */
  stoppedSteps(issue: Issue): readonly string[];
  /** Returns whether a role has finished its work on an issue. */
  isFinished(issue: Issue, role: string): boolean;
  /** Returns whether all roles have finished their work on an issue. */
  isOver(issue: Issue): boolean;
}

const NO_ROUTES: Routes = {
  nextSteps: () => undefined,
  isBegun: () => false,
  stoppedSteps: () => [],
  isFinished: () => false,
  isOver: () => false,
};

/** The queue, and the files that it lacks. */
export interface ReadyList extends Queue {
  /** One `CORRUPT_STATE` or `IO_ERROR` per file that was left out. */
  problems: AgentxError[];
}

/** Options of {@linkcode ReadyQueue.claim}. */
export interface ClaimOptions {
  /** Claim this issue only. */
  issueNumber?: number;
  /** The host session that claims. When the session ends, its claims end too. */
  session?: string;
  /** Length of the lease without a renewal, in milliseconds. */
  leaseMs?: number;
  /** The step to claim; by default the next step of the agent's role. */
  step?: string;
  /** Whether to claim the named issue even if it is another role's turn. */
  isForced?: boolean;
  /** Whether to claim on this machine only, without asking the others. */
  isOffline?: boolean;
}

const NO_STATUSES: AgentStatuses = new Map();

/** Options for claiming one issue under its lock. */
interface TakeOptions extends Pick<ClaimOptions, "step"> {
  leaseMs: number;
  isNamed: boolean;
  isOffline: boolean;
}

/** Hands out issues to agents (PRD US-3.3). */
export class ReadyQueue {
  readonly #options: Required<ReadyQueueOptions>;

  /** Opens the queue without reading anything. */
  constructor(options: ReadyQueueOptions) {
    const { routes = () => NO_ROUTES, isClosedElsewhere = () => false } = options;
    const { machines = () => Promise.resolve(undefined) } = options;
    const { onClaim = async () => {}, notify = () => {} } = options;
    this.#options = { ...options, routes, isClosedElsewhere, machines, onClaim, notify };
  }

  /**
   * Reads the current queue.
   *
   * @param scan issues that were just read; by default they are read again
   * @returns the ready issues, the waiting ones, and the files that were left out
   */
  async list(scan: IssueScan = this.#options.issues.scan()): Promise<ReadyList> {
    const { ledger, routes, isClosedElsewhere } = this.#options;
    const { clarifications, problems } = ledger.scan();
    const all = [...scan.problems, ...problems];
    const statuses = scan.issues.some(({ assignee, stepClaims }) => assignee !== null || stepClaims)
      ? await this.#statuses(all)
      : NO_STATUSES;
    const queue = selectReady({
      issues: scan.issues,
      clarifications,
      ...routes(),
      isClosedElsewhere,
      elsewhere: (await this.#options.machines())?.elsewhere(),
      statuses,
      nowMs: sys.now(),
    });
    return { ...queue, problems: all };
  }

  /** Returns the claims of agents on this machine: for each issue, the claim that lasts longest. */
  async held(): Promise<LocalClaim[]> {
    const { issues } = this.#options.issues.scan();
    const judge = { nowMs: sys.now(), statuses: await this.#statuses([]) };
    return issues.filter(isOpen).flatMap((issue) => {
      const holders = holdersOf(issue, judge);
      const all = [{ agent: issue.assignee, ...issue }, ...issue.stepClaims ?? []]
        .flatMap(({ agent, leaseUntil }) =>
          agent !== null && leaseUntil !== null && holders.has(agent)
            ? { issue, agent, untilMs: Date.parse(leaseUntil) }
            : []
        );
      return all.sort((a, b) => b.untilMs - a.untilMs).slice(0, 1);
    });
  }

  /** Ends all claims of an issue and its steps on this machine. */
  async lose(number: number): Promise<void> {
    await this.#options.issues.changeIf(number, HUB, (issue, { byUid }) => {
      endLease(issue, statusBeforeClaims(byUid.get(issue.uid)!));
      endStepClaims(issue, () => true);
      return true;
    });
  }

  /**
   * Claims an issue for an agent. If the agent already has the issue, its lease is extended.
   *
   * @param agent with or without a worker
   * @returns the claimed issue
   * @throws {AgentxError} `NOT_FOUND` if nothing is ready or the issue does not exist; `NOT_READY` if the named
   * issue is closed, waits, or belongs to another agent; `SYNC_ERROR` if other machines cannot be asked;
   * `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async claim(agent: string, options: ClaimOptions = {}): Promise<Issue> {
    const { issueNumber, session, leaseMs = DEFAULT_LEASE_MS, step, isForced } = options;
    const name = parseAgentName(agent);
    checkLeaseMs(leaseMs);
    const { isOffline = false } = options;
    if (!isOffline) await (await this.#options.machines())?.refresh();
    const issue = issueNumber === undefined
      ? await this.#claimFirst(name, { leaseMs, isOffline })
      : await this.#claimThis(issueNumber, name, { leaseMs, step, isForced, isOffline });
    await this.#noteClaim(name, issue.number, session);
    await this.#options.onClaim(issue.number, name);
    return issue;
  }

  /**
   * Renews a claim, as hooks do.
   *
   * @param agent with or without a worker
   * @returns the issue; undefined if it does not exist or the agent does not have it
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async renewLease(issueNumber: number, agent: string): Promise<Issue | undefined> {
    const term = { nowMs: sys.now(), leaseMs: DEFAULT_LEASE_MS };
    return await this.#changeOwn(issueNumber, agent, {
      ofIssue: (issue) => extendLease(issue, term),
      ofSteps: (issue, isOwn) => {
        for (const claim of issue.stepClaims?.filter(isOwn) ?? []) grantStep(issue, claim, term);
      },
    });
  }

  /**
   * Returns an issue to the queue.
   *
   * @param agent with or without a worker
   * @returns the issue; undefined if it does not exist or the agent does not have it
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async release(issueNumber: number, agent: string): Promise<Issue | undefined> {
    const issue = await this.#changeOwn(issueNumber, agent, {
      ofIssue: (issue, known) => endLease(issue, statusBeforeClaims(known)),
      ofSteps: endStepClaims,
    });
    if (issue === undefined) return undefined;
    await this.noteEnd(issueNumber, agent);
    const isFree = holdersOf(issue, { nowMs: sys.now(), statuses: NO_STATUSES }).size === 0;
    if (isFree) {
      await (await this.#options.machines())?.giveBack({ issue, agent: parseAgentName(agent) });
    }
    return issue;
  }

  /** Sets an agent that worked on this issue to idle, once its step is done and its claim has ended. */
  async noteEnd(issueNumber: number, agent: string): Promise<void> {
    const name = parseAgentName(agent);
    await this.#noteStatus(async (status) => {
      const base = agentsOf(await status.current()).get(name)?.base;
      if (base?.status !== "working" || base.issue !== issueNumber) return;
      await status.setBase(name, { status: "idle", issue: null });
    });
  }

  /** Records that the sessions of a run have ended, because the end of the run was observed. */
  async noteRunEnd(agent: string, issueNumber: number, startedMs: number): Promise<void> {
    await this.#noteStatus((status) => status.endRun(agent, issueNumber, startedMs));
  }

  async #claimFirst(agent: string, term: Pick<TakeOptions, "leaseMs" | "isOffline">) {
    const { ready, waiting } = await this.list();
    const routes = this.#options.routes();
    let other: Issue | undefined;
    for (const issue of ready) {
      if (!isFor(issue, agent, routes)) {
        other ??= issue;
        continue;
      }
      const taken = await this.#take(issue.number, agent, { ...term, isNamed: false });
      if (taken !== undefined) return taken;
    }
    const why = other !== undefined
      ? `none is ready for ${roleOf(agent)}; ${whoseIs(other, agent, routes)}`
      : waiting.length === 0
      ? "there is no open issue"
      : "no issue is ready";
    const next = other === undefined
      ? "See what the open issues wait for with: agentx ready"
      : `See why with: agentx issue route ${other.number}; ` +
        `a person claims it with: agentx ready --claim ${agent} --issue ${other.number} --force`;
    throw new AgentxError("NOT_FOUND", `Cannot claim an issue for ${agent}: ${why}`, {
      details: { kind: "issue", id: "ready" },
      next,
    });
  }

  async #claimThis(
    number: number,
    agent: string,
    { isForced, ...term }: Omit<TakeOptions, "isNamed"> & Pick<ClaimOptions, "isForced">,
  ): Promise<Issue> {
    if (!isOpen(this.#options.issues.get(number))) throw notReady(number, ["it is closed"]);
    const { waiting } = await this.list();
    const reasons = waiting.find((entry) => entry.number === number)?.reasons ?? [];
    const seen = this.#options.issues.get(number);
    const routes = this.#options.routes();
    const claims = seen.stepClaims ?? [];
    const holds = claims.some((one) => one.agent === agent);
    const isFree = routes.nextSteps(seen)?.some(({ step, by }) =>
      step === term.step && by === null
    );
    // An optional step is free even while agents of this machine work on other steps of the issue.
    const mayJoin = (holder: string) =>
      isFree && (holder === seen.assignee || claims.some((one) => one.agent === holder));
    const others = reasons.filter((reason) =>
      reason.kind === "lease"
        ? reason.agent !== agent && !holds && !mayJoin(reason.agent)
        : !["status", "finished", "stopped"].includes(reason.kind)
    );
    if (others.length > 0) throw notReady(number, others.map(({ text }) => text));
    const isTurnOfOthers = (routes.nextSteps(seen) ?? []).length > 0 && !isFor(seen, agent, routes);
    if (isTurnOfOthers && !isForced && !holds && seen.assignee !== agent) {
      const anyway = `agentx ready --claim ${agent} --issue ${number} --force`;
      throw notReady(number, [whoseIs(seen, agent, routes)], `A person claims it with: ${anyway}`);
    }
    const issue = await this.#take(number, agent, { ...term, isNamed: true });
    if (issue === undefined) throw notReady(number, ["another agent claimed it first"]);
    return issue;
  }

  /**
   * Claims an issue under its lock, if it is still free. The caller must name an issue that is already the agent's
   * own, in progress, or in review; such an issue is never claimed as the next one.
   */
  async #take(
    number: number,
    agent: string,
    { leaseMs, isNamed, step, isOffline }: TakeOptions,
  ): Promise<Issue | undefined> {
    const { issues } = this.#options;
    const seen = issues.find(number);
    if (seen === undefined) return undefined;
    const isHeld = seen.assignee !== null || seen.stepClaims !== undefined;
    const statuses = isHeld ? await this.#statuses([]) : NO_STATUSES;
    const freeIn = (issue: Issue, judge: LeaseJudge, routes = this.#options.routes()) => {
      const holders = holdersOf(issue, judge);
      const isFree = ({ by }: NextStep) =>
        by === null || isNamed && by === agent || !holders.has(by);
      const own = routes.nextSteps(issue)?.filter((each) => each.agent === roleOf(agent)) ?? [];
      const free = own.filter(isFree);
      const next = free.find((each) => each.step === step) ?? free[0];
      return { next, isHeld: own.length > 0 && next === undefined };
    };
    const { next } = freeIn(seen, { nowMs: sys.now(), statuses });
    const take = (issue: Issue): boolean => {
      const routes = this.#options.routes(); // the routes as they are under the lock
      const judge = { nowMs: sys.now(), statuses };
      const term = { ...judge, leaseMs, status: next?.statusOnStart };
      const owner = ownerOf(issue, judge);
      const now = freeIn(issue, judge, routes);
      if (!isOpen(issue) || now.isHeld || now.next?.step !== next?.step) return false;
      if (owner !== undefined && owner !== agent) {
        if (next === undefined || !isShared(issue, routes)) return false;
        grantStep(issue, { agent, step: next.step }, term);
        return true;
      }
      const isTaken = isUnderWay(issue) && !routes.isBegun(issue);
      // The issue was free a moment ago, so another process with this agent name has claimed it meanwhile.
      const isLost = owner === agent;
      if (!isNamed && (isTaken || isLost || !isFor(issue, agent, routes))) return false;
      if (owner === undefined) grantLease(issue, agent, term);
      else extendLease(issue, term);
      return true;
    };
    if (!take(structuredClone(seen))) return undefined; // most losers stop here, without taking the lock
    const machines = await this.#options.machines();
    const claim = { issue: seen, agent, untilMs: sys.now() + leaseMs };
    if (isOffline) await machines?.takeHere(claim);
    else if (await machines?.take(claim) !== undefined) return undefined;
    const taken = await issues.changeIf(number, agent, take, { step: step ?? next?.step });
    if (taken === undefined && machines !== undefined) {
      // If another agent of this machine has the issue, keep the machine's claim.
      const isHeldHere = (await this.held()).some(({ issue }) => issue.uid === seen.uid);
      if (!isHeldHere) await machines.giveBack({ issue: seen, agent });
    }
    return taken;
  }

  /** Changes the claim of an agent that has the issue or some of its steps. */
  async #changeOwn(
    issueNumber: number,
    agent: string,
    { ofIssue, ofSteps }: {
      ofIssue: (issue: Issue, known: FoldedIssue) => void;
      ofSteps: (issue: Issue, isOwn: (claim: StepClaim) => boolean) => void;
    },
  ): Promise<Issue | undefined> {
    const { issues } = this.#options;
    const name = parseAgentName(agent);
    const isOwn = (claim: StepClaim) => claim.agent === name;
    const has = (issue?: Issue) =>
      issue?.assignee === name || issue?.stepClaims?.some(isOwn) === true;
    if (!has(issues.find(issueNumber))) return undefined;
    return await issues.changeIf(issueNumber, name, (issue, { byUid }) => {
      if (!has(issue)) return false;
      if (issue.assignee === name) ofIssue(issue, byUid.get(issue.uid)!);
      ofSteps(issue, isOwn);
      return true;
    });
  }

  /** Returns the statuses of agents. If they cannot be read, the result is empty, and only time ends a lease. */
  async #statuses(problems: AgentxError[]): Promise<AgentStatuses> {
    try {
      const { status } = this.#options;
      const agents = Array.from(agentsOf(await status.current()));
      return new Map(agents.map(([name, { base, lastActivity }]) => [
        name,
        { base, lastActivity, hasDied: status.hasEndedProcess(name) },
      ]));
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      problems.push(error);
      return NO_STATUSES;
    }
  }

  /** Sets an idle agent to work on this issue. An agent that works on another issue stays with that issue. */
  async #noteClaim(agent: string, issue: number, session?: string): Promise<void> {
    await this.#noteStatus(async (status) => {
      const base = agentsOf(await status.current()).get(agent)?.base;
      if (base?.status === "working" && base.issue !== null && base.issue !== issue) {
        if (await this.#hasInHand(agent, base.issue)) return;
      }
      await status.setBase(agent, { status: "working", issue }, session);
    });
  }

  /**
   * Returns whether an agent is still busy with an issue: it owns the issue, its question on it is open, or the
   * issue is not stored in this workspace.
   */
  async #hasInHand(agent: string, number: number): Promise<boolean> {
    const { issues, ledger } = this.#options;
    const issue = issues.find(number);
    if (issue === undefined) return true;
    const statuses = await this.#statuses([]);
    if (isOpen(issue) && ownerOf(issue, { nowMs: sys.now(), statuses }) === agent) return true;
    return activeByAge(ledger.scan()).some((record) =>
      askerOf(record) === agent && issueNumberOf(record.id) === number
    );
  }

  async #noteStatus(note: (status: AgentStatusStore) => Promise<void>): Promise<void> {
    const { status, notify } = this.#options;
    try {
      await note(status);
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      notify(`The agent statuses were not updated: ${error.summary}`);
    }
  }
}

/** Returns whether other agents may take steps of an issue besides its owner. They may not if a person assigned it. */
function isShared(issue: Issue, { isBegun }: Pick<Routes, "isBegun">): boolean {
  return issue.leaseUntil !== null && isBegun(issue);
}

/**
 * Returns whether an issue is for an agent's role: by its route, or, if it has none, unless the role has finished.
 */
function isFor(issue: Issue, agent: string, { nextSteps, isFinished }: Routes): boolean {
  const role = roleOf(agent);
  return nextSteps(issue)?.some((step) => step.agent === role) ?? !isFinished(issue, role);
}

function whoseIs(issue: Issue, agent: string, { nextSteps }: Routes): string {
  const steps = nextSteps(issue)?.filter(({ isUndecided }) => !isUndecided);
  return steps === undefined
    ? `${roleOf(agent)} has finished #${issue.number}`
    : `#${issue.number} is for ${enumerate(steps.map(({ agent }) => agent))}`;
}

function notReady(
  issueNumber: number,
  reasons: string[],
  next: string = "See what is ready with: agentx ready",
): AgentxError<"NOT_READY"> {
  return new AgentxError("NOT_READY", `Cannot claim #${issueNumber}: ${reasons.join("; ")}`, {
    details: { issueNumber, reasons },
    next,
  });
}
