// The user's consent in each repository. It is stored in `trust.json` in the user's own state folder, where no
// repository can write. The worktrees of a repository share it.

import { isObject, type JsonObject } from "../base/checks.ts";
import { AgentxError, orElse } from "../base/errors.ts";
import { repositoryFolders } from "../git/repository.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import { isInside } from "../sys/inside.ts";
import { sys } from "../sys/mod.ts";
import { trustPath } from "./user_folders.ts";

/** The consent entries of one repository, by key. Files of older versions have the same format. */
export type Consent = Record<string, string>;

/** The folder that holds `.agentx/`, and the same folder in the caller's tree. */
export interface ConsentPlace {
  root: string;
  tree: string;
}

/** The key of the weaker safeguards that the user agreed to, as JSON. The other keys name trees. */
export const SAFEGUARDS_KEY = "safeguards";

/**
 * Reads the consent; returns an empty object without a file. A file inside one of the repository's folders is
 * ignored. A folder that cannot be read is ignored too: it belongs to another user with the same home. Throws
 * `CORRUPT_STATE`.
 */
export function readConsent({ root, tree }: ConsentPlace): Consent {
  const path = trustPath();
  const real = path && orElse(undefined, () => sys.realPath(path), "IO_ERROR");
  if (!real || isInside(real, repositoryFolders([tree, root]))) return {};
  const stored = openFile(real).read() ?? {};
  return Object.hasOwn(stored, root) ? stored[root] : {};
}

/** Like {@linkcode readConsent}, but a damaged file counts as no consent. */
export function consentIfAny(place: ConsentPlace): Consent {
  return orElse({}, () => readConsent(place), "CORRUPT_STATE");
}

/**
 * Changes the consent of a repository. Throws `UNTRUSTED` if the user has no state folder outside of the repository;
 * `CORRUPT_STATE`, `IO_ERROR`.
 */
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

/** Whether the user agreed to exactly these weaker safeguards. */
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
