// The parts of a `MemoryPipeline`, and the options of its calls.

import type { AgentEventBus } from "../events/bus.ts";
import type { WriteLog } from "../events/log.ts";
import type { SourceTree } from "./anchors/anchors.ts";
import type { InjectOptions } from "./recall/quoted_section.ts";
import type { SessionUses } from "./recall/session_uses.ts";
import type { IObservationStore, JsonObservationStore } from "./store/store.ts";

/** The issue as memory knows it; undefined if it is not known. */
type MaybeIssue = { title: string; uid: string } | undefined;

/** Options of `MemoryPipeline`. */
export interface MemoryPipelineOptions<Store extends IObservationStore = JsonObservationStore> {
  /** Where the observations are kept. */
  store: Store;
  /** Receives events on stored and recalled observations. */
  events: AgentEventBus;
  /**
   * Returns an issue, if it is known. A recall searches for its title, and its `uid` is stored with each observation.
   */
  issueOf?: (issueNumber: number) => MaybeIssue | Promise<MaybeIssue>;
  /**
   * Returns the start of an agent's session on an issue, in milliseconds since the epoch, if known. The start names a
   * session if its recording has neither a name nor times.
   */
  startOf?: (
    session: string,
    issueNumber: number,
  ) => number | undefined | Promise<number | undefined>;
  /** Folders of the repository: paths in them are stored relative to it. */
  folders?: readonly string[];
  /**
   * Returns the files that observations are compared with. It is called once for each capture or recall; `use` decides
   * how much may be read.
   *
   * @default {() => undefined}: nothing is compared
   */
  treeOf?: (use: "capture" | "recall") => SourceTree | undefined | Promise<SourceTree | undefined>;
  /**
   * Called with both ids when a new observation replaces an earlier one, which no longer holds.
   *
   * @default {() => {}}
   */
  onReplaced?: (earlier: string, later: string) => void | Promise<void>;
  /**
   * Records how useful recalls were to sessions.
   *
   * @default {undefined}: nothing is recorded
   */
  uses?: SessionUses;
  /** If false, nothing is captured or recalled. */
  isEnabled?: boolean;
  /** Budget of a recall in tokens, if the caller gives none. */
  startTokens?: number;
  /** Maximum tokens of any recall; 0 turns recalls off. */
  maxTokens?: number;
  /**
   * Writes a line of the log for each capture, search and compaction, with the error code if it failed.
   *
   * @default {() => {}}
   */
  log?: WriteLog;
  /**
   * Called with one sentence for each failure that does no harm.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/** The session of a capture. */
export interface CaptureContext {
  /** The agent of the session. */
  agent: string;
  /** The issue that was worked on. */
  issueNumber: number;
  /** The session at its host; the same words in the same session are stored once. */
  sessionId?: string;
  /** The name of the agent's session, such as `engineer@claude-3f2a`. */
  session?: string;
}

/** Options of `MemoryPipeline.recall()`; without limits, the limits of the settings apply. */
export interface RecallOptions extends InjectOptions {
  /** The subject of the session, besides the title of the issue. */
  context?: string;
  /** Include observations about code that is gone. */
  withGone?: boolean;
}
