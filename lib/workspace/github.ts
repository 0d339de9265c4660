// Wires a workspace to the repository on GitHub that its user agreed to.

import { AgentxError } from "../base/errors.ts";
import type { PostLevel } from "../config/config.ts";
import { agreedGitHub, agreeToGitHub, lowerLevel } from "../config/remote_consent.ts";
import { GitHubClient } from "../github/client.ts";
import { labelsWanted, settleLabels } from "../github/labels.ts";
import { Outbox, type WaitingPost } from "../github/outbox.ts";
import { commentOf, commentPosts, postsOf, samplePost } from "../github/posts.ts";
import { githubState } from "../github/read.ts";
import { numberThere } from "../github/record.ts";
import type { SentEdits } from "../github/send_edits.ts";
import {
  apiOf,
  type Target,
  targetFor,
  targetName,
  targetNamed,
  tokenFor,
} from "../github/target.ts";
import { withoutSecrets } from "../redact/border.ts";
import { gitHubClaims, joinMachines, type SharedClaims } from "../remote/remote.ts";
import { sys } from "../sys/mod.ts";
import { birthOf } from "./state_origin.ts";
import { isOpen } from "../work/issue/issue.ts";
import type { WorkspaceState } from "./state.ts";

/** A claim waits no longer for a server that does not answer. */
const CLAIM_TIMEOUT_MS = 10_000;

/** A command waits no longer for GitHub to take its post. */
const BRIEF_MS = 300;

/** After a failure, commands leave posts to `agentx sync` for so long. */
const QUIET_MS = 5 * 60_000;

/** Posting on GitHub is work that one process at a time does. */
const POSTING = "github";

/** A repository that the user agreed to, in mode github. */
export interface GitHubPlace {
  target: Target;
  /** Such as `github.com/acme/shop`. */
  name: string;
  /** The id of the state. */
  birth: string;
  /** How much is posted. */
  level: PostLevel;
  /** Whether issues are changed and made there. */
  edits: boolean;
  outbox: Outbox;
}

/** Undefined outside of mode github, and where the state is not the user's. */
export function gitHubPlace(
  { root, tree, config }: Pick<WorkspaceState, "root" | "tree" | "config">,
): GitHubPlace | undefined {
  const { id: birth, isOurs } = birthOf(root);
  const agreed = config.mode === "github" ? agreedGitHub({ root, tree }) : undefined;
  const target = targetNamed(agreed?.name);
  if (agreed === undefined || target === undefined || birth === undefined || !isOurs) {
    return undefined;
  }
  const { post, deciders } = config.github;
  const name = targetName(target);
  const level = lowerLevel(post, agreed.post);
  return {
    target,
    name,
    birth,
    level,
    edits: agreed.edits && level !== "none",
    outbox: new Outbox({ root, target: name, birth, deciders }),
  };
}

/** The user's consent when the mode is turned on. */
export interface GitHubOffer {
  /** Such as `github.com/acme/shop`. */
  name: string;
  isPublic: boolean;
  level: PostLevel;
  /** How many issues here are not there yet. */
  unmade: number;
  /** A comment as it would stand there: one that waits, or else an invented one. */
  example: string;
}

/** Asks GitHub about the repository of the settings. Throws `SYNC_ERROR`, `INVALID_INPUT`, `UNTRUSTED`. */
export async function offerOf(state: WorkspaceState): Promise<GitHubOffer> {
  const { root, tree, config } = state;
  const target = targetFor(config.github.repository, tree);
  const name = targetName(target);
  const { id: birth, isOurs } = birthOf(root);
  if (birth === undefined || !isOurs) {
    const reason = "its state is not yours yet: agentx adopt";
    throw new AgentxError("UNTRUSTED", `Cannot turn mode github on: ${reason}`, {
      details: { path: root, reason },
    });
  }
  const client = await gitHubClient({ target, name }, { tree });
  const { private: isPrivate } = await client.get(`/repos/${target.repository}`);
  const { post: level, deciders } = config.github;
  const { clarifications } = state.records().ledger.scan();
  const posts = postsOf({ clarifications, questions: [], birth, level });
  const example = await commentOf(
    posts.find(({ waits }) => waits === "decision") ?? samplePost(birth),
    {
      birth,
      deciders,
    },
  );
  const { issues } = (await state.issueStore()).scan();
  const unmade = issues.filter((issue) => isOpen(issue) && issue.source === undefined).length;
  return {
    name,
    isPublic: isPrivate !== true,
    level,
    unmade,
    example: await withoutSecrets(example),
  };
}

/** Keeps the user's consent. Throws `UNTRUSTED`, `CORRUPT_STATE`, `IO_ERROR`. */
export async function joinGitHub(
  { root, tree, config: { github } }: WorkspaceState,
  { name, level }: GitHubOffer,
): Promise<void> {
  const birth = birthOf(root).id!;
  await agreeToGitHub({ root, tree }, { name, post: level, edits: level !== "none" });
  joinMachines({ birth });
  await new Outbox({ root, target: name, birth, deciders: github.deciders }).begin();
}

/** A client with the user's token. Throws `SYNC_ERROR` without one. */
export async function gitHubClient(
  { target, name }: Pick<GitHubPlace, "target" | "name">,
  { tree, ...how }: { tree: string; timeoutMs?: number; signal?: AbortSignal },
): Promise<GitHubClient> {
  const token = await tokenFor(target, tree, how.timeoutMs);
  return new GitHubClient({ base: apiOf(target.host), token, name, ...how });
}

/** Claims over GitHub's REST API; undefined outside of mode github, and where this machine takes no part. */
export function claimsOnGitHub(state: WorkspaceState): SharedClaims | undefined {
  const place = gitHubPlace(state);
  if (place === undefined) return undefined;
  const { tree, notify } = state;
  let client: Promise<GitHubClient> | undefined;
  return gitHubClaims(place, {
    name: place.name,
    client: () => client ??= gitHubClient(place, { tree, timeoutMs: CLAIM_TIMEOUT_MS }),
    notify,
  });
}

/** The number on GitHub of an issue here; undefined for one that is not there. */
export async function numbersOnGitHub(
  state: WorkspaceState,
  { target }: Pick<GitHubPlace, "target">,
): Promise<(issue: number) => number | undefined> {
  const issues = await state.issueStore();
  const names = [target.repository, ...githubState(state.root)?.names ?? []];
  return (issue) => numberThere(issues.findReadable(issue) ?? {}, names);
}

/** The waiting comments, and the wanted labels of issues there; comments of people wait for `agentx sync`. */
async function toPost(
  state: WorkspaceState,
  place: GitHubPlace,
  { isSync = false }: { isSync?: boolean } = {},
): Promise<{ waiting: WaitingPost[]; labels: ReturnType<typeof labelsWanted> }> {
  const { outbox, birth, level, edits } = place;
  const known = isSync && edits ? (await state.issueStore()).view().byNumber.values() : [];
  const posts = [...known].flatMap((each) => commentPosts(each, birth));
  const { clarifications } = state.records().ledger.scan();
  const questions = await (await state.gate()).list();
  const numberOf = await numbersOnGitHub(state, place);
  return {
    waiting: outbox.pending(
      [...posts, ...postsOf({ clarifications, questions, birth, level })],
      numberOf,
    ),
    labels: labelsWanted(clarifications, level, numberOf),
  };
}

/** The comments that GitHub refused for good, one sentence each. */
export function parkedPosts({ outbox }: Pick<GitHubPlace, "outbox">): string[] {
  return Object.values(outbox.state()?.posts ?? {}).flatMap(({ parked }) => parked ?? []);
}

/** How a workspace stands with GitHub. */
export interface GitHubStanding {
  /** Such as `github.com/acme/shop`. */
  repository: string;
  /** ISO-8601, UTC: the last read; null before the first. */
  read: string | null;
  /** How many comments wait to be posted. */
  waiting: number;
  /** How many GitHub refused for good. */
  refused: number;
  /** Why the last read, or else the last post, failed; null if neither did. */
  failed: string | null;
}

/** Undefined outside of mode github. Throws `CORRUPT_STATE`. */
export async function gitHubStanding(state: WorkspaceState): Promise<GitHubStanding | undefined> {
  const place = gitHubPlace(state);
  if (place === undefined) return undefined;
  const { read = null, failed = null } = githubState(state.root) ?? {};
  return {
    repository: place.name,
    read,
    waiting: (await toPost(state, place)).waiting.length,
    refused: parkedPosts(place).length,
    failed: failed ?? place.outbox.state()?.failed?.why ?? null,
  };
}

/**
 * Sends edits, posts all that waits, and brings labels in line. Throws `SYNC_ERROR`, `LOCK_TIMEOUT`, `CORRUPT_STATE`,
 * `IO_ERROR`.
 *
 * @returns the number of posts, the local numbers of issues that changed on GitHub, and the refused changes; undefined
 *   if another process is posting
 */
export async function postAll(
  state: WorkspaceState,
  place: GitHubPlace,
  client: GitHubClient,
  { types, signal, onProgress }: {
    /** The types of issues that have a workflow. */
    types: readonly string[];
    signal?: AbortSignal;
    onProgress: (what: string, done: number, of: number) => void;
  },
): Promise<{ posted: number; sent: number[]; problems: string[] } | undefined> {
  const done = await whilePosting(state, async () => {
    const { outbox, edits } = place;
    let sent: SentEdits = { sent: [], problems: [] };
    if (edits) {
      const { sendEdits } = await import("../github/send_edits.ts");
      await outbox.during(client, async () => {
        sent = await sendEdits({
          ...{ client, outbox, types, signal, target: place.target, birth: place.birth },
          issues: await state.issueStore(),
          names: githubState(state.root)?.names ?? [],
          onProgress: (done, of) => onProgress("issues sent", done, of),
        });
      });
    }
    const { waiting, labels } = await toPost(state, place, { isSync: true });
    const posted = waiting.length === 0 ? [] : await outbox.flush(waiting, client, {
      signal,
      onProgress: (done, of) => onProgress("comments posted", done, of),
    });
    const problems = await settleLabels(labels, outbox, client);
    return { ...sent, posted: posted.length, problems: [...sent.problems, ...problems] };
  });
  return done?.value;
}

/** Posts while no other process of this state does; undefined where one does. */
export async function whilePosting<T>(
  state: WorkspaceState,
  post: () => Promise<T>,
): Promise<{ value: T } | undefined> {
  return await state.records().runs.hold(POSTING, POSTING, post);
}

/** Makes one short attempt to post the additions of a command; a failure leaves them to `agentx sync`. */
export async function postBriefly(state: WorkspaceState): Promise<void> {
  const place = gitHubPlace(state);
  if (place === undefined || place.level === "none") return;
  try {
    const failed = place.outbox.state()?.failed;
    const isQuiet = failed != null && sys.now() - Date.parse(failed.at) < QUIET_MS;
    if (isQuiet || state.records().runs.look(POSTING).state !== "nobody") return;
    await whilePosting(state, async () => {
      const { waiting: [first] } = await toPost(state, place);
      if (first === undefined) return;
      const client = await gitHubClient(place, { tree: state.tree, timeoutMs: BRIEF_MS });
      await place.outbox.flush([first], client, { isBrief: true });
    });
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
  }
}
