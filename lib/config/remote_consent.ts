// The user's consent to a git remote through which the machines of a repository work together (stored by its name and
// the hash of its address), and to a GitHub repository that is read with the user's token (stored by host and name).
// Both are stored in the same file as the consent of `trust.ts`.

import { isObject, stringOf, tryParseJson } from "../base/checks.ts";
import type { PostLevel } from "./config.ts";
import { changeConsent, consentIfAny, type ConsentPlace } from "./consent_file.ts";

/** A remote, as the user agreed to it. */
export interface AgreedRemote {
  /** The name of the remote in the repository, such as `origin`. */
  name: string;
  /** SHA-256 of the remote's address, in hexadecimal. */
  hash: string;
  /** Whether agentx uses branches instead of its own refs. */
  usesBranches: boolean;
}

/** The keys under which these consents are stored. The other keys of the file name trees. */
type Key = "remote" | "github";

/** Returns the remote that the user agreed to; undefined if there is none. A damaged file counts as no consent. */
export function agreedRemote(place: ConsentPlace): AgreedRemote | undefined {
  const agreed = tryParseJson(agreedText(place, "remote") ?? "");
  if (!isObject(agreed)) return undefined;
  const { name, hash, usesBranches } = agreed;
  if (typeof name !== "string" || typeof hash !== "string") return undefined;
  return { name, hash, usesBranches: usesBranches === true };
}

/**
 * Stores the consent, or withdraws it if `agreed` is undefined. Throws `UNTRUSTED` if the user has no folder for it;
 * `IO_ERROR`.
 */
export async function agreeToRemote(
  place: ConsentPlace,
  agreed: AgreedRemote | undefined,
): Promise<void> {
  await keep(place, "remote", agreed === undefined ? undefined : JSON.stringify(agreed));
}

/** A repository on GitHub, as the user agreed to it. */
export interface AgreedGitHub {
  /** Host, owner and name, such as `github.com/acme/shop`. */
  name: string;
  /** The highest level of posts that agentx may write there in the user's name. */
  post: PostLevel;
  /** Whether agentx may also create and change issues there. */
  edits: boolean;
}

/** The levels of {@linkcode AgreedGitHub.post}, the lowest first. */
const LEVELS: readonly PostLevel[] = ["none", "escalations", "threads"];

/** Returns the repository that the user agreed to read and write with their token; undefined if there is none. */
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

export function lowerLevel(one: PostLevel, other: PostLevel): PostLevel {
  return LEVELS[Math.min(LEVELS.indexOf(one), LEVELS.indexOf(other))];
}

/** Like {@linkcode agreeToRemote}, for the consent that {@linkcode agreedGitHub} returns. */
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
