// What the user agreed to in each repository: `trust.json` in their own state folder, where no repository can write. The
// worktrees of a repository share it.

import { isObject, type JsonObject } from "../base/checks.ts";
import { AgentxError, orElse } from "../base/errors.ts";
import { repositoryFolders } from "../git/repository.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import { isInside } from "../sys/inside.ts";
import { sys } from "../sys/mod.ts";
import { trustPath } from "./user_folders.ts";

/** The texts that were kept for a repository, by key; the files of older versions are read as they are. */
export type Consent = Record<string, string>;

/** The folder that holds `.agentx/`, and the same folder in the caller's tree. */
export interface ConsentPlace {
  root: string;
  tree: string;
}

/** The key, beside those of the trees, of the weaker safeguards that were agreed to, as JSON. */
export const SAFEGUARDS_KEY = "safeguards";

/**
 * Reads the consent; empty without a file. A file in one of the repository's folders does not count, and a closed
 * folder belongs to another user with the same home. Throws `CORRUPT_STATE`.
 */
export function readConsent({ root, tree }: ConsentPlace): Consent {
  const path = trustPath();
  const real = path && orElse(undefined, () => sys.realPath(path), "IO_ERROR");
  if (!real || isInside(real, repositoryFolders([tree, root]))) return {};
  const stored = openFile(real).read() ?? {};
  return Object.hasOwn(stored, root) ? stored[root] : {};
}

/** Like {@linkcode readConsent}; a damaged file is no consent. */
export function consentIfAny(place: ConsentPlace): Consent {
  return orElse({}, () => readConsent(place), "CORRUPT_STATE");
}

/** Changes it. Throws `UNTRUSTED` without a folder of the user outside of the repository; `CORRUPT_STATE`, `IO_ERROR`. */
export async function changeConsent(
  { root, tree }: ConsentPlace,
  change: (consent: Consent) => Consent,
): Promise<void> {
  const path = trustPath();
  if (path === undefined) throw nowhere(root, "HOME is not set, so there is nowhere to keep it");
  if (isInside(path, repositoryFolders([tree, root]))) {
    throw nowhere(root, `"${path}", where it is kept, is inside it`);
  }
  sys.makeDir(path.slice(0, path.lastIndexOf("/")), 0o700);
  await openFile(path).update("trust", (current = {}) => ({
    ...current,
    [root]: change(Object.hasOwn(current, root) ? current[root] : {}),
  }));
}

/** Whether the user agreed to these weaker safeguards. */
export function agreesToWeaker(weaker: JsonObject, consent: Consent): boolean {
  return Object.keys(weaker).length === 0 || consent[SAFEGUARDS_KEY] === JSON.stringify(weaker);
}

function nowhere(root: string, reason: string): AgentxError<"UNTRUSTED"> {
  return new AgentxError("UNTRUSTED", `Cannot keep your consent for "${root}": ${reason}`, {
    details: { path: root, reason },
    next: "Set HOME, or XDG_STATE_HOME to a folder of yours",
  });
}

function openFile(path: string): JsonFile<Record<string, Consent>> {
  const problemWith = (value: unknown) =>
    isObject(value) && Object.values(value).every(isObject)
      ? undefined
      : "it must hold consent by path";
  return new JsonFile(path, new FileLockManager(), { problemWith, kind: "state" });
}
