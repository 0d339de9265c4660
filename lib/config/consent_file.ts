// Reads what the user agreed to, from their own state folder; `trust.ts` writes it.

import { isObject, type JsonObject, tryParseJson } from "../base/checks.ts";
import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { trustPath } from "./user_folders.ts";
import { isInside } from "../sys/inside.ts";
import { repositoryFolders } from "../git/repository.ts";

/** The key, beside those of the trees, of the weaker safeguards that were agreed to, as JSON. */
export const SAFEGUARDS_KEY = "safeguards";

/** Whether the user agreed to these weaker safeguards; a damaged file is no consent. */
export function agreesToWeaker(weaker: JsonObject, place: { root: string; tree: string }): boolean {
  const path = consentPath(repositoryFolders([place.tree, place.root]));
  const stored = path === undefined ? undefined : tryParseJson(sys.readTextFile(path) ?? "");
  const ofRoot = isObject(stored) && Object.hasOwn(stored, place.root) ? stored[place.root] : null;
  return isObject(ofRoot) && ofRoot[SAFEGUARDS_KEY] === JSON.stringify(weaker);
}

/**
 * The file of the user's consent; undefined where there is none: a file in one of the repository's
 * folders does not count, and a folder that may not be entered belongs to another user, whose home
 * is in use.
 */
export function consentPath(repository: readonly string[]): string | undefined {
  const path = trustPath();
  try {
    const real = path === undefined ? undefined : sys.realPath(path);
    return real === undefined || isInside(real, repository) ? undefined : real;
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return undefined;
    throw error;
  }
}
