// The ready queue: what can be taken, and taking it (PRD US-3.3).
//
// An issue is taken under its own lock, on fresh data: of any number of processes that want the same
// one, one gets it, and the others try the next.

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

/** The parts of the queue. `openWorkspace` makes all of them. */
export interface ReadyQueueOptions {
  /** Where issues are kept. */
  issues: IssueStore;
  /** Knows which issues wait for an answer. */
  ledger: ClarificationLedger;
  /** Knows which agents have left their issue. */
  status: AgentStatusStore;
  /**
   * Reads the routes of issues, and the roles that have finished, as of now.
   *
   * @internal
   */
  routes?: () => Routes;
  /**
   * Tells whether an issue of another project, such as `owner/repo#12`, is known to be closed.
   *
   * @internal
   */
  isClosedElsewhere?: (ref: string) => boolean;
  /**
   * Decides between machines, where several share the workspace.
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
   * Called with one sentence for what failed without harm.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/** The routes of issues, and the roles that have finished. */
export interface Routes {
  /** The next steps of an issue; undefined if it has no type. */
  nextSteps(issue: Issue): readonly NextStep[] | undefined;
  /** Whether a step was claimed by its role, or is done. */
  isBegun(issue: Issue): boolean;
  /** The steps that wait for a person, where none of an issue can be taken without an answer. */
  stoppedSteps(issue: Issue): readonly string[];
  /** Whether a role has finished its work on an issue. */
  isFinished(issue: Issue, role: string): boolean;
  /** Whether all have. */
  isOver(issue: Issue): boolean;
}

const NO_ROUTES: Routes = {
  nextSteps: () => undefined,
  isBegun: () => false,
  stoppedSteps: () => [],
  isFinished: () => false,
  isOver: () => false,
};

/** The queue, and why it may be incomplete. */
export interface ReadyList extends Queue {
  /** One `CORRUPT_STATE` or `IO_ERROR` per file that was left out. */
  problems: AgentxError[];
}

/** Options of {@linkcode ReadyQueue.claim}. */
export interface ClaimOptions {
  /** Take this issue and no other. */
  issueNumber?: number;
  /** The session of the host that claims: once it has ended, its claims are free. */
  session?: string;
  /** How long it is the agent's without a renewal, in milliseconds. */
  leaseMs?: number;
  /** The step that it is claimed for; left out, the next one of its role. */
  step?: string;
  /** Whether the issue that is named is taken although it is the turn of another role. */
  isForced?: boolean;
  /** Whether it is claimed on this machine alone, without asking the others. */
  isOffline?: boolean;
}

const NO_STATUSES: AgentStatuses = new Map();

/** How an issue is taken. */
interface TakeOptions extends Pick<ClaimOptions, "step"> {
  leaseMs: number;
  isNamed: boolean;
  isOffline: boolean;
}

/** Hands out issues to agents (PRD US-3.3). */
export class ReadyQueue {
  readonly #options: Required<ReadyQueueOptions>;

  /** Makes a queue; nothing is read yet. */
  constructor(options: ReadyQueueOptions) {
    const { routes = () => NO_ROUTES, isClosedElsewhere = () => false } = options;
    const { machines = () => Promise.resolve(undefined) } = options;
    const { onClaim = async () => {}, notify = () => {} } = options;
    this.#options = { ...options, routes, isClosedElsewhere, machines, onClaim, notify };
  }

  /**
   * Reads the queue as of now.
   *
   * @param scan issues that were just read; by default they are read now
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

  /** The claims of agents on this machine: of each issue the claim that lasts longest. */
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

  /** Ends all that agents have of an issue on this machine. */
  async lose(number: number): Promise<void> {
    await this.#options.issues.changeIf(number, HUB, (issue, { byUid }) => {
      endLease(issue, statusBeforeClaims(byUid.get(issue.uid)!));
      endStepClaims(issue, () => true);
      return true;
    });
  }

  /**
   * Claims an issue for an agent. An agent that already has the issue gets more time for it.
   *
   * @param agent with or without a worker
   * @returns the issue, which is the agent's now
   * @throws {AgentxError} `NOT_FOUND` if nothing is ready, or there is no such issue; `NOT_READY` if
   *   the one that is named is closed, waits or is another agent's; `SYNC_ERROR` where other machines cannot
   *   be asked; `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
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
   * @returns the issue; undefined if the agent does not have it, or there is none
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
   * Gives an issue back to the queue.
   *
   * @param agent with or without a worker
   * @returns the issue; undefined if the agent does not have it, or there is none
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

  /** Notes that an agent works on an issue no more: with its step done, its claim has ended. */
  async noteEnd(issueNumber: number, agent: string): Promise<void> {
    const name = parseAgentName(agent);
    await this.#noteStatus(async (status) => {
      const base = agentsOf(await status.current()).get(name)?.base;
      if (base?.status !== "working" || base.issue !== issueNumber) return;
      await status.setBase(name, { status: "idle", issue: null });
    });
  }

  /** Notes that the sessions of a run do nothing more: it was seen to end. */
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
    // An optional step is free while agents of this machine work on the steps beside it.
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
   * Claims under the lock of the issue, if it is still free. One that is the agent's own, in progress or in
   * review has to be named.
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
      const routes = this.#options.routes(); // as it is under the lock
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
      // It was free a moment ago: another process under this name was quicker, and has it.
      const isLost = owner === agent;
      if (!isNamed && (isTaken || isLost || !isFor(issue, agent, routes))) return false;
      if (owner === undefined) grantLease(issue, agent, term);
      else extendLease(issue, term);
      return true;
    };
    if (!take(structuredClone(seen))) return undefined; // saves most losers the lock
    const machines = await this.#options.machines();
    const claim = { issue: seen, agent, untilMs: sys.now() + leaseMs };
    if (isOffline) await machines?.takeHere(claim);
    else if (await machines?.take(claim) !== undefined) return undefined;
    const taken = await issues.changeIf(number, agent, take, { step: step ?? next?.step });
    if (taken === undefined && machines !== undefined) {
      // Another agent of this machine may have it: then the claim of the machine stays.
      const isHeldHere = (await this.held()).some(({ issue }) => issue.uid === seen.uid);
      if (!isHeldHere) await machines.giveBack({ issue: seen, agent });
    }
    return taken;
  }

  /** Changes the claim of an agent that has the issue, or steps of it. */
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

  /** Without statuses, only time ends a lease. */
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

  /** Moves an idle agent to this issue; an agent that works elsewhere stays there. */
  async #noteClaim(agent: string, issue: number, session?: string): Promise<void> {
    await this.#noteStatus(async (status) => {
      const base = agentsOf(await status.current()).get(agent)?.base;
      if (base?.status === "working" && base.issue !== null && base.issue !== issue) {
        if (await this.#hasInHand(agent, base.issue)) return;
      }
      await status.setBase(agent, { status: "working", issue }, session);
    });
  }

  /** Whether an issue is the agent's, waits for an answer to its question, or is not kept here to be claimed. */
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

/** Whether agents may have steps of it beside the one that has it, which no person has assigned. */
function isShared(issue: Issue, { isBegun }: Pick<Routes, "isBegun">): boolean {
  return issue.leaseUntil !== null && isBegun(issue);
}

/** Follows the route; a role does not get an issue that it has finished. */
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
