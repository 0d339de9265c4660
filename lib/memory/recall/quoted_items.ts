// The quotes of a recall, within a budget: one line names agent, issue and day, then each observation stands under the
// end of its id, with its content in a block of code. Pure.

import { breakTemplateMarks } from "../../text/template_marks.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import { isNote } from "../identity.ts";
import { charactersOf, type Observation, shortIdOf, toldBy } from "../schema.ts";
import { RECALL_QUOTE } from "../../text/recall_markers.ts";

/** The least characters of an item besides its quote. */
export const LEAST_ITEM = "- a1b2c3\n\n".length + RECALL_QUOTE.length;

/** Categories with a shorter name. */
const KINDS: Record<string, string> = { "key-fact": "", "compaction-summary": "summary" };

const MAX_NAME = 100;

/** The end of a session's name tells it from others. */
const MAX_SESSION = 12;

/** Most texts are ASCII, and need no Unicode tables. */
const PLAIN = /^[\w @.#-]*$/;

/** If the markers are lost, the next heading is taken for the end of the recall. */
const HEADING = /^([> ]*)#/;

/** The start of our markers, which is broken up in quoted text: no text can begin or end a recall. */
const MARKER_NAME = /(agentx:memory)-(?=recall)/gi;

/** The rest of a budget. */
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

  /** Whether so many characters fit. */
  has(characters: number): boolean {
    return this.#used + characters <= this.#max;
  }

  /** Uses room for so many characters, if they fit. */
  take(characters: number): boolean {
    if (!this.has(characters)) return false;
    this.#used += characters;
    return true;
  }
}

/** The observations of one agent for one issue on one day. */
interface Group {
  head: string;
  /** The text of each. */
  items: Map<Observation, string>;
}

/** The quotes, in the order of their arrival; those of one group stand together. */
export class QuotedItems {
  readonly #room: Room;
  readonly #head: string;
  readonly #groups: Group[] = [];
  readonly #byHead = new Map<string, Group>();

  /** `head` is said before all of them. */
  constructor(room: Room, head = "") {
    this.#room = room;
    this.#head = head;
  }

  /**
   * Adds an observation, if there is room for it.
   *
   * @param options the remark beside the id; and whether the observation is in doubt, so it stands behind all others
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

  /** In the order of the text. */
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

/** The source of what follows; all notes of an agent have one session, which tells nothing. */
function groupHead(observation: Observation): string {
  const { agent, issueNumber, timestamp, sessionId } = observation;
  const session = isNote(observation) ? "" : `, session ${plain(sessionId.slice(-MAX_SESSION))}`;
  return `${plain(agent)} on #${issueNumber}, ${plain(timestamp.slice(0, 10))}${session}:\n`;
}

/** Its short id, its category unless that is the usual one, and who said it if it was not noted. */
function itemHead(observation: Observation, note: string | undefined): string {
  const { id, category, source } = observation;
  const kind = source === "report" ? "" : KINDS[category] ?? category;
  const names = [shortIdOf(id), kind, toldBy(observation), note].filter((name) => name);
  return `- ${plain(names.join(" "))}`;
}

/** Files are untrusted: one line, no markup. */
function plain(name: string): string {
  const line = terminalLine(name, MAX_NAME);
  return PLAIN.test(line) ? line : line.replace(/[^\p{L}\p{N} @.#_-]/gu, "?");
}
