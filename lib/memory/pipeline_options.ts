/**
 * What a `MemoryPipeline` is made of, and what it is asked for.
 *
 * @module
 */

import type { AgentEventBus } from "../events/bus.ts";
import type { WriteLog } from "../events/log.ts";
import type { SourceTree } from "./anchors/anchors.ts";
import type { Injection, InjectOptions } from "./recall/quoted_section.ts";
import type { SessionUses } from "./recall/session_uses.ts";
import type { Embedder } from "./search/embedder.ts";
import type { IObservationStore } from "./store/observation_store.ts";
import type { JsonObservationStore } from "./store/store.ts";

/** Options of `MemoryPipeline`. */
export interface MemoryPipelineOptions<Store extends IObservationStore = JsonObservationStore> {
  /** Where the observations are kept. */
  store: Store;
  /** Tells of compacted conversations, and receives what was stored and recalled. */
  events: AgentEventBus;
  /**
   * Gives the title of an issue, if it is known; a recall searches for it.
   *
   * @default {() => undefined}
   */
  titleOf?: (issueNumber: number) => string | undefined | Promise<string | undefined>;
  /**
   * Gives the `uid` of an issue, if it is known; it is stored with each observation.
   *
   * @default {() => undefined}
   */
  uidOf?: (issueNumber: number) => string | undefined | Promise<string | undefined>;
  /**
   * When a session of an agent on an issue began, in milliseconds since the epoch, if that is known:
   * it names a session whose recording says neither its name nor any time.
   *
   * @default {() => undefined}
   */
  startOf?: (
    session: string,
    issueNumber: number,
  ) => number | undefined | Promise<number | undefined>;
  /**
   * Folders of the repository: paths in them are stored relative to it.
   *
   * @default {[]}
   */
  folders?: readonly string[];
  /**
   * Gives the files that observations are compared with; called once for each capture or recall, which
   * may read so much.
   *
   * @default {() => undefined}: nothing is compared
   */
  treeOf?: (use: "capture" | "recall") => SourceTree | undefined | Promise<SourceTree | undefined>;
  /**
   * Keeps what recalls were worth to sessions.
   *
   * @default {undefined}: that is not kept
   */
  uses?: SessionUses;
  /**
   * A model of the caller's, with which searches and recalls find what says the same in other words.
   *
   * @default {none: words only}
   */
  embed?: Embedder;
  /**
   * File in which its vectors are kept, such as `.agentx/state/memory-vectors.jsonl`; they follow from
   * the observations, and do not belong in git.
   *
   * @default {none: they are made again by each pipeline}
   */
  vectorsPath?: string;
  /**
   * If false, nothing is captured or recalled.
   *
   * @default {true}
   */
  isEnabled?: boolean;
  /**
   * Budget of a recall in tokens; 0 for no recall at all.
   *
   * @default {20_000}
   */
  maxTokens?: number;
  /**
   * What the observations may take, without archive and index; beyond it, those that were recalled
   * longest ago are archived. 0 for no limit.
   *
   * @default {0}
   */
  maxMegabytes?: number;
  /**
   * Called when something new was stored: what was derived from the observations may follow.
   *
   * @default {() => {}}
   */
  onStored?: () => void | Promise<void>;
  /**
   * Writes a line of the log: for each capture, search and compaction, and what it failed with.
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

/** Whose session is captured. */
export interface CaptureContext {
  /** Whose session it was. */
  agent: string;
  /** The issue that was worked on. */
  issueNumber: number;
  /**
   * The session at its host; the same words in the same session are stored once.
   *
   * @default {what the transcript says, or else a name such as `engineer-1709035100000-x7y8z9` that
   * follows from when it began, by the first time in the transcript or else by `hook start`; where no
   * start is known, from the first message, or from the whole text of a summary}
   */
  sessionId?: string;
  /**
   * Which session of the agent it was, such as `engineer@claude-3f2a`.
   *
   * @default {the agent}
   */
  session?: string;
}

/** Options of `MemoryPipeline.recall()`; without limits, those of the settings hold. */
export interface RecallOptions extends InjectOptions {
  /**
   * What the session is about, besides the title of the issue.
   *
   * @default {""}
   */
  context?: string;
  /**
   * Also recall what is about code that is gone.
   *
   * @default {false}
   */
  withGone?: boolean;
}

/** What is recalled. */
export interface Recall extends Injection {
  /** The files of the working tree that it was compared with: another version may change it. */
  files: string[];
  /** What was searched for. */
  queries: string[];
}
