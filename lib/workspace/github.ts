// Connects a workspace to the GitHub repository that its user agreed to.

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

/** Maximum time that a claim waits for an unresponsive server. */
const CLAIM_TIMEOUT_MS = 10_000;

/** Maximum time that a command waits for GitHub to accept its post. */
const BRIEF_MS = 300;

/** After a failed post, commands leave posts to `agentx sync` for this long. */
const QUIET_MS = 5 * 60_000;

/** Name of the run that keeps other processes from posting at the same time. */
const POSTING = "github";

/** The GitHub repository that the user agreed to, in mode github. */
export interface GitHubPlace {
  target: Target;
  /** Such as `github.com/acme/shop`. */
  name: string;
  /** The id of the state. */
  birth: string;
  /** How much may be posted. */
  level: PostLevel;
  /** Whether issues may be changed and created on GitHub. */
  edits: boolean;
  outbox: Outbox;
}

/**
 * Returns the GitHub place of a workspace; undefined outside of mode github, or if the state is not the user's own.
 */
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

/** What the user agrees to when turning on mode github. */
export interface GitHubOffer {
  /** Such as `github.com/acme/shop`. */
  name: string;
  isPublic: boolean;
  level: PostLevel;
  /** Number of local issues that do not exist on GitHub yet. */
  unmade: number;
  /** A comment as it would appear on GitHub: a waiting one if there is one, otherwise a sample. */
  example: string;
}

/** Describes the configured repository to the user. Throws `SYNC_ERROR`, `INVALID_INPUT`, `UNTRUSTED`. */
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

/** Stores the user's consent. Throws `UNTRUSTED`, `CORRUPT_STATE`, `IO_ERROR`. */
export async function joinGitHub(
  { root, tree, config: { github } }: WorkspaceState,
  { name, level }: GitHubOffer,
): Promise<void> {
  const birth = birthOf(root).id!;
  await agreeToGitHub({ root, tree }, { name, post: level, edits: level !== "none" });
  joinMachines({ birth });
  await new Outbox({ root, target: name, birth, deciders: github.deciders }).begin();
}

/** Makes a client with the user's token. Throws `SYNC_ERROR` if there is no token. */
export async function gitHubClient(
  { target, name }: Pick<GitHubPlace, "target" | "name">,
  { tree, ...how }: { tree: string; timeoutMs?: number; signal?: AbortSignal },
): Promise<GitHubClient> {
  const token = await tokenFor(target, tree, how.timeoutMs);
  return new GitHubClient({ base: apiOf(target.host), token, name, ...how });
}

/** Returns claims over GitHub's REST API; undefined outside of mode github, or if this machine takes no part. */
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

/**
 * Returns a function that maps a local issue number to the number on GitHub; undefined for an issue that GitHub
 * lacks.
 */
export async function numbersOnGitHub(
  state: WorkspaceState,
  { target }: Pick<GitHubPlace, "target">,
): Promise<(issue: number) => number | undefined> {
  const issues = await state.issueStore();
  const names = [target.repository, ...githubState(state.root)?.names ?? []];
  return (issue) => numberThere(issues.findReadable(issue) ?? {}, names);
}

/**
 * Returns the waiting comments, and the wanted labels of issues on GitHub. Only `agentx sync` posts comments of
 * people.
 */
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

/** Returns the comments that GitHub permanently refused, one sentence each. */
export function parkedPosts({ outbox }: Pick<GitHubPlace, "outbox">): string[] {
  return Object.values(outbox.state()?.posts ?? {}).flatMap(({ parked }) => parked ?? []);
}

/** The state of the connection to GitHub. */
export interface GitHubStanding {
  /** Such as `github.com/acme/shop`. */
  repository: string;
  /** ISO-8601, UTC: when GitHub was last read; null if never. */
  read: string | null;
  /** Number of comments that wait to be posted. */
  waiting: number;
  /** Number of comments that GitHub permanently refused. */
  refused: number;
  /** Why the last read failed, or otherwise the last post; null if neither failed. */
  failed: string | null;
}

/** Returns the state of the connection; undefined outside of mode github. Throws `CORRUPT_STATE`. */
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
 * Sends edits, posts everything that waits, and updates labels. Throws `SYNC_ERROR`, `LOCK_TIMEOUT`,
 * `CORRUPT_STATE`, `IO_ERROR`.
 *
 * @returns the number of posts, the local numbers of issues that changed on GitHub, and the refused changes;
 * undefined if another process is posting
 */
export async function postAll(
  state: WorkspaceState,
  place: GitHubPlace,
  client: GitHubClient,
  { types, signal, onProgress }: {
    /** The issue types that have a workflow. */
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

/** Runs `post` unless another process of this state is posting; returns undefined in that case. */
export async function whilePosting<T>(
  state: WorkspaceState,
  post: () => Promise<T>,
): Promise<{ value: T } | undefined> {
  return await state.records().runs.hold(POSTING, POSTING, post);
}

/** Makes one short attempt to post the additions of a command. If it fails, `agentx sync` posts it later. */
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
