// The pull request of an issue: one for its branch, opened or updated. Its body has one part of ours between two
// markers, with the text of agents in fences; text that people write around that part stays. The verdict of the
// reviewer is a comment, because GitHub takes no review of one's own pull request, and no agent approves one.
//
// Before each request, the code looks whether the pull request already exists, so an attempt without an answer is never
// repeated.

import { type JsonObject, listOf, objectOf, stringOf } from "../base/checks.ts";
import { type ClarificationRecord, isAskedHere, issueNumberOf } from "../clarify/schema.ts";
import type { PostLevel } from "../config/config.ts";
import type { Assumption } from "../gate/assumption.ts";
import { type GateInteraction, isSecurity } from "../gate/interaction.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { markdownLine, terminalLine } from "../text/text.ts";
import type { Issue } from "../work/issue/issue.ts";
import { type GitHubClient, type Sent, whyRefused } from "./client.ts";
import { withoutMentions } from "./mentions.ts";
import { SETTLE_MS, waitToPost } from "./pace.ts";
import { fenceOf, keyOf, markerOf, publicId } from "./posts.ts";
import type { Target } from "./target.ts";

/** The data from which a pull request is made. */
export interface PullRequestSources {
  issue: Pick<Issue, "number" | "title" | "body">;
  /** The number of the issue on GitHub. */
  number: number;
  clarifications: readonly ClarificationRecord[];
  questions: readonly GateInteraction[];
  assumptions: readonly Assumption[];
  /** The last review and its author; undefined without one. */
  review?: { agent: string; text: string };
  /** The id of this state. */
  birth: string;
  level: PostLevel;
  /** ISO-8601, UTC. Statements of agents from before this time are not published. */
  since: string;
}

/** A pull request as it should be. */
export interface PullRequestText {
  title: string;
  /** Our part of the body, from its first marker to its last. */
  part: { begin: string; text: string; end: string };
  /** The comment with the verdict; undefined without a review. */
  verdict: MarkedComment | undefined;
}

/** A body on GitHub may have 65,536 characters. Three sections share them with the text that people write. */
const MAX_SECTION = 18_000;
const MAX_VERDICT = 60_000;

/** Returns the texts of a pull request. Removes secrets from them once more. */
export async function pullRequestText(sources: PullRequestSources): Promise<PullRequestText> {
  const { issue, number, review, birth } = sources;
  const named = publicId(`PR-${number}`, birth);
  const texts = [issue.title, issue.body, decisionsIn(sources), assumptionsIn(sources)];
  const [title, body, decisions, assumptions] = await withoutSecrets(texts);
  const said = await withoutSecrets(review?.text ?? "");
  const sections = [
    ["The issue", body, `agentx issue view ${issue.number}`],
    ["Decisions", decisions, "agentx clarify"],
    ["Assumptions that nobody has confirmed", assumptions, "agentx assumptions"],
  ].flatMap(([name, text, rest]) =>
    text.trim() === "" ? [] : [`**${name}**\n\n${fenceOf(text, MAX_SECTION, rest)}`]
  );
  const key = `${named}/1`;
  return {
    title: inertTitle(title),
    part: {
      begin: await markerOf(`${named}/0`, birth),
      text: [`Closes #${number}`, ...sections].join("\n\n"),
      end: await markerOf(`${named}/2`, birth),
    },
    verdict: review && {
      key,
      body: `${await markerOf(key, birth)}\n**Verdict of ${markdownLine(review.agent)}**\n\n` +
        fenceOf(said, MAX_VERDICT, `agentx review ${issue.number}`),
    },
  };
}

/**
 * Returns the title with mentions and issue references disabled. A merge copies the title into its message, where a
 * keyword would close another issue.
 */
function inertTitle(title: string): string {
  return withoutMentions(terminalLine(title, 200)).replace(
    /(?<=#|\bGH-|\bissues\/)(?=\w)/gi,
    "\u200b",
  );
}

/** Returns the decisions, the oldest first: those of humans, and at the level `threads` also those of agents. */
function decisionsIn(
  { issue, clarifications, questions, birth, level, since }: PullRequestSources,
): string {
  const ofThreads = clarifications.flatMap((record) => {
    const { id, formerIds = [id], topic, thread, status } = record;
    const end = thread.findLast(({ type }) => type === "resolution");
    const isOurs = issueNumberOf(id) === issue.number && !record.foreign && isAskedHere(record);
    const isHuman = thread.some(({ type }) => type === "escalation");
    if (!isOurs || status !== "resolved" || end === undefined) return [];
    if (level !== "threads" && !isHuman) return [];
    return [{ at: end.timestamp, text: [publicId(formerIds[0], birth), topic, end.body] }];
  });
  const ofGate = questions.flatMap(({ id, request, outcome, decision, resolved_at: at }) =>
    request.issue !== issue.number || isSecurity(request) || outcome !== "human" || at === null
      ? []
      : [{ at, text: [publicId(id, birth), request.question, decision?.text ?? ""] }]
  );
  return [...ofThreads, ...ofGate].filter(({ at }) => at >= since)
    .sort((a, b) => a.at < b.at ? -1 : 1)
    .map(({ text: [id, about, decided] }) => `${id}: ${about}\n${decided}`).join("\n\n");
}

function assumptionsIn({ issue, assumptions, questions, since }: PullRequestSources): string {
  const secret = new Set(
    questions.filter(({ request }) => isSecurity(request)).map(({ id }) => id),
  );
  return assumptions.filter((one) =>
    one.issue === issue.number && one.status === "open" && one.created >= since &&
    !(one.clarificationId !== null && secret.has(one.clarificationId))
  ).map(({ decision, risk_if_wrong }) => `${decision}\nRisk if wrong: ${risk_if_wrong}`)
    .join("\n\n");
}

/** The destination of a comment. */
export interface CommentPlace {
  target: Target;
  client: GitHubClient;
  /** The id of this state. */
  birth: string;
  signal?: AbortSignal;
}

/** The destination of a pull request. */
export interface PullRequestPlace extends CommentPlace {
  /** The branch with the work, and the branch into which it is merged. */
  head: string;
  base: string;
}

/** A pull request on GitHub. */
export interface PullRequest {
  number: number;
  url: string;
  isNew: boolean;
}

/** Opens the pull request, or updates its text. Throws `SYNC_ERROR`, `LOCK_TIMEOUT`. */
export async function settlePullRequest(
  { title, part, verdict }: PullRequestText,
  place: PullRequestPlace,
): Promise<PullRequest> {
  const { target, client, head, base } = place;
  const path = `/repos/${target.repository}`;
  const [owner] = target.repository.split("/");
  const isOurs = ({ head: branch, base: into }: JsonObject) =>
    objectOf(branch).ref === head && objectOf(into).ref === base &&
    stringOf(objectOf(objectOf(branch).repo).full_name)?.toLowerCase() ===
      target.repository.toLowerCase();
  const search = `state=open&head=${encodeURIComponent(`${owner}:${head}`)}&per_page=100`;
  const whole = `${part.begin}\n${part.text}\n${part.end}`;
  const pull = await settle("the pull request", place, {
    path: `${path}/pulls`,
    fresh: { title, head, base, body: whole },
    find: async () => (await client.list(`${path}/pulls?${search}`)).items.find(isOurs),
    pathOf: ({ number }) => `${path}/pulls/${number}`,
    bodyAfter: (before) => withPart(before, part),
  });
  const number = Number(pull.found.number);
  if (verdict !== undefined) await settleComment(number, verdict, place);
  return {
    number,
    url: `https://${target.host}/${target.repository}/pull/${number}`,
    isNew: pull.isNew,
  };
}

/** A comment with a marker of this state. */
export interface MarkedComment {
  key: string;
  /** Includes the marker. */
  body: string;
}

/** Writes a comment on an issue or a pull request, or updates it. Throws `SYNC_ERROR`, `LOCK_TIMEOUT`. */
export async function settleComment(
  number: number,
  { key, body }: MarkedComment,
  place: CommentPlace,
): Promise<void> {
  const { target, client, birth } = place;
  const path = `/repos/${target.repository}/issues/${number}/comments`;
  await settle("the comment", place, {
    path,
    fresh: { body },
    async find() {
      const { items } = await client.list(`${path}?per_page=100`);
      for (const item of items) {
        if (await keyOf(stringOf(item.body) ?? "", birth) === key) return item;
      }
    },
    pathOf: ({ id }) => `/repos/${target.repository}/issues/comments/${id}`,
    bodyAfter: () => body,
  });
}

/** Returns the body with the current text of our part. Text of others before and after it stays. */
function withPart(body: string, { begin, text, end }: PullRequestText["part"]): string {
  const from = body.indexOf(begin);
  const to = body.indexOf(end, from);
  const whole = `${begin}\n${text}\n${end}`;
  if (from < 0 || to < 0) return body.trim() === "" ? whole : `${body}\n\n${whole}`;
  return body.slice(0, from) + whole + body.slice(to + end.length);
}

/** A pull request or a comment that should exist exactly once. */
interface Settled {
  /** The path for the POST that creates it. */
  path: string;
  fresh: JsonObject;
  find: () => Promise<JsonObject | undefined>;
  /** Returns the path at which a PATCH changes it. */
  pathOf: (found: JsonObject) => string;
  bodyAfter: (before: string) => string;
}

const MAX_TRIES = 5;

async function settle(
  what: string,
  { client, target, signal }: CommentPlace,
  { path, fresh, find, pathOf, bodyAfter }: Settled,
): Promise<{ found: JsonObject; isNew: boolean }> {
  let isNew = false;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (tries > 0) await sys.wait(SETTLE_MS, signal);
    const found = await find();
    const before = stringOf(found?.body) ?? "";
    const body = bodyAfter(before);
    if (found !== undefined && body === before) return { found, isNew };
    await waitToPost(target.host, signal);
    const sent = found === undefined
      ? await client.send("POST", path, fresh)
      : await client.send("PATCH", pathOf(found), { body });
    isNew ||= found === undefined;
    if (sent === "unclear") continue;
    if (sent.status === 201 || sent.status === 200) return { found: sent.body, isNew };
    throw client.refusal(`it refuses ${what}: ${reasonsIn(sent)}`, AGAIN);
  }
  throw client.failure(`it gives no whole answer about ${what}`);
}

const AGAIN = "Settle that on GitHub, and run this again";

function reasonsIn(sent: Exclude<Sent, string>): string {
  const errors = listOf(sent.body.errors)
    .flatMap((error) => stringOf(objectOf(error).message) ?? []);
  return terminalLine([whyRefused(sent), ...errors].join("; "), 300);
}
