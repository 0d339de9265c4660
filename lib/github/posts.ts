// Turns the statements and questions of agents into comments on GitHub. Their text is put in a fence, so it mentions
// nobody, links to nothing and cannot be an HTML comment. Pure, except for the hash of a marker.
//
// A comment of this workspace begins with a marker, `<!-- agentx:1 CLR-42-001@3f2a1c/3 9f86d0... -->`: the version, the
// key of the entry that it shows, and a hash over the id of this state. Nobody else knows that id, so a marker that a
// stranger wrote is not accepted.

import { HUMAN } from "../base/agent_names.ts";
import { sha256 } from "../base/sha256.ts";
import {
  type ClarificationRecord,
  isAskedHere,
  issueNumberOf,
  isUnanswered,
  type ThreadEntry,
} from "../clarify/schema.ts";
import type { PostLevel } from "../config/config.ts";
import { type GateInteraction, isSecurity } from "../gate/interaction.ts";
import { questionText } from "../gate/render/interaction.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import { withoutMentions } from "./mentions.ts";
import { markdownFence, markdownLine, terminalLine } from "../text/text.ts";

/** One comment to post. */
export interface Post {
  /** Such as `CLR-42-001@3f2a1c/3`: the public id, and the index of the entry. */
  key: string;
  /** The local id. */
  id: string;
  /** The local number of the issue. */
  issue: number;
  /** ISO-8601, UTC. */
  at: string;
  /** Shown above the text; empty for the words of a person, which are posted unchanged. */
  title: string;
  /** Untrusted text of agents. */
  text: string;
  /**
   * Whether the post waits for a human's decision, or for the answer to an agent's question; null if it waits for
   * nothing.
   */
  waits: "decision" | "answer" | null;
  /** Whether the post only says how an earlier one ended. */
  isEnd: boolean;
}

/** Below GitHub's limit of 65,536 characters. */
const MAX_COMMENT = 65_000;

const LOGIN = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/;

const MARKER =
  /^<!-- agentx:1 ((?:CLR-\d+-\d+|(?:ASK|PR)-\d+|MSG-\w+|ISS-[\w.~-]{1,128})@[0-9a-f]{6}\/\d+) ([0-9a-f]{16}) -->/;

/** Returns the id that GitHub users see for a local id; `birth` is the id of this state. */
export function publicId(id: string, birth: string): string {
  return `${id}@${birth.slice(0, 6)}`;
}

/** Returns the key of a comment that this state posted; undefined for any other comment. */
export async function keyOf(body: string, birth: string): Promise<string | undefined> {
  const [, key, hash] = MARKER.exec(body) ?? [];
  return key !== undefined && hash === await hashFor(key, birth) ? key : undefined;
}

/** Whether a comment is a question that another state posted. */
export function isPostOfOthers(body: string, birth: string): boolean {
  const [, key = ""] = MARKER.exec(body) ?? [];
  return /^(?:CLR|ASK)-/.test(key) && !key.includes(publicId("", birth));
}

/** Returns a marker that nobody can forge without the id of this state. */
export async function markerOf(key: string, birth: string): Promise<string> {
  return `<!-- agentx:1 ${key} ${await hashFor(key, birth)} -->`;
}

async function hashFor(key: string, birth: string): Promise<string> {
  return (await sha256(new TextEncoder().encode(`${birth} ${key}`))).slice(0, 16);
}

const ISSUE_MARKER = /\n*<!-- agentx:1 issue ([\w.~-]{1,64}) ([0-9a-f]{16}) -->\s*$/;

/** Returns the marker that ends the body of an issue that was created locally before it was created on GitHub. */
export async function issueMarker(uid: string, birth: string): Promise<string> {
  return `\n\n<!-- agentx:1 issue ${uid} ${await hashFor(`issue ${uid}`, birth)} -->`;
}

/**
 * Splits a body into its text, its issue marker and the `uid` in that marker; says whether this state made the marker.
 */
export async function markedBody(
  body: string,
  birth: string,
): Promise<{ text: string; marker: string; uid: string | undefined; isOurs: boolean }> {
  const [marker = "", uid, hash] = ISSUE_MARKER.exec(body) ?? [];
  const text = body.slice(0, body.length - marker.length);
  const isOurs = uid !== undefined && hash === await hashFor(`issue ${uid}`, birth);
  return { text, marker, uid, isOurs };
}

/** Returns all posts that belong on GitHub at a level, in the order of each thread. */
export function postsOf(
  { clarifications, questions, birth, level }: {
    clarifications: readonly ClarificationRecord[];
    questions: readonly GateInteraction[];
    birth: string;
    level: PostLevel;
  },
): Post[] {
  if (level === "none") return [];
  const own = clarifications.filter((record) => record.foreign !== true && isAskedHere(record));
  return [
    ...own.flatMap((record) => threadPosts(record, birth, level)),
    ...questions.filter(({ request }) => !isSecurity(request))
      .flatMap((question) => questionPosts(question, birth)),
  ].sort((a, b) => a.at < b.at ? -1 : a.at > b.at ? 1 : 0);
}

/** Returns the comments of people on an issue, in their own words. */
export function commentPosts({ issue, lines, undone }: KnownIssue, birth: string): Post[] {
  return lines.flatMap((line): Post[] => {
    const isOurs = line.op === "comment" && line.by === HUMAN && line.source === undefined;
    if (!isOurs || undone.has(line.id)) return [];
    const id = `ISS-${line.id}`;
    return [{
      ...{ key: `${publicId(id, birth)}/0`, id, issue: issue.number, at: line.time },
      ...{ title: "", text: line.body, waits: null, isEnd: false },
    }];
  });
}

function threadPosts(record: ClarificationRecord, birth: string, level: PostLevel): Post[] {
  const { id, formerIds = [id], topic, thread, status } = record;
  const named = publicId(formerIds[0], birth);
  const issue = issueNumberOf(id);
  const lastEscalation = thread.findLastIndex(({ type }) => type === "escalation");
  const firstEscalation = thread.findIndex(({ type }) => type === "escalation");
  const lastQuestion = thread.findLastIndex(({ type }) => type === "question");
  let at = "";
  return thread.flatMap((entry, index): Post[] => {
    const { type, body, timestamp } = entry;
    at = timestamp > at ? timestamp : at;
    const isEnd = type === "resolution" && firstEscalation >= 0 && firstEscalation < index;
    if (level === "escalations" && type !== "escalation" && !isEnd) return [];
    const text = type === "question" ? `${topic}\n\n${body}` : body;
    const waits = status === "escalated" && index === lastEscalation
      ? "decision"
      : isUnanswered(record) && index === lastQuestion
      ? "answer"
      : null;
    return [{
      key: `${named}/${index}`,
      id,
      issue,
      at,
      title: titleOf(entry),
      text,
      waits,
      isEnd,
    }];
  });
}

const NEEDS_DECISION = "Agents need a decision";

function titleOf({ type, from, login, round }: ThreadEntry): string {
  if (type === "escalation") return NEEDS_DECISION;
  const who = markdownLine(login === undefined ? from : `${from} (${login})`);
  if (type === "resolution") return `Decided by ${who}`;
  return type === "answer"
    ? `Answer of ${who}, round ${round}`
    : `Question of ${who}, round ${round}`;
}

function questionPosts(question: GateInteraction, birth: string): Post[] {
  const { id, created, status, request, resolved_at, user_response, superseded } = question;
  const key = publicId(id, birth);
  const { issue } = request;
  const waits = status === "pending" ? "decision" : null;
  const title = `${markdownLine(request.agent)} asks a human`;
  const asked = { key: `${key}/0`, id, issue, at: created, title, waits, isEnd: false } as const;
  const by = question.login === undefined ? "" : ` by ${markdownLine(question.login)}`;
  const first: Post = { ...asked, text: questionText(question) };
  if (waits !== null) return [first];
  const end: Post = {
    ...asked,
    key: `${key}/${superseded === null ? 1 : 2}`,
    at: resolved_at! > created ? resolved_at! : created,
    title: status === "timeout" ? "Nobody answered in time: the fallback is taken" : `Decided${by}`,
    text: question.decision?.text ?? user_response ?? "",
    isEnd: true,
  };
  return [first, end];
}

/** Returns an invented escalation as a sample of a post. */
export function samplePost(birth: string): Post {
  return {
    ...{ key: `${publicId("CLR-1-001", birth)}/2`, id: "CLR-1-001", issue: 1, at: "" },
    ...{ title: NEEDS_DECISION, waits: "decision", isEnd: false },
    text: [
      "Reason: the limit of 5 rounds is reached",
      "Topic: Database",
      "Question of engineer: PostgreSQL or SQLite?",
      "Position of architect: PostgreSQL",
      "Options:",
      "  a) accept the last answer of architect",
      "  b) decide otherwise",
    ].join("\n"),
  };
}

/** Returns the body of a comment. The caller has already removed secrets from the text. */
export async function commentOf(
  { key, title, text, waits, id }: Post,
  { birth, deciders }: { birth: string; deciders: readonly string[] },
): Promise<string> {
  const named = key.slice(0, key.indexOf("/"));
  if (title === "") {
    const marker = `<!-- agentx:1 ${key} ${await hashFor(key, birth)} -->\n`;
    return (marker + withoutMentions(text)).slice(0, MAX_COMMENT).toWellFormed();
  }
  const head = `${await markerOf(key, birth)}\n**${title}** - \`${named}\`\n\n`;
  const tail = waits === null ? "" : `\n\n${howTo(waits, { named, id, deciders })}`;
  const room = MAX_COMMENT - head.length - tail.length;
  return head + fenceOf(text, room, `agentx clarify ${id}`) + tail;
}

/**
 * Returns untrusted text in a fence, cut visibly if it is longer than `room`; `rest` is the command that shows all of
 * it.
 */
export function fenceOf(text: string, room: number, rest: string): string {
  const lines = text.split(/\r?\n/).map((line) => terminalLine(line));
  const whole = markdownFence(lines);
  return whole.length <= room ? whole : cutFence(lines, room, `read the rest with: ${rest}`);
}

/** Explains how to answer or decide in a comment. Only a post for a human's decision mentions somebody. */
function howTo(
  waits: "decision" | "answer",
  { named, id, deciders }: { named: string; id: string; deciders: readonly string[] },
): string {
  const people = deciders.filter((login) => LOGIN.test(login)).map((login) => `@${login}`).join(
    " ",
  );
  if (waits === "decision" && people === "") return `Decide with: \`agentx answer ${id}\``;
  const [who, choice] = waits === "decision"
    ? [`${people}: decide`, "a letter, or your own words"]
    : ["Whoever may write here answers", "your own words"];
  const example = waits === "decision" ? "a" : "...";
  return `${who} in a comment with a line such as\n\n    /agentx answer ${named} ${example}\n\n` +
    `with ${choice} on that line.`;
}

/** Returns the longest beginning that fits, with a line that says how much is missing. */
function cutFence(lines: readonly string[], room: number, next: string): string {
  const text = lines.join("\n");
  const fences = 2 * (markdownFence(lines).length - text.length); // the fences of the whole text are the longest
  const note = (left: number) => `[cut here: ${left} more characters; ${next}]`;
  const kept = text.slice(0, room - fences - note(text.length).length).toWellFormed();
  return markdownFence([...kept.split("\n"), note(text.length - kept.length)]);
}
