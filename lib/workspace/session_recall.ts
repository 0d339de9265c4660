/**
 * What a session is told of memory at its start. Whoever stores something prepares it again for the
 * sessions that may come: a session that starts has only to read it.
 *
 * @module
 */

import type { Config } from "../config/config.ts";
import { AgentxError } from "../errors.ts";
import type { KeptRecall, RecallCache, RecallFor } from "../hosts/hook/recall_cache.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import type { MemoryPipeline } from "../memory/pipeline.ts";
import { sys } from "../sys/mod.ts";
import { hasMemory } from "./find.ts";

/** Whoever stores something spends no more on those who come after, but for one that is begun. */
const RENEWAL_MS = 250;

const NOTHING: KeptRecall = { section: "", ids: [], tokens: 0, queries: [], files: [] };

/** What is needed of a workspace to search its memory. */
export interface RecallState {
  root: string;
  config: Pick<Config, "memory">;
  memory(): Promise<Pick<MemoryPipeline, "prepareRecall">>;
  notify(message: string): void;
}

/** Where a session starts. */
export interface SessionPlace {
  /** `.agentx`. */
  home: string;
  /** Opens the workspace, which a recall that is kept does not need. */
  state: () => RecallState | Promise<RecallState>;
  /** Opens the locks. */
  locks: () => FileLockManager | Promise<FileLockManager>;
}

/**
 * Recalls, and notes that it was recalled.
 *
 * @param wanted whose recall, and how long it may be
 * @param place where the session starts
 * @returns the section `## Memory Recall` without secrets; empty where there is nothing to recall
 * @throws {AgentxError} `INVALID_CONFIG`
 */
export async function recallForSession(wanted: RecallFor, place: SessionPlace): Promise<string> {
  const { home, state, locks } = place;
  const [{ RecallCache }, { RecallCounts }, { EventLog }] = await Promise.all([
    import("../hosts/hook/recall_cache.ts"),
    import("../memory/store/recalls.ts"),
    import("../events/log.ts"),
  ]);
  const cache = new RecallCache(home, wanted);
  const kept = cache.find() ?? await findAfterPull(home, wanted, cache) ??
    await prepare(wanted, cache, await state());
  if (kept.section === "") return "";
  const { agent, issue: issueNumber } = wanted;
  const { ids, tokens: totalTokens } = kept;
  try {
    const counts = new RecallCounts(`${home}/state/memory-recalls.json`, await locks());
    await counts.increment(ids);
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error; // a count costs nobody a recall
  }
  const log = new EventLog(`${home}/log`, { warn: () => {} });
  log.write("memory-recalled", { agent, issueNumber, count: ids.length, totalTokens });
  return kept.section;
}

/**
 * Prepares what a session will recall, unless it is.
 *
 * @param wanted whose recall, and how long it may be
 * @param state of its workspace
 */
export async function prepareRecall(wanted: RecallFor, state: RecallState): Promise<void> {
  const home = `${state.root}/.agentx`;
  if (!hasMemory(home)) return;
  const { RecallCache } = await import("../hosts/hook/recall_cache.ts");
  const cache = new RecallCache(home, wanted);
  if (cache.find() === undefined) await prepare(wanted, cache, state);
}

/**
 * Prepares again what sessions wanted lately, once something was stored: what is kept is of before that.
 *
 * @param home `.agentx`
 * @param tree the working tree of the sessions
 * @param memory what they recall from
 * @throws {AgentxError} `IO_ERROR`
 */
export async function renewRecalls(
  home: string,
  tree: string,
  memory: Pick<MemoryPipeline, "prepareRecall">,
): Promise<void> {
  const { RecallCache, wantedRecalls } = await import("../hosts/hook/recall_cache.ts");
  const untilMs = sys.now() + RENEWAL_MS;
  for (const { wanted, wantedMs } of wantedRecalls(home, tree)) {
    if (sys.now() > untilMs) return;
    const cache = new RecallCache(home, wanted);
    const recalled = await recall(wanted, memory);
    if (recalled !== undefined) cache.keep(recalled, wantedMs);
  }
}

/** What was kept before a pull, if that changed nothing of it; the next one that is kept takes its place. */
async function findAfterPull(
  home: string,
  { issue: issueNumber }: RecallFor,
  cache: RecallCache,
): Promise<KeptRecall | undefined> {
  const before = cache.findBefore();
  if (before === undefined) return undefined;
  const { issueFiles: files, queries } = before;
  try {
    const { holdsAfterPull } = await import("../memory/recall/after_pull.ts");
    return await holdsAfterPull(`${home}/memory`, { issueNumber, queries, files })
      ? before
      : undefined;
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    return undefined; // a recall says why
  }
}

/** What cannot be kept is recalled all the same; that it failed is not kept: the next one tries again. */
async function prepare(
  wanted: RecallFor,
  cache: RecallCache,
  { memory, config, notify }: RecallState,
): Promise<KeptRecall> {
  if (!config.memory.enabled) return NOTHING;
  const recalled = await recall(wanted, await memory());
  if (recalled === undefined) return NOTHING;
  try {
    cache.keep(recalled);
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    notify(error.oneLine);
  }
  return recalled;
}

async function recall(
  { agent, issue, maxCharacters }: RecallFor,
  memory: Pick<MemoryPipeline, "prepareRecall">,
): Promise<KeptRecall | undefined> {
  const limits = { maxCharacters: maxCharacters ?? undefined };
  const recalled = await memory.prepareRecall(agent, issue, limits);
  if (recalled === undefined) return undefined;
  const { section, whole, tokens, queries, files } = recalled;
  const [{ withoutSecrets }, { noteClean }] = await Promise.all([
    import("../redact/border.ts"),
    import("../redact/known_clean.ts"),
  ]);
  const clean = await withoutSecrets(section);
  noteClean(clean);
  return { section: clean, ids: whole.map(({ id }) => id), tokens, queries, files };
}
