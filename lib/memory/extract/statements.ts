/**
 * Cuts a message in markdown into what a person would read as one statement: a sentence with what it
 * means by "it", a short list with what it is a list of. Pure.
 *
 * @module
 */

import type { ObservationCategory } from "../schema.ts";
import { type Block, blocksOf, type ReadingOptions } from "./blocks.ts";
import { categoryOfHeading, categoryOfList, CHOICE, TECHNICAL } from "./cues.ts";
import { sentencesOf } from "./sentences.ts";

/** At the start of a sentence that says something of what the one before it named. */
const REFERS =
  /^(?:(?:However|But|Also|So|And|Instead|Specifically)[, ]+)?(?:it|its|they|this|that|these|those|which)(?:'s|'re)?\b/i;

/** Above what somebody is to do: it is done or dropped by the end. */
const TO_DO = /\b(?:task list|to-?dos?)\b/i;

/** At the end of what is asked: items below it are answers to choose from. */
const ASKS = /\?[*_)\s]*$/;

const LONGEST_JOINED = 400;

/** An item of a list of this length hardly names what it is about. */
const FEW_WORDS = 100;

const MOST_JOINED = 7;

/** Of so many words, a line above a list is a title and no subject. */
const LONGEST_TITLE = 6;

/** A sentence, or a part of an item or a row, word for word. */
export interface Statement {
  text: string;
  kind: Block["kind"];
  /** What the heading above, or the sentence before the list, says about it. */
  heading: ObservationCategory | undefined;
  /** Whether it is an item of a list to choose from. */
  isChoice: boolean;
}

/** The statements of a message, in order: one that means another one by "it" stands with that one. */
export function* statementsIn(
  text: string,
  options: ReadingOptions,
): Generator<Statement> {
  let heading: ObservationCategory | undefined;
  let isToDo = false;
  let isAsked = false;
  let list = new List();
  for (const block of blocksOf(text, options)) {
    const { kind, text: said } = block;
    const isChild = kind === "item" && list.holds(block);
    if (kind !== "item" || (!isChild && (said.endsWith(":") || list.parent !== undefined))) {
      yield* list.statements();
      list = new List(list.lead);
    }
    if (kind === "heading") {
      isAsked = ASKS.test(said);
      heading = categoryOfHeading(said);
      isToDo = TO_DO.test(said);
      list = new List();
      continue;
    }
    if (kind === "item" && !isChild && said.endsWith(":")) {
      list.parent = block;
      continue;
    }
    const sentences = withReferents(sentencesOf(said));
    if (kind === "paragraph") {
      list = new List(sentences.findLast((sentence) => sentence.endsWith(":")));
      isAsked = ASKS.test(said);
    }
    const before = kind === "item" ? list.lead ?? "" : "";
    const isChoice = isToDo || (kind === "item" && isAsked) || CHOICE.test(before);
    const led = categoryOfList(before) ?? heading;
    const statements = sentences.map((text) => ({ text, kind, heading: led, isChoice }));
    if (kind === "item") list.items.push(...statements);
    else yield* statements;
  }
  yield* list.statements();
}

/** Items below a sentence, or below an item that they are indented under. */
class List {
  /** The sentence before the list, which ends with a colon. */
  readonly lead: string | undefined;
  /** The item that these are indented under. */
  parent: Block | undefined;
  readonly items: Statement[] = [];

  constructor(lead?: string) {
    this.lead = lead;
  }

  holds({ indent }: Block): boolean {
    return this.parent !== undefined && indent > this.parent.indent;
  }

  /** An item with the subject it stands below; a title is only a heading. */
  #below(item: Statement): Statement {
    if (this.parent === undefined) return item;
    const { text } = this.parent;
    if (TECHNICAL.test(text) || text.split(" ").length > LONGEST_TITLE) {
      return { ...item, text: `${text} ${item.text}` };
    }
    return { ...item, heading: categoryOfHeading(text) ?? item.heading };
  }

  /** A list of a few words each says nothing without what stands above it: it is one statement. */
  *statements(): Generator<Statement> {
    const above = this.parent?.text ?? this.lead;
    const [first] = this.items;
    const length = this.items.reduce((sum, { text }) => sum + text.length, above?.length ?? 0);
    const isShort = this.items.length <= MOST_JOINED && length <= LONGEST_JOINED &&
      (this.parent !== undefined || this.items.every(({ text }) => text.length <= FEW_WORDS));
    const names = above !== undefined && (this.parent !== undefined || TECHNICAL.test(above));
    if (first === undefined || !names) {
      yield* this.items;
    } else if (isShort && (this.items.length > 1 || this.parent !== undefined)) {
      const said = this.items.map(({ text }) => text.replace(/[.;,]$/, "")).join("; ");
      const heading = this.parent === undefined ? undefined : first.heading;
      yield { ...first, text: `${above} ${said}`, heading };
    } else {
      yield* this.items.map((item) => this.#below(item));
    }
  }
}

/** Puts a sentence that only means something by "it" or "this" behind the one that says what. */
function withReferents(sentences: readonly string[]): string[] {
  const whole: string[] = [];
  for (const sentence of sentences) {
    const before = whole.at(-1);
    const refers = before !== undefined && REFERS.test(sentence) && !/[:?]$/.test(before) &&
      !sentence.endsWith("?");
    if (refers && before.length + sentence.length < LONGEST_JOINED) {
      whole[whole.length - 1] = `${before} ${sentence}`;
    } else {
      whole.push(sentence);
    }
  }
  return whole;
}
