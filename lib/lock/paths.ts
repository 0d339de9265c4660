/**
 * The files beside a locked file: all of them share its name and its folder.
 *
 * @module
 */

/**
 * @param path a file that is locked
 * @returns its lock file (SPEC-1 section 4.4)
 */
export function lockPathOf(path: string): string {
  return `${path}.lock`;
}

/**
 * @param path a file that is locked
 * @param key tells a dead owner from all others
 * @returns the claim to replace that owner
 */
export function claimPathOf(path: string, key: string): string {
  return `${path}.${key}.lock`;
}

/**
 * @param path a file that is written under its lock
 * @param token the token of the lock's owner
 * @returns where the owner writes before it renames; the next owner removes it if it died
 */
export function temporaryPath(path: string, token: string): string {
  return `${path}.${token}.tmp`;
}
