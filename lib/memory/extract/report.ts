// The report of an agent at the end of a turn: the beginning of its message, without code, thanks and
// offers. Pure.

import { withoutScaffolding } from "../../transcripts/scaffolding.ts";
import { blocksOf } from "./blocks.ts";
import { sentencesOf } from "./sentences.ts";

/** Maximum characters of a report; the rest of the message goes into detail. */
const LONGEST = 600;

/** Minimum characters of a report; a shorter one only says that the work is done. */
const SHORTEST = 80;

/** Matches a question, an offer or open work: none of them is a fact. */
const OFFERED =
  /[?\uff1f]\W*$|\b(?:could|should|would|might|will|I'(?:d|ll)|we'(?:d|ll)|let me know|do you want|want me to|feel free|shall I|happy to|recommend\w*|suggest|propose|you (?:can|may|need to)|alternatively|option [1-9A-D]|next steps?|to-?dos?)\b/i;

/** Matches a title above offers or open work. */
const OFFERS =
  /\b(?:next|to-?do|remaining|options?|alternatives?|proposals?|proposed|recommend\w*|suggest\w*|plan|future|optional|could|want)\b|\?\W*$/i;

/** Maximum number of words in a title. */
const LONGEST_TITLE = 5;

/** Matches sentences and titles without content, and an agent's next step. */
const EMPTY = new RegExp(
  [
    String
      .raw`^\W*(?:(?:now|next|first|then|ok(?:ay)?|so|great|good|perfect|excellent)[,.!:]? )*(?:let me|let's|I(?:'ll| will| need to|'m \w+ing)|now I|next up|thank you|(?:committing|pushing|running|checking|writing) )\b`,
    String
      .raw`^\W*(?:great|perfect|excellent|done|good|all done|thanks?|sure|ok(?:ay)?|yes|summary|changes|here(?:'s| is) [^.]{0,60})?\W*$`,
    String.raw`^\W*(?:committed|pushed|merged)\b[^:]{0,100}$|\bworking tree (?:is )?clean\b`,
    String
      .raw`^\W*(?:(?:all|both|the|every)\b.{0,30})?\b(?:tests?|checks?|gates|lint|build)\b.{0,30}\b(?:pass(?:es|ed)?|green|succeed(?:s|ed)?)\b.{0,30}$`,
    String
      .raw`\b(?:still (?:working|running)|waiting for|I'm (?:now )?(?:\w+ing|finished))\b|^\S*$`,
  ].join("|"),
  "i",
);

/** Matches words of a report, for sessions without recorded tools. */
const REPORTS =
  /\b(?:done|fixed|implemented|added|created|updated|changed|removed|replaced|pushed|committed|root cause|cause\b|summary)\b/i;

/** Number of characters of a message to search for these words. */
const OPENING = 400;

/** Whether a message begins with a report of work. */
export function isReport(text: string): boolean {
  return REPORTS.test(text.slice(0, OPENING));
}

/** Returns the beginning of a report, on one line; empty if it tells nothing. */
export function reportIn(written: string): string {
  let report = "";
  let title = "";
  let isOffer = false;
  for (const { kind, text } of blocksOf(straight(written), { readQuotes: true })) {
    const isTitle = kind === "heading" || (kind === "paragraph" && text.endsWith(":"));
    if (isTitle || kind === "paragraph") isOffer = isTitle && isOfferTitle(text);
    if (isOffer) continue;
    const said = sentencesOf(text)
      .filter((sentence) => !OFFERED.test(sentence) && !EMPTY.test(sentence)).join(" ");
    if (said === "") continue;
    if (isTitle) {
      title = `${said.replace(/:$/, "")}: `;
      continue;
    }
    const part = title + (kind === "item" ? `- ${said}` : said);
    const longer = report === "" ? part : `${report} ${part}`;
    if (longer.length > LONGEST) return wholePart(longer);
    title = "";
    report = longer;
  }
  return report.length < SHORTEST ? "" : report;
}

/** Returns the agent's text without scaffolding and with straight apostrophes, because the rules use those. */
function straight(written: string): string {
  return withoutScaffolding(written).replace(/[\u2018\u2019]/g, "'");
}

/** Whether a title announces offers. A long title is a sentence, where a single word proves nothing. */
function isOfferTitle(text: string): boolean {
  return OFFERED.test(text) ||
    (OFFERS.test(text) && text.split(/\s+/).length <= LONGEST_TITLE);
}

/** Returns as many whole sentences or items as fit. */
function wholePart(text: string): string {
  const start = text.slice(0, LONGEST);
  const end = Math.max(...[". ", "! ", "\u3002", " - "].map((mark) => start.lastIndexOf(mark)));
  return start.slice(0, end < SHORTEST ? start.lastIndexOf(" ") : end + 1).trim();
}
