// Takes decisions from comments on GitHub. A comment counts once, in the name of its account, if that account may write
// to the repository. Only an account in the user's own `github.deciders` can decide a question to a human. No comment
// can decide a question about security. The account that posts for this workspace decides nothing, because agents may
// have its token.

import { AgentxError } from "../base/errors.ts";
import { HUMAN } from "../base/agent_names.ts";
import { askedAgainBy } from "../clarify/rules/escalation.ts";
import { isUnanswered } from "../clarify/schema.ts";
import { type GateInteraction, isSecurity } from "../gate/interaction.ts";
import type { GitHubClient } from "../github/client.ts";
import { isPostOfOthers, publicId } from "../github/posts.ts";
import type { GivenCommand } from "../github/read.ts";
import type { GitHubPlace } from "../workspace/github.ts";
import type { Workspace } from "../workspace/open.ts";
import { decideEntry } from "./inbox.ts";

/** GitHub's names for the right to write, and for higher rights. */
const WRITERS = ["admin", "maintain", "write"];

/** A question that was posted. */
interface Asked {
  /** The current id here; `postedAs` is the id at the time of the post. */
  id: string;
  postedAs: string;
  /** The newest comment that posts the question on GitHub. */
  comment: number;
  isOpen: boolean;
  /** The question of the gate; absent for a clarification. */
  question?: GateInteraction;
}

interface GitHubParts {
  place: GitHubPlace;
  client: GitHubClient;
}

/**
 * Takes the commands in comments, the oldest first. Returns one sentence for each comment that does not count. Throws
 * `SYNC_ERROR`.
 */
export async function decideFromGitHub(
  workspace: Workspace,
  commands: readonly GivenCommand[],
  parts: GitHubParts,
): Promise<string[]> {
  const problems: string[] = [];
  for (const command of commands) {
    const { id, user, issue } = command;
    // Skip a command for a question of another clone.
    if (id !== undefined && !id.endsWith(publicId("", parts.place.birth))) continue;
    const why = await refusedBy(() => decide(workspace, command, parts));
    if (why === undefined) continue;
    problems.push(`The comment of ${user.login} on #${issue} decides nothing: ${why}`);
  }
  return problems;
}

/**
 * Returns why a comment was refused; undefined if it was taken. An error of the hub or the gate is a refusal of the
 * comment; a failure of the disk or the network is thrown.
 */
async function refusedBy(
  decide: () => Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    return await decide();
  } catch (error) {
    if (!(error instanceof AgentxError) || FAILURES.includes(error.code)) throw error;
    return error.summary;
  }
}

const FAILURES: readonly string[] = ["SYNC_ERROR", "LOCK_TIMEOUT", "IO_ERROR", "CORRUPT_STATE"];

/** Takes the decision in a comment. Returns why the comment does not count; undefined if it does. */
async function decide(
  workspace: Workspace,
  { id: named, issue, comment, user, answer, isEdited }: GivenCommand,
  { place, client }: GitHubParts,
): Promise<string | undefined> {
  if (place.outbox.state()?.me?.id === user.id) {
    return `agentx posts as ${user.login}, and so may an agent that has its token`;
  }
  const asked = await askedOn(workspace, issue, place);
  const own = named?.slice(0, named.indexOf("@"));
  const those = asked.filter((each) =>
    own === undefined ? each.isOpen : each.id === own || each.postedAs === own
  );
  if (own !== undefined && those.length === 0) return `${named} was not asked there`;
  if (those.length !== 1) return `it names no id, and ${those.length} questions are open there`;
  if (own === undefined && !await isAlone(issue, { place, client })) {
    return "it names no id, and another workspace asks there, too";
  }
  const [{ id, comment: askedIn, question }] = those;
  if (comment < askedIn) return `it is older than the question ${id}`;
  if (isEdited) return "it was changed after it was written; write a new one";
  if (answer === "") return "it has no answer";
  const path = `/repos/${place.target.repository}/collaborators/${encodeURIComponent(user.login)}`;
  const { permission } = await client.find(`${path}/permission`, [403, 404]) ?? {};
  if (!WRITERS.includes(String(permission))) return "that account may not write there";
  const { ledger, router, config } = workspace;
  const record = question === undefined ? ledger.getById(id) : undefined;
  const by = { by: HUMAN, verified: false, login: user.login };
  if (record !== undefined && isUnanswered(record)) {
    await (await router()).answerClarification({ clarificationId: id, answer, ...by });
    return;
  }
  const login = user.login.toLowerCase();
  if (!config.github.deciders.some((each) => each.toLowerCase() === login)) {
    return `${user.login} is not in your github.deciders`;
  }
  if (question !== undefined && isSecurity(question.request)) {
    return "a human decides about security at a terminal";
  }
  if (record !== undefined && askedAgainBy(record, answer) !== undefined) {
    return `it would run an agent: choose that with agentx answer ${id} ${answer}`;
  }
  const isVerifiedFor = () => Promise.resolve(false);
  await decideEntry(workspace, id, answer, { ...by, isVerifiedFor });
}

/** Returns the questions that were posted on an issue. */
async function askedOn(
  { ledger, gate }: Workspace,
  issue: number,
  { outbox }: GitHubPlace,
): Promise<Asked[]> {
  const questions = await (await gate()).list();
  const newest = new Map<string, number>();
  for (const [key, post] of Object.entries(outbox.state()?.posts ?? {})) {
    if (post.issue !== issue || post.comment === null) continue;
    const id = key.slice(0, key.indexOf("@"));
    newest.set(id, Math.max(newest.get(id) ?? 0, post.comment));
  }
  return [...newest].flatMap(([postedAs, comment]): Asked[] => {
    const question = questions.find(({ id }) => id === postedAs);
    if (question !== undefined) {
      return [{ id: postedAs, postedAs, comment, isOpen: question.status === "pending", question }];
    }
    const record = ledger.findReadable(postedAs);
    if (record === undefined) return []; // for example, a person's comment
    const isOpen = record.status === "escalated" || isUnanswered(record);
    return [{ id: record.id, postedAs, comment, isOpen }];
  });
}

/** Whether no other clone has posted on the issue, so that a comment without an id can only mean our question. */
async function isAlone(issue: number, { place, client }: GitHubParts): Promise<boolean> {
  const path = `/repos/${place.target.repository}/issues/${issue}/comments?per_page=100`;
  const { items } = await client.list(path);
  return !items.some(({ body }) => isPostOfOthers(String(body), place.birth));
}
