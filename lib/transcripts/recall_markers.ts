/**
 * What stands around recalled memory in a prompt, so that the capture of the same session can leave
 * it out.
 *
 * @module
 */

/** The line before recalled memory. */
export const RECALL_BEGIN = "<!-- agentx:memory-recall -->";

/** The line after recalled memory. */
export const RECALL_END = "<!-- /agentx:memory-recall -->";
