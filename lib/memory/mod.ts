/**
 * Memory that survives sessions: observations in files, found again by their words.
 *
 * @example Search and recall find notes and the decisions of sessions
 * ```ts
 * import { openMemory } from "@agentx/toolkit/memory";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const folder = Deno.makeTempDirSync();
 * const memory = openMemory(folder);
 * await memory.note("Pools are set up once.", { agent: "engineer", issue: 42 });
 * const session = "## User\n\nWe decided on PostgreSQL in production, because operations back it up.\n";
 * const [decision] = await memory.capture(session, { agent: "engineer", issue: 42 });
 * assertEquals(decision.category, "decision");
 * const [hit] = await memory.search("why postgresql");
 * assertEquals((await memory.get(hit.id))?.content, decision.content);
 * const recalled = await memory.recall({ agent: "engineer", issue: 42, about: "database pools" });
 * assert(recalled.includes("Pools are set up once."));
 * await memory.close();
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @module
 */

export { openMemory } from "./memory.ts";
export type {
  CaptureOptions,
  Memory,
  MemoryContext,
  NoteOptions,
  OpenMemoryOptions,
  RecallFor,
  SearchOptions,
} from "./memory.ts";
export type { Anchor, Observation, ObservationCategory, ObservationIndex } from "./schema.ts";
export type { ObservationHit } from "./search/search.ts";
