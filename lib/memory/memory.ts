// The memory API for programs: five verbs over a pipeline, which the first call opens.

import { parseAgentName } from "../base/agent_names.ts";
import { checkIssueNumber, checkText } from "../base/input_checks.ts";
import { AgentEventBus } from "../events/bus.ts";
import { FileLockManager } from "../lock/lock_manager.ts";
import { withoutSecrets } from "../redact/border.ts";
import { readTranscript } from "../transcripts/read.ts";
import { MemorySearch } from "./dedupe.ts";
import { MemoryPipeline } from "./memory_pipeline.ts";
import { type Observation, type ObservationCategory, PROJECT } from "./schema.ts";
import type { ObservationHit } from "./search/search.ts";
import { JsonObservationStore } from "./store/store.ts";

const MAX_PATH = 4_096;

/** The owner and the subject of a memory. */
export interface MemoryContext {
  /** The agent that remembers, with or without a worker. */
  agent?: string;
  /** The issue that the memory is about; 0 is the project. */
  issue?: number;
}

/** Options of {@linkcode Memory.search}; an absent option matches everything. */
export interface SearchOptions {
  /** The agent, with all its workers; or one worker, `engineer@2`. */
  agent?: string;
  /** The issue; 0 is the project. */
  issue?: number;
  /** The kind of observation. */
  category?: ObservationCategory;
  /** The first day or ISO-8601 time that matches, UTC. */
  from?: string;
  /** The last day, included, or ISO-8601 time that matches, UTC. */
  to?: string;
  /** Maximum number of hits; 20 if left out. */
  limit?: number;
}

/** Options of {@linkcode Memory.recall}. */
export interface RecallFor extends MemoryContext {
  /** The subject of the session, besides the title of the issue. */
  about?: string;
  /** Maximum tokens of the text. */
  maxTokens?: number;
}

/** Options of {@linkcode Memory.note}. */
export interface NoteOptions extends MemoryContext {
  /** The category of the note; `key-fact` if left out. */
  category?: ObservationCategory;
  /** The id of the observation that the note corrects; recalls no longer include that observation. */
  supersedes?: string;
}

/** Options of {@linkcode Memory.capture}. */
export interface CaptureOptions extends MemoryContext {
  /** The id of the session at its host; the same words of one session are stored once. */
  session?: string;
}

/**
 * What agents remember. All verbs reject with an `AgentxError`: `INVALID_INPUT`, `LOCK_TIMEOUT`,
 * `CORRUPT_STATE`, `NEWER_STATE` or `IO_ERROR`.
 */
export interface Memory {
  /** Finds observations by their words, in any inflection; the best first. */
  search(query: string, options?: SearchOptions): Promise<ObservationHit[]>;
  /** Returns the memories for a session as markdown for its prompt; empty if there are none. */
  recall(options?: RecallFor): Promise<string>;
  /** Writes down 1 to 2,000 characters; the same words of an agent on an issue are stored once. */
  note(text: string, options?: NoteOptions): Promise<Observation>;
  /** Reads one observation whole; null if there is none. */
  get(id: string): Promise<Observation | null>;
  /** Extracts observations from a recorded session of any agent, and stores the new ones. */
  capture(recording: string, options?: CaptureOptions): Promise<Observation[]>;
  /** Closes the files; the next call opens them again. */
  close(): Promise<void>;
}

/** Options of {@linkcode openMemory}. */
export interface OpenMemoryOptions {
  /**
   * Called with one sentence for each failure that does no harm.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/**
 * Opens a separate memory in any folder. The memory of a workspace is `memory` of `openWorkspace()`.
 *
 * @param folder need not exist; `memory` below it keeps observations, and `state` keeps data derived from them
 * @throws {AgentxError} `INVALID_INPUT` if no folder is named
 */
export function openMemory(folder: string, { notify = () => {} }: OpenMemoryOptions = {}): Memory {
  checkText("folder", folder, MAX_PATH);
  const recallsPath = `${folder}/state/memory-recalls.json`;
  const locks = new FileLockManager();
  const store = new JsonObservationStore(`${folder}/memory`, locks, { recallsPath, notify });
  const pipeline = new MemoryPipeline({ store, events: new AgentEventBus(), notify });
  return memoryOf(() => Promise.resolve(pipeline));
}

/** Wraps a pipeline in the verbs; `open` must return the same pipeline each time. */
export function memoryOf(open: () => Promise<MemoryPipeline>): Memory {
  const found = new MemorySearch(async () => (await open()).store);
  return {
    async search(query, { limit = 20, issue: issueNumber, ...others } = {}) {
      const filters = { ...others, issueNumber };
      const isFiltered = Object.values(filters).some((value) => value !== undefined);
      const search = (await open()).begin("memory-searched", { issueNumber });
      const hits = await search.attempt(() =>
        found.search(query, limit, isFiltered ? filters : undefined)
      );
      search.end({ count: hits.length });
      return await withoutSecrets(hits);
    },
    async recall({ about: context, maxTokens, ...whose } = {}) {
      const { agent, issueNumber } = checked(whose);
      return (await (await open()).recall(agent, issueNumber, { context, maxTokens })).section;
    },
    async note(text, { category = "key-fact", supersedes, ...whose } = {}) {
      const note = { ...checked(whose), category, content: text, supersedes };
      return await (await open()).note(note);
    },
    get: async (id) => await (await open()).getObservation(id),
    async capture(recording, { session: sessionId, ...whose } = {}) {
      const context = { ...checked(whose), sessionId };
      return await (await open()).capture(readTranscript(recording), context);
    },
    close: async () => await (await open()).store.close(),
  };
}

function checked(
  { agent = "agent", issue = PROJECT }: MemoryContext,
): { agent: string; issueNumber: number } {
  const issueNumber = issue === PROJECT ? issue : checkIssueNumber(issue);
  return { agent: parseAgentName(agent), issueNumber };
}
