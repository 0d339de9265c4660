/**
 * Where an outbox is. Apart from the outbox itself, so that a list need not load that.
 *
 * @module
 */

/** Names the folder where the worktree of a session cannot be written. */
export const OUTBOX_VARIABLE = "AGENTX_OUTBOX";

/**
 * @param tree a worktree or the main checkout
 * @returns its outbox
 */
export function outboxFolder(tree: string): string {
  return `${tree}/.agentx/outbox`;
}

/**
 * @param nonce of a request
 * @returns the key under which a runner shows that it is on it
 */
export function requestRunKey(nonce: string): string {
  return `outbox-${nonce}`;
}
