// Captures a session: extracts observations, compares them with the code, stores them and announces them.

import type { Transcript, TranscriptMessage } from "../transcripts/mod.ts";
import { invalidInput } from "../base/input_checks.ts";
import { deriveSessionId } from "../base/session_name.ts";
import type { CaptureContext, MemoryPipelineOptions } from "./pipeline_options.ts";
import type { WarnOnFailure } from "./warn_on_failure.ts";
import { claimOf, type Relation, relationOf } from "./last_word.ts";
import {
  byTimestamp,
  MAX_PER_CAPTURE,
  type Observation,
  observationNotFound,
  supersededIds,
} from "./schema.ts";
import type { IObservationStore } from "./store/store.ts";
import { withAnchors } from "./anchors/anchors.ts";
import { idOfCall, type Note, noteDown } from "./note.ts";

/** Number of the newest observations on an issue that new observations are compared with. */
const MOST_COMPARED = 1_000;

/** The topic at the start of an observation that answers a question. */
const TOPIC = /^.{2,200}?[?:.](?= )/;

/** The parts that a capture works with. */
export interface CaptureParts
  extends
    Pick<MemoryPipelineOptions, "uses">,
    Required<Omit<MemoryPipelineOptions, "store" | "uses">> {
  store: IObservationStore;
  /** Called with the stored observations of one agent on one issue. */
  announce: (stored: readonly Observation[]) => void;
  warnOnFailure: WarnOnFailure;
}

/** Stores new observations. */
export class Capture {
  readonly #parts: CaptureParts;

  constructor(parts: CaptureParts) {
    this.#parts = parts;
  }

  /** Extracts observations worth remembering; returns the new ones. */
  async capture(source: Transcript | string, context: CaptureContext): Promise<Observation[]> {
    const { agent, issueNumber } = context;
    const { sessionId: recorded = null, problems = [] } = typeof source === "string" ? {} : source;
    const { store, folders, warnOnFailure, notify } = this.#parts;
    for (const problem of problems) notify(`Memory capture: ${problem}`);
    const sessionId = context.sessionId ?? recorded ?? await this.#deriveSessionId(source, context);
    const { extractFromTranscript, extractObservations } = await import("./extract/extract.ts");
    const observations = typeof source === "string"
      ? extractObservations(source, agent, issueNumber, sessionId, { folders })
      : extractFromTranscript(source, { agent, issueNumber, sessionId, folders });
    const added = await this.addAll(await this.anchored(await this.#lastWords(observations)));
    const { uses, treeOf } = this.#parts;
    if (uses !== undefined && typeof source !== "string" && source.recalled.length > 0) {
      const session = { sessionId, agent, issueNumber };
      const known = { getByIssue: (issue: number) => store.getByIssue(issue), treeOf };
      await warnOnFailure("use", undefined, () => uses.noteSession(source, session, known));
    }
    return added;
  }

  /** Stores what somebody wrote down; see `MemoryPipeline.note`. */
  async note(note: Note): Promise<Observation> {
    const { store } = this.#parts;
    const { issueNumber, supersedes } = note;
    if (supersedes !== undefined && await store.getById(supersedes) === null) {
      throw observationNotFound(supersedes);
    }
    const madeId = idOfCall(note);
    const made = madeId === undefined ? null : await store.getById(madeId);
    if (made !== null) return made;
    const noted = await noteDown(note, this.#parts);
    const { relation, id } = (await this.#known(issueNumber))(noted);
    const isCorrection = supersedes === undefined && relation === "replaced";
    const [observation] = await this.anchored([
      isCorrection ? { ...noted, supersedes: id } : noted,
    ]);
    const [added] = await this.addAll([observation]);
    if (added !== undefined) return added;
    const all = await store.getByIssue(issueNumber);
    const hidden = supersededIds(all);
    const { agent, content } = observation;
    const said = all.find((other) =>
      other.agent === agent && other.content === content && !hidden.has(other.id) &&
      (observation.supersedes ?? other.supersedes) === other.supersedes
    );
    if (said !== undefined) return said;
    // An equal note exists, but it no longer stands, or it corrects another observation. This note is stored, too.
    const [again] = await this.addAll([{ ...observation, sessionId: observation.id }]);
    if (again !== undefined) return again;
    throw invalidInput(
      "text",
      content,
      "it was deleted, at a time that the clock here has not reached yet",
      "Say it in other words, or set the clock",
    );
  }

  /** Stores observations as they are, and returns those that are new. */
  async addAll(observations: readonly Observation[]): Promise<Observation[]> {
    const { store, issueOf, announce, warnOnFailure, onReplaced } = this.#parts;
    const added: Observation[] = [];
    const issues = new Set(observations.map(({ issueNumber }) => issueNumber));
    const uids = new Map<number, string | undefined>();
    for (const issue of issues) uids.set(issue, (await issueOf(issue))?.uid);
    const whole = observations.map((observation) => {
      const issueUid = observation.issueUid ?? uids.get(observation.issueNumber);
      return issueUid === undefined ? observation : { ...observation, issueUid };
    });
    for (let from = 0; from < observations.length; from += MAX_PER_CAPTURE) {
      const stored = await store.store(whole.slice(from, from + MAX_PER_CAPTURE));
      const names = new Set(stored.map(nameOf));
      for (const name of names) announce(stored.filter((one) => nameOf(one) === name));
      added.push(...stored);
    }
    if (added.length === 0) return added;
    for (const { id, supersedes } of added) {
      if (supersedes === undefined) continue;
      await warnOnFailure("replacement", undefined, () => onReplaced(supersedes, id));
    }
    // Closes the files of the store; its next read opens them again.
    await warnOnFailure("flush", undefined, () => store.close());
    return added;
  }

  /** Adds anchors into the working tree; after a failure, returns the observations without anchors. */
  async anchored(observations: readonly Observation[]): Promise<Observation[]> {
    const { treeOf, warnOnFailure } = this.#parts;
    const tree = observations.length === 0 ? undefined : await treeOf("capture");
    if (tree === undefined) return [...observations];
    return await warnOnFailure(
      "comparison with the code",
      [...observations],
      () => Promise.resolve(withAnchors(observations, tree)),
    );
  }

  /** Drops observations that the issue already has, and marks those that correct an earlier one. */
  async #lastWords(observations: readonly Observation[]): Promise<Observation[]> {
    if (observations.length === 0) return [];
    const standingOf = await this.#known(observations[0].issueNumber);
    return observations.flatMap((observation) => {
      const { relation, id } = standingOf(observation);
      if (relation === "same") return [];
      return [relation === "replaced" ? { ...observation, supersedes: id } : observation];
    });
  }

  /** Returns a function that relates an observation to the newest one that says the same, or that it replaces. */
  async #known(
    issueNumber: number,
  ): Promise<(observation: Observation) => { relation: Relation; id?: string }> {
    const known = await this.#parts.store.getByIssue(issueNumber);
    const hidden = supersededIds(known);
    const earlier = known.filter(({ id }) => !hidden.has(id))
      .toSorted(byTimestamp).slice(-MOST_COMPARED).reverse()
      .map((one) => ({ ...one, claim: claimOf(one.content) }));
    return ({ content, timestamp, sessionId }) => {
      const claim = claimOf(content);
      for (const one of earlier) {
        if (one.content === content) return { relation: "same", id: one.id };
        if (one.timestamp > timestamp) continue;
        const settled = [sessionId, one.sessionId].filter((id) => id.startsWith("CLR-"));
        if (settled.length > 0 && isSameTopic(content, one.content)) {
          if (settled.length === 2) continue; // two questions of one topic both stand
          return { relation: "replaced", id: one.id };
        }
        const relation = relationOf(claim, one.claim);
        if (relation === "same" || relation === "replaced") return { relation, id: one.id };
      }
      return { relation: "other" };
    };
  }

  async #deriveSessionId(
    source: Transcript | string,
    { agent, issueNumber, session = agent }: CaptureContext,
  ): Promise<string> {
    const { startOf, warnOnFailure } = this.#parts;
    const messages: Pick<TranscriptMessage, "text" | "timestamp">[] = typeof source === "string"
      ? [{ text: source }]
      : source.messages;
    const time = messages.find(({ timestamp }) => timestamp !== undefined)?.timestamp;
    const startMs = time !== undefined
      ? Date.parse(time)
      : await warnOnFailure("start", undefined, () => startOf(session, issueNumber));
    const { redact } = await import("../redact/redact.ts");
    const text = startMs === undefined ? redact(messages.at(0)?.text ?? "") : "";
    return deriveSessionId({ agent, session, startMs, text });
  }
}

/** Whether two texts begin with the same topic: an answer begins with the topic of its question. */
function isSameTopic(one: string, other: string): boolean {
  const [topic, ...others] = [one, other].map((text) => TOPIC.exec(text)?.[0].toLowerCase());
  return topic !== undefined && others.includes(topic);
}

/** The agent and the issue of an observation. */
function nameOf({ agent, issueNumber }: Observation): string {
  return `${agent} ${issueNumber}`;
}
