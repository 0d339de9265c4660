// The parts of a `MemoryPipeline`, and the options of its calls.

import type { AgentEventBus } from "../events/bus.ts";
import type { WriteLog } from "../events/log.ts";
import type { SourceTree } from "./anchors/anchors.ts";
import type { InjectOptions } from "./recall/quoted_section.ts";
import type { SessionUses } from "./recall/session_uses.ts";
import type { IObservationStore, JsonObservationStore } from "./store/store.ts";

/** The issue as memory knows it. */
type MaybeIssue = { title: string; uid: string } | undefined;

/** Options of `MemoryPipeline`. */
export interface MemoryPipelineOptions<Store extends IObservationStore = JsonObservationStore> {
  /** Where the observations are kept. */
  store: Store;
  /** Receives events on stored and recalled observations. */
  events: AgentEventBus;
  /**
   * Gives an issue, if it is known: a recall searches for its title, and its `uid` is stored with each
   * observation.
   */
  issueOf?: (issueNumber: number) => MaybeIssue | Promise<MaybeIssue>;
  /**
   * Returns the start of an agent's session on an issue, in milliseconds since the epoch, if known. It names a session
   * that has neither name nor times in its recording.
   */
  startOf?: (
    session: string,
    issueNumber: number,
  ) => number | undefined | Promise<number | undefined>;
  /** Folders of the repository: paths in them are stored relative to it. */
  folders?: readonly string[];
  /**
   * Gives the files that observations are compared with; called once for each capture or recall, which
   * may read so much.
   *
   * @default {() => undefined}: nothing is compared
   */
  treeOf?: (use: "capture" | "recall") => SourceTree | undefined | Promise<SourceTree | undefined>;
  /**
   * Called when an observation that is new takes the place of an earlier one, by their ids: what that one
   * stood for does not hold any more.
   *
   * @default {() => {}}
   */
  onReplaced?: (earlier: string, later: string) => void | Promise<void>;
  /**
   * Keeps what recalls were worth to sessions.
   *
   * @default {undefined}: that is not kept
   */
  uses?: SessionUses;
  /** If false, nothing is captured or recalled. */
  isEnabled?: boolean;
  /** Budget of a recall in tokens, where nobody asks for more. */
  startTokens?: number;
  /** Most tokens of any recall; 0 for no recall at all. */
  maxTokens?: number;
  /**
   * Writes a line of the log for each capture, search and compaction, with the code of a failure.
   *
   * @default {() => {}}
   */
  log?: WriteLog;
  /**
   * Called with one sentence for what failed without harm.
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
  /** Which session of the agent it was, such as `engineer@claude-3f2a`. */
  session?: string;
}

/** Options of `MemoryPipeline.recall()`; without limits, those of the settings hold. */
export interface RecallOptions extends InjectOptions {
  /** The subject of the session, besides the title of the issue. */
  context?: string;
  /** Include observations about code that is gone. */
  withGone?: boolean;
}
