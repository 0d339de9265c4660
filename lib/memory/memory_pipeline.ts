// Memory from session to session: captured at the end, recalled at the start (SPEC-AgentX section
// 5.1).
//
// A failing memory never ends a session: `recall()` turns every failure into a warning. Calls that serve a person, such
// as `capture()` and `note()`, throw. Each call loads its own parts.

import type { MemoryEvent } from "../events/bus.ts";
import { type LogFields, LoggedOperation } from "../events/log.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import type { Transcript } from "../transcripts/mod.ts";
import type { Standing } from "./anchors/anchors.ts";
import type { Capture } from "./capture.ts";
import type { Note } from "./note.ts";
import type { InDoubt } from "./anchors/in_doubt.ts";
import type { CaptureContext, MemoryPipelineOptions, RecallOptions } from "./pipeline_options.ts";
import type { Injection } from "./recall/quoted_section.ts";
import { type WarnOnFailure, warnOnFailure } from "./warn_on_failure.ts";
import { type Observation, observationNotFound } from "./schema.ts";
import type { ObservationHit } from "./search/search.ts";
import type { IObservationStore, JsonObservationStore } from "./store/store.ts";

const NOTHING: Injection = { section: "", tokens: 0, whole: [], named: [] };

const DEFAULTS = {
  issueOf: () => undefined,
  startOf: () => undefined,
  folders: [],
  treeOf: () => undefined,
  onReplaced: () => {},
  isEnabled: true,
  startTokens: 600,
  maxTokens: 20_000,
  log: () => {},
  notify: () => {},
};

/** Captures observations from sessions, and recalls them (SPEC-AgentX section 3). */
export class MemoryPipeline<Store extends IObservationStore = JsonObservationStore> {
  /** Where the observations are kept. */
  readonly store: Store;
  readonly #options:
    & Required<Omit<MemoryPipelineOptions, "store" | "uses">>
    & Pick<MemoryPipelineOptions, "uses">;
  readonly #warnOnFailure: WarnOnFailure;
  #capture: Promise<Capture> | undefined;
  #stopCapture: () => void = () => {};

  /** Connects the parts; nothing is read yet, and no listener is added. */
  constructor({ store, ...options }: MemoryPipelineOptions<Store>) {
    this.store = store;
    this.#options = { ...DEFAULTS, ...options };
    this.#warnOnFailure = warnOnFailure(this.#options.notify);
  }

  /**
   * Extracts observations worth remembering, and stores the new ones.
   *
   * @param source a transcript, a function that reads one, or the summary of a session
   * @returns the new observations; none while memory is switched off
   * @throws {AgentxError} `INVALID_INPUT`, `LOCK_TIMEOUT`, `IO_ERROR`, `CORRUPT_STATE`, `NEWER_STATE`; and the errors
   *   of reading the transcript
   */
  async capture(
    source: Transcript | string | (() => Promise<Transcript>),
    context: CaptureContext,
  ): Promise<Observation[]> {
    if (!this.#options.isEnabled) return [];
    const { agent, issueNumber } = context;
    const capture = this.begin("memory-captured", { agent, issueNumber });
    const added = await capture.attempt(async () =>
      (await this.#capturing()).capture(
        typeof source === "function" ? await source() : source,
        context,
      )
    );
    capture.end({ count: added.length });
    return added;
  }

  /**
   * Captures the summary of each `context-compacted` event that names its agent and issue. Sessions of coding agents do
   * not need this, because their hooks capture them.
   *
   * @returns a function that ends the capture, as {@linkcode MemoryPipeline.dispose} does
   */
  startCapture(): () => void {
    this.dispose();
    const { events } = this.#options;
    this.#stopCapture = events.on("context-compacted", async ({ summary, ...whose }) => {
      const { agent, issueNumber, sessionId } = whose;
      if (agent === undefined || issueNumber === undefined) return;
      const context = { agent, issueNumber, sessionId };
      await this.#warnOnFailure("capture", undefined, () => this.capture(summary, context));
    });
    return () => this.dispose();
  }

  /** Ends the capture that {@linkcode MemoryPipeline.startCapture} began. */
  dispose(): void {
    this.#stopCapture();
  }

  /**
   * Stores one observation by hand.
   *
   * @returns the observation; an earlier one if that already says the same
   * @throws {AgentxError} `NOT_FOUND` if the superseded observation does not exist; and as
   *   {@linkcode MemoryPipeline.capture}
   */
  async note(note: Note): Promise<Observation> {
    return await (await this.#capturing()).note(note);
  }

  /**
   * Stores observations as they are, such as those of an export.
   *
   * @throws {AgentxError} `INVALID_INPUT`, `LOCK_TIMEOUT`, `IO_ERROR`, `CORRUPT_STATE`, `NEWER_STATE`
   */
  async addAll(observations: readonly Observation[]): Promise<Observation[]> {
    return await (await this.#capturing()).addAll(observations);
  }

  /**
   * Recalls observations relevant to a session, within the budget.
   *
   * @param context the topic of the session, besides the title of the issue
   * @returns the section `## Memory Recall`; empty if there is nothing to recall
   */
  async injectMemory(agent: string, issueNumber: number, context?: string): Promise<string> {
    return (await this.recall(agent, issueNumber, { context })).section;
  }

  /**
   * Recalls the observations of the issue, and those that a search for its title and the context finds, the most
   * relevant first.
   *
   * @returns the section and its observations; nothing after a failure, which becomes a warning
   */
  async recall(agent: string, issueNumber: number, options?: RecallOptions): Promise<Injection> {
    const startMs = performance.now();
    const recall = await this.#recall(agent, issueNumber, options);
    const durationMs = Math.round(performance.now() - startMs);
    const recalled = [...recall.whole, ...recall.named];
    if (recalled.length === 0) return recall;
    const ids = recall.whole.map(({ id }) => id);
    await this.#warnOnFailure("count", undefined, () => this.store.incrementRecallCount(ids));
    this.#announce("memory-recalled", { agent, issueNumber, durationMs }, recalled);
    return recall;
  }

  async #recall(
    agent: string,
    issueNumber: number,
    options: RecallOptions = {},
  ): Promise<Injection> {
    const { context = "", maxCharacters, withGone } = options;
    const { startTokens, maxTokens: ceiling } = this.#options;
    const maxTokens = Math.min(options.maxTokens ?? startTokens, ceiling);
    if (!this.#options.isEnabled || maxTokens === 0) return NOTHING;
    return await this.#warnOnFailure<Injection>("recall", NOTHING, async () => {
      const { title = "", uid } = await this.#options.issueOf(issueNumber) ?? {};
      const topics = [title, context];
      const recallCounts = await this.#warnOnFailure(
        "count",
        new Map(),
        () => this.store.recallCounts(),
      );
      const options = { agent, issueNumber, uid, topics, recallCounts, nowMs: sys.now() };
      const { rankForRecall, checkAgainstCode, needRules, quoteObservations } = await import(
        "./recall/mod.ts"
      );
      const { ranked, last } = await rankForRecall(this.store, options);
      if (ranked.length === 0 && last === undefined) return NOTHING;
      const checked = checkAgainstCode(ranked, await this.#options.treeOf("recall"), { withGone });
      const redact = needRules(checked.candidates, [...checked.remarks.values(), last ?? ""])
        ? (await import("../redact/redact.ts")).redact
        : (text: string) => text;
      const limits = { ...checked, maxTokens, maxCharacters, lastTime: last };
      return quoteObservations(checked.candidates, limits, redact);
    });
  }

  /**
   * Searches the contents.
   *
   * @param limit maximum number of hits
   * @returns index entries without secrets, the best first; none if nothing is relevant
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `NEWER_STATE`, `IO_ERROR`
   */
  async searchMemory(query: string, limit?: number): Promise<ObservationHit[]> {
    const search = this.begin("memory-searched", {});
    const hits = await search.attempt(() => this.store.search(query, limit));
    search.end({ count: hits.length });
    return await withoutSecrets(hits);
  }

  /**
   * Begins an operation that gets a line of the log.
   *
   * @param operation such as `memory-searched`
   * @param fields its ids and counts, no text
   */
  begin(operation: string, fields: LogFields): LoggedOperation {
    return new LoggedOperation(this.#options.log, operation, fields);
  }

  /**
   * Reads one observation.
   *
   * @returns the whole observation without secrets; null if there is none
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `NEWER_STATE`, `IO_ERROR`
   */
  async getObservation(id: string): Promise<Observation | null> {
    return await withoutSecrets(await this.store.getById(id));
  }

  /**
   * Compares the code that an observation names with the present files.
   *
   * @returns the standing; `unknown` if the observation names nothing, or nothing can be read
   */
  async standingOf(observation: Pick<Observation, "anchors">): Promise<Standing> {
    const tree = await this.#options.treeOf("recall");
    if (tree === undefined) return { state: "unknown", changes: [] };
    const { anchorsIn, anchorStanding } = await import("./anchors/anchors.ts");
    return await withoutSecrets(anchorStanding(anchorsIn(observation), tree));
  }

  /**
   * Finds observations in doubt: the code that they name has changed, or a later observation contradicts them.
   *
   * @param issueNumber the issue to search; all issues if left out
   * @returns the observations in doubt, without secrets; those with deleted code first
   * @throws {AgentxError} `CORRUPT_STATE`, `NEWER_STATE`, `IO_ERROR`
   */
  async findInDoubt(issueNumber?: number): Promise<InDoubt[]> {
    const all = issueNumber === undefined
      ? await this.store.listAll()
      : await this.store.getByIssue(issueNumber);
    const { findInDoubt } = await import("./anchors/in_doubt.ts");
    return await withoutSecrets(findInDoubt(all, await this.#options.treeOf("capture")));
  }

  /**
   * Anchors an observation to the files as they are now, once somebody has checked that it still holds.
   *
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`, `LOCK_TIMEOUT`, `IO_ERROR`, `CORRUPT_STATE`
   */
  async confirm(id: string): Promise<Observation> {
    const observation = await this.store.getById(id);
    if (observation === null) throw observationNotFound(id);
    const { anchors: _, commit: __, ...rest } = observation;
    const [again] = await (await this.#capturing()).anchored([rest]);
    return await this.store.reanchor(id, again);
  }

  /** Loads the parts that write; a search or a recall does not need them. */
  #capturing(): Promise<Capture> {
    return this.#capture ??= import("./capture.ts").then(({ Capture }) =>
      new Capture({
        ...this.#options,
        store: this.store,
        announce: (stored) => this.#announce("memory-stored", stored[0], stored),
        warnOnFailure: this.#warnOnFailure,
      })
    );
  }

  #announce(
    event: "memory-stored" | "memory-recalled",
    { agent, issueNumber, durationMs }:
      & Pick<Observation, "agent" | "issueNumber">
      & Pick<MemoryEvent, "durationMs">,
    observations: readonly Observation[],
  ): void {
    this.#options.events.emit(event, {
      agent,
      issueNumber,
      count: observations.length,
      totalTokens: observations.reduce((sum, { tokens }) => sum + tokens, 0),
      observationIds: observations.map(({ id }) => id),
      ...durationMs !== undefined && { durationMs },
      timestamp: sys.now(),
    });
  }
}
