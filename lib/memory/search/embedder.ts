/**
 * The plug for a model that the caller brings: we have none, and call none.
 *
 * @module
 */

/**
 * Turns texts into vectors, so that what means the same is found in other words.
 *
 * @example Words that are nearly the same, by the letters that they have in common
 * ```ts
 * import { openWorkspace } from "@agentx/toolkit";
 * import { type Embedder, MemoryPipeline } from "@agentx/toolkit/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const letters: Embedder = {
 *   name: "three-letters-1",
 *   minSimilarity: 0.3,
 *   embed: (texts) => Promise.resolve(texts.map((text) => {
 *     const vector = new Float32Array(256);
 *     const spaced = ` ${text.toLowerCase()} `;
 *     for (let at = 0; at + 3 <= spaced.length; at++) {
 *       let hash = 0;
 *       for (const letter of spaced.slice(at, at + 3)) hash = hash * 31 + letter.codePointAt(0)!;
 *       vector[hash % vector.length]++;
 *     }
 *     return vector;
 *   })),
 * };
 * const root = Deno.makeTempDirSync();
 * Deno.mkdirSync(`${root}/.agentx`);
 * const { memory, events } = await openWorkspace({ root });
 * const { store } = await memory();
 * const pipeline = new MemoryPipeline({ store, events, embed: letters });
 * const noted = { agent: "engineer", issueNumber: 42, category: "decision" as const };
 * await pipeline.note({ ...noted, content: "Kubernetes runs it" });
 * assertEquals((await store.search("kubernettes")).length, 0);
 * assertEquals((await pipeline.searchMemory("kubernettes")).length, 1);
 * Deno.removeSync(root, { recursive: true });
 * ```
 */
export interface Embedder {
  /** The model and its version: vectors of another name are made again. */
  name: string;
  /** The cosine from which on two texts have to do with each other, from 0 to 1. */
  minSimilarity: number;
  /**
   * Makes the vectors, at most 64 at a time.
   *
   * @param texts contents of observations, without secrets, or a query
   * @returns one for each text, all of one length
   */
  embed(texts: readonly string[]): Promise<ReadonlyArray<ArrayLike<number>>>;
}
