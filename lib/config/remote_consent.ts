// The user's consent to a git remote over which the machines of a repository work together, by its name and the hash
// of its address; and to a repository on GitHub that is read with the user's token, by host and name. Both are kept in
// the user's own state folder beside what `trust.ts` keeps there.

import { isObject, stringOf, tryParseJson } from "../base/checks.ts";
import type { PostLevel } from "./config.ts";
import { changeConsent, consentIfAny, type ConsentPlace } from "./consent_file.ts";

/** A remote, as the user agreed to it. */
export interface AgreedRemote {
  /** Its name in the repository, such as `origin`. */
  name: string;
  /** SHA-256 of its address, in hexadecimal. */
  hash: string;
  /** Whether branches are used instead of refs of our own. */
  usesBranches: boolean;
}

/** The keys, beside those of the trees, under which they are kept. */
type Key = "remote" | "github";

/** The remote that the user agreed to; undefined for none. A damaged file is no consent. */
export function agreedRemote(place: ConsentPlace): AgreedRemote | undefined {
  const agreed = tryParseJson(agreedText(place, "remote") ?? "");
  if (!isObject(agreed)) return undefined;
  const { name, hash, usesBranches } = agreed;
  if (typeof name !== "string" || typeof hash !== "string") return undefined;
  return { name, hash, usesBranches: usesBranches === true };
}

/** Keeps the consent, or takes it back. Throws `UNTRUSTED` without a folder for it; `IO_ERROR`. */
export async function agreeToRemote(
  place: ConsentPlace,
  agreed: AgreedRemote | undefined,
): Promise<void> {
  await keep(place, "remote", agreed === undefined ? undefined : JSON.stringify(agreed));
}

/** A repository on GitHub, as the user agreed to it. */
export interface AgreedGitHub {
  /** Such as `github.com/acme/shop`. */
  name: string;
  /** The most that is posted there in the user's name. */
  post: PostLevel;
  /** Whether issues are changed and made there, too. */
  edits: boolean;
}

/** The levels of {@linkcode AgreedGitHub.post}, the least first. */
const LEVELS: readonly PostLevel[] = ["none", "escalations", "threads"];

/** The repository that the user agreed to read and write to with their token. */
export function agreedGitHub(place: ConsentPlace): AgreedGitHub | undefined {
  const [name, post, edits] = agreedText(place, "github")?.split(" ") ?? [];
  return name === undefined ? undefined : {
    name,
    post: LEVELS.find((each) => each === post) ?? "none",
    edits: edits === EDITS,
  };
}

/** The last word of a consent to edits. */
const EDITS = "edits";

/** The lower of two levels. */
export function lowerLevel(one: PostLevel, other: PostLevel): PostLevel {
  return LEVELS[Math.min(LEVELS.indexOf(one), LEVELS.indexOf(other))];
}

/** Like {@linkcode agreeToRemote}, for {@linkcode agreedGitHub}. */
export async function agreeToGitHub(
  place: ConsentPlace,
  agreed: AgreedGitHub | undefined,
): Promise<void> {
  await keep(
    place,
    "github",
    agreed && `${agreed.name} ${agreed.post}${agreed.edits ? ` ${EDITS}` : ""}`,
  );
}

function agreedText(place: ConsentPlace, key: Key): string | undefined {
  return stringOf(consentIfAny(place)[key]);
}

async function keep(place: ConsentPlace, key: Key, agreed: string | undefined): Promise<void> {
  await changeConsent(place, ({ [key]: _before, ...others }) => ({
    ...others,
    ...agreed !== undefined && { [key]: agreed },
  }));
}
