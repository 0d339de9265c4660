// Commands in comments on GitHub: a line that begins with `/agentx answer` or `/agentx resolve`. Pure.
//
// Lines of a quote, of a code block and of an HTML comment do not count, so an e-mail that quotes one of our comments
// does not repeat a command. Only the first command of a comment counts.

/** A line that answers a question or makes a decision. */
export interface CommentCommand {
  /** Such as `CLR-42-001@3f2a1c`; undefined if the line names no id. */
  id: string | undefined;
  /** The letter of an option, or free text. */
  answer: string;
}

/** A hyphen, or one of the dashes that phone keyboards put in its place. */
const DASH = "[-\\u2010-\\u2014]";

const LINE = new RegExp(
  `^\\s{0,3}/agentx\\s+(?:answer|resolve)\\s+(?:((?:CLR${DASH}\\d+|ASK)${DASH}\\d+@[0-9a-f]{6})(?:\\s+|$))?(.*)$`,
  "i",
);

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Returns the first command of a comment; undefined if the comment has none. */
export function commandIn(body: string): CommentCommand | undefined {
  let fence: string | undefined;
  const visible = body.replace(/<!--.*?(?:-->|$)/gs, "");
  for (const line of visible.split(/\r\n|\r|\n/)) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (mark !== undefined) fence = mark;
    const [, id, answer] = LINE.exec(line) ?? [];
    if (answer === undefined) continue;
    return { id: id && normalized(id), answer: answer.trim() };
  }
  return undefined;
}

function normalized(id: string): string {
  const [own, birth] = id.split("@");
  return `${own.toUpperCase().replaceAll(new RegExp(DASH, "g"), "-")}@${birth.toLowerCase()}`;
}
