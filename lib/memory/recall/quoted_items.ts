// The quotes of a recall, within a budget. One line names agent, issue and day. Below it, each observation has the end
// of its id, and its content in a block of code. Pure.

import { breakTemplateMarks } from "../../text/template_marks.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import { isNote } from "../identity.ts";
import { charactersOf, type Observation, shortIdOf, toldBy } from "../schema.ts";
import { RECALL_QUOTE } from "../../text/recall_markers.ts";

/** Minimum number of characters of an item besides its quoted text. */
export const LEAST_ITEM = "- a1b2c3\n\n".length + RECALL_QUOTE.length;

/** Categories with a shorter name. */
const KINDS: Record<string, string> = { "key-fact": "", "compaction-summary": "summary" };

const MAX_NAME = 100;

/** Maximum characters of a session's name; its end distinguishes it from others. */
const MAX_SESSION = 12;

/** Most texts are ASCII, and need no Unicode tables. */
const PLAIN = /^[\w @.#-]*$/;

/** Matches a heading, which is escaped: if the markers are lost, the next heading counts as the end of the recall. */
const HEADING = /^([> ]*)#/;

/** Matches the start of our markers. It is broken up in quoted text, so that no text can begin or end a recall. */
const MARKER_NAME = /(agentx:memory)-(?=recall)/gi;

/** Tracks the rest of a budget. */
export class Room {
  readonly #max: number;
  #used = 0;

  constructor(maxTokens: number, maxCharacters: number) {
    if (!(maxTokens >= 0 && maxCharacters >= 0)) {
      throw new RangeError(
        `Cannot recall in ${maxTokens} tokens and ${maxCharacters} characters: at least 0`,
      );
    }
    this.#max = Math.min(charactersOf(maxTokens), maxCharacters);
  }

  /** Whether this number of characters fits. */
  has(characters: number): boolean {
    return this.#used + characters <= this.#max;
  }

  /** Uses room for this number of characters, if they fit; returns whether they did. */
  take(characters: number): boolean {
    if (!this.has(characters)) return false;
    this.#used += characters;
    return true;
  }
}

/** The observations of one agent for one issue on one day. */
interface Group {
  head: string;
  /** The text of each observation. */
  items: Map<Observation, string>;
}

/** Collects quotes in the order of their arrival; the quotes of one group stand together. */
export class QuotedItems {
  readonly #room: Room;
  readonly #head: string;
  readonly #groups: Group[] = [];
  readonly #byHead = new Map<string, Group>();

  /** `head` stands before all quotes. */
  constructor(room: Room, head = "") {
    this.#room = room;
    this.#head = head;
  }

  /**
   * Adds an observation, if there is room for it.
   *
   * @param options `note` is a remark beside the id; `isInDoubt` puts the observation behind all others
   */
  add(
    observation: Observation,
    text: string,
    { note, isInDoubt = false }: { note?: string; isInDoubt?: boolean } = {},
  ): boolean {
    const last = this.#groups.at(-1);
    const head = groupHead(observation);
    const same = this.#byHead.get(head);
    const known = isInDoubt && last?.head !== head ? undefined : same;
    const item = `${itemHead(observation, note)}\n${quoteLines(text)}`;
    const heads = (known === undefined ? head.length : 0) +
      (last === undefined ? this.#head.length : 0);
    if (!this.#room.take(item.length + heads)) return false;
    const group = known ?? { head, items: new Map<Observation, string>() };
    group.items.set(observation, item);
    if (known === undefined) {
      this.#groups.push(group);
      this.#byHead.set(head, group);
    }
    return true;
  }

  /** Returns the observations in the order of the text. */
  get observations(): Observation[] {
    return this.#groups.flatMap(({ items }) => [...items.keys()]);
  }

  get text(): string {
    if (this.#groups.length === 0) return "";
    const groups = this.#groups.map(({ head, items }) => head + [...items.values()].join(""));
    return this.#head + groups.join("");
  }
}

/** Quotes text so that no line of it leaves the quote. */
export function quoteLines(text: string): string {
  const inert = breakTemplateMarks(text.replace(MARKER_NAME, "$1\\u{2d}"));
  return terminalBlock(inert, { indent: RECALL_QUOTE })
    .map((line) => `${line.replace(HEADING, "$1\\#").trimEnd()}\n`).join("");
}

/** Returns the line that names the source of a group. Notes get no session, because all notes of an agent share one. */
function groupHead(observation: Observation): string {
  const { agent, issueNumber, timestamp, sessionId } = observation;
  const session = isNote(observation) ? "" : `, session ${plain(sessionId.slice(-MAX_SESSION))}`;
  return `${plain(agent)} on #${issueNumber}, ${plain(timestamp.slice(0, 10))}${session}:\n`;
}

/**
 * Returns the first line of an item: its short id, its category unless usual, its speaker unless it is a note, and the
 * remark.
 */
function itemHead(observation: Observation, note: string | undefined): string {
  const { id, category, source } = observation;
  const kind = source === "report" ? "" : KINDS[category] ?? category;
  const names = [shortIdOf(id), kind, toldBy(observation), note].filter((name) => name);
  return `- ${plain(names.join(" "))}`;
}

/** Returns a name on one line, without markup: files are untrusted. */
function plain(name: string): string {
  const line = terminalLine(name, MAX_NAME);
  return PLAIN.test(line) ? line : line.replace(/[^\p{L}\p{N} @.#_-]/gu, "?");
}
