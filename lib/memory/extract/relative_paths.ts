/**
 * Paths that mean the same in every clone. Pure.
 *
 * @module
 */

import { escapeRegExp } from "../../text/reg_exp.ts";

/**
 * Writes paths inside the repository (the main checkout, and the worktree) relative to it. What is
 * outside stays as it is: it means something on this machine alone, and a reader should see that.
 */
export function withRelativePaths(text: string, folders: readonly string[]): string {
  // A worktree may lie inside the main checkout.
  const innerFirst = folders.toSorted((a, b) => b.length - a.length);
  return innerFirst.reduce((text, folder) => {
    const literal = escapeRegExp(`${folder}/`);
    return text.replace(new RegExp(`(?<![\\w./~-])(?:file://)?${literal}(?=[\\w.@])`, "g"), "");
  }, text);
}
