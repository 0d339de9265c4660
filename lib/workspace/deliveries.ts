// The delivery of entries of threads, as recorded by the hooks of sessions.

import { type Environment, hostSessionId } from "../who/host_session.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import { waitingFor } from "../hooks/delivery.ts";
import { deliveriesIn, type DeliveryReport } from "../hooks/delivery_report.ts";
import { identify } from "../hooks/identity.ts";
import { noteForSession } from "../hooks/printed.ts";
import { SessionFiles } from "../hooks/session_files.ts";
import { sys } from "../sys/mod.ts";
import { repositoryAbove } from "../git/repository.ts";
import type { WorkspaceState } from "./state.ts";

/**
 * Returns a report for each entry that was answered or waits to be read. If no host calls hooks, nothing is
 * delivered, so there are no reports.
 */
export async function deliveriesOf(
  clarifications: readonly ClarificationRecord[],
  { root, records }: Pick<WorkspaceState, "root" | "records">,
): Promise<DeliveryReport[]> {
  const { locks, runs } = records();
  const sessions = new SessionFiles(`${root}/.agentx`, () => locks).readAll();
  if (sessions.length === 0) return [];
  const running = (await runs.ofAll(clarifications)).filter(({ state }) => state === "running");
  return clarifications.flatMap((record) =>
    deliveriesIn(record, sessions).map((report): DeliveryReport => {
      const run = running.find(({ clarificationId }) => clarificationId === record.id);
      const isWoken = run !== undefined && report.kind === "question" && report.state === "queued";
      return isWoken ? { ...report, state: "woken", at: run.since } : report;
    })
  );
}

/**
 * Records which answers are about to be shown to their session, so that its hooks do not deliver them again. If this
 * fails, an answer is only shown twice.
 */
export async function noteThreadsShown(
  clarifications: readonly ClarificationRecord[],
  env: Environment,
  { root, tree, records }: Pick<WorkspaceState, "root" | "tree" | "records">,
): Promise<void> {
  const session = hostSessionId(env);
  if (session === undefined) return;
  const { locks } = records();
  const files = new SessionFiles(`${root}/.agentx`, () => locks);
  const gitFolder = repositoryAbove(tree)?.gitFolder;
  const who = identify(files, { session, tree, gitFolder, env });
  for (const { kind, isInherited, record } of waitingFor(clarifications, who, sys.now())) {
    // An inherited answer is left out: the session that asked still gets it, as long as that session works.
    if (kind === "answer" && !isInherited) await noteForSession(env, { root, locks }, record);
  }
}

const FROM_EVENTS: readonly DeliveryReport["state"][] = ["queued", "acknowledged"];

/**
 * Follows changes of deliveries. Events already report new entries; hooks record the other changes in session files.
 */
export class DeliveryFollower {
  readonly #state: WorkspaceState;
  readonly #states = new Map<string, string>();
  #version: string | undefined;

  constructor(state: WorkspaceState) {
    this.#state = state;
  }

  /** Returns the delivery of the last entry of a record. */
  async of(record: ClarificationRecord): Promise<DeliveryReport | undefined> {
    const report = (await deliveriesOf([record], this.#state)).at(-1);
    if (report !== undefined) this.#states.set(report.id, report.state);
    return report;
  }

  /** Returns the reports that changed since the last poll; none at the first poll. */
  async poll(): Promise<DeliveryReport[]> {
    const version = this.#readVersion();
    if (version === this.#version) return [];
    const isFirst = this.#version === undefined;
    this.#version = version;
    const { clarifications } = this.#state.records().ledger.scan();
    const reports = await deliveriesOf(clarifications, this.#state);
    const changed = reports.filter(({ id, state }) => this.#states.get(id) !== state);
    for (const { id, state } of changed) this.#states.set(id, state);
    // An event already reports an entry that is queued or was replied to.
    return isFirst ? [] : changed.filter(({ state }) => !FROM_EVENTS.includes(state));
  }

  /** Returns a version that changes with each session file. */
  #readVersion(): string {
    const folder = `${this.#state.root}/.agentx/state/sessions`;
    return sys.readDir(folder).filter((name) => name.endsWith(".json")).map((name) => {
      const info = sys.lstat(`${folder}/${name}`);
      return `${name} ${info?.id} ${info?.modifiedMs}`;
    }).join("\n");
  }
}
