// What a person decided, corrected or told in so many words. Pure.

import { withoutScaffolding } from "../../transcripts/scaffolding.ts";
import type { Candidate } from "./select.ts";
import { isJunk } from "./junk.ts";
import { DANGLING, OPEN, REASON, TECHNICAL } from "./kind.ts";
import { saidByPerson } from "./own_words.ts";
import { sentencesOf } from "./sentences.ts";

/** What is longer was not typed: it is a plan or a document, which can be read where it is. */
const LONGEST_SAID = 600;

const LONGEST = 400;

/** Fewer words do not say what they are about. */
const FEWEST_WORDS = 5;

const WEIGHT = 9;

/** What holds after the task is done: a rule, a choice against something else, or how things are. */
const STANDING =
  /\b(?:must(?:n't)?|(?<!\b(?:is|are|was|were|be|been|but|can) )never|always|(?<!\bI )(?:don't|do not)|doesn't need|not needed|stay (?:on|with|at)|pinned|no longer|not allowed|from now on|by default|because|prefer|hard[- ]cut|agreed|decided|we use)\b|^not? \w+ but\b/i;

/** What may be so little as an instruction: it is kept where the person says why. */
const WANTED =
  /\b(?:only|keep|instead|rather than|should(?:n't)?|has to|have to|needs? to be|is needed|let's (?:use|keep|make it|go with)|we (?:want|need|have|do))\b|^use \w+/i;

/** A thing of a name is a choice. */
const CHOICE = /^[Uu]se (?:`|\w*[A-Z])/;

/** No rule here reads it: all that is said counts. */
const FOREIGN = /^[^a-z]{12,}$/i;

/** What is to be done next is done by the end. */
const ERRAND =
  /^(?:@\S+ )?(?:\W*(?:please|pls|now|then|next|first|also|and|so|ok(?:ay)?|yes|great|good|perfect|cool|thanks?|sure|hm+|wait)[,.!:]?\s+)*(?:can|could|would|will) (?:you|we|I)\b|^(?:\W*(?:please|pls|now|then|next|first|also|and|so|ok(?:ay)?|yes|great|good|perfect)[,.!:]?\s+)*(?:run|check|look|read|review|test|explain|show|tell|continue|implement|commit|push|pull|fix|write|create|make|go|do it|try|see|find|search|investigate|verify|start|finish|merge|open|list|give|help|summari[sz]e|plan|draft|re-?run|return|report|confirm|proceed|wait|stop|keep going|add|update)\b/i;

/** An instruction about this answer or this commit. */
const OF_THE_MOMENT =
  /\b(?:don't|do not|never|always|please) (?:summari[sz]e|explain|repeat|ask|stop|commit|push|edit (?:the|this) plan|create (?:them|it) again|forget|worry|rush)\b|\bin (?:one|two|a few) (?:sentences?|lines?|words)\b|\buntil you\b|\bthat (?:part|one|thing)\b|\b(?:right now|for now|this time|tonight|today)\b|\byou(?:'ve| have)?\b.{0,20}\b(?:forgot|just|rushed|said|told|wrote)\b/i;

/** Words that agree, disagree or lead over, and are not part of what is said. */
const LEAD =
  /^(?:(?:(?:and|but|so|then|also|ok(?:ay)?|yeah|well|great|thanks|sure|hm+|fine|sry|sorry|actually)\b[,.!:;]*|(?:yes|no|nope|right|good|wait|careful)[,.!:;]+)\s+(?:[-\u2013]\s+)?)+/i;

/** A question without its mark. */
const ASKS =
  /^(?:why|what|how|when|where|who|which|is|are|does|do (?:you|we)|did|can|could|would|should (?:we|I))\b/i;

/** Only with what was said before it does it mean anything. */
const HANGING = /^(?:it|this|that|these|those|they|he|she|which|same)\b/i;

/** A person's decisions and facts; where the agent had put a question, a plain answer is one too. */
export function personCandidates(words: string, message: number): Candidate[] {
  const { said, isReport } = saidByPerson(withoutScaffolding(words));
  if (said.length > LONGEST_SAID) return [];
  return paragraphsIn(said).flatMap((paragraph) => {
    const sentences = sentencesOf(paragraph);
    const found: Candidate[] = [];
    sentences.forEach((sentence, at) => {
      const text = sentence.replace(LEAD, "").trim();
      const next = sentences[at + 1] ?? "";
      const isWhy = REASON.test(next) || HANGING.test(next);
      const holds = STANDING.test(text) || CHOICE.test(text) || FOREIGN.test(text) ||
        WANTED.test(text) && (REASON.test(text) || isWhy);
      const isSaid = text.length <= LONGEST && holds &&
        ![ASKS, ERRAND, OF_THE_MOMENT, /\?$/].some((form) => form.test(text)) && !isJunk(text) &&
        !DANGLING.test(text);
      const isClear = text.split(" ").length >= FEWEST_WORDS || TECHNICAL.test(text) ||
        FOREIGN.test(text);
      if (!isSaid || !isClear || isReport) return;
      const whole = isWhy && text.length + next.length < LONGEST && !next.endsWith("?")
        ? `${text} ${next}`
        : text;
      found.push({
        text: whole.slice(0, LONGEST),
        category: "decision",
        weight: WEIGHT + (TECHNICAL.test(text) ? 1 : 0) - (OPEN.test(text) ? 2 : 0),
        message,
      });
    });
    return found;
  });
}

/** A quote, or an item of a list: of a task, or of what somebody else wrote. */
const ITEM = /^(?:>|[-*\u2022]\s|\d+[.)]\s)/;

function paragraphsIn(text: string): string[] {
  return text.split(/\n\s*\n|\n(?=\s*[-*]\s)/).map((each) => each.replace(/\s+/g, " ").trim())
    .filter((each) => each !== "" && !ITEM.test(each));
}
