// Reads the lines of a markdown text that have a meaning: lines outside code fences, comments and frontmatter, each
// with its heading if it is one. Pure.
//
// Only headings with `#` count; an underlined heading is an ordinary line.

/** A line of a markdown text. */
export interface OutlineLine {
  /** The number of the line in the text, from 1. */
  line: number;
  /** The text of the line, without comments. */
  text: string;
  /** The heading that the line is; null for any other line. */
  heading: Heading | null;
}

export interface Heading {
  /** 1 for `#`, 2 for `##`, and so on. */
  level: number;
  /** The words of the heading, without marks. */
  title: string;
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,}(?!~))(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?![^ \t])(.*)$/;
const CLOSING_MARKS = /(?:^|[ \t])#+$/;

/** Returns the lines of a markdown text, without quoted and hidden lines. */
export function* outlineOf(markdown: string): Generator<OutlineLine> {
  const lines = markdown.split(/\r?\n/);
  let fence: string | undefined;
  let isComment = false;
  for (let index = frontmatterLength(lines); index < lines.length; index++) {
    let text = lines[index];
    const [, marks, info] = FENCE.exec(text) ?? [];
    if (fence !== undefined) {
      const isEnd = marks?.startsWith(fence) && info.trim() === "";
      if (isEnd) fence = undefined;
      continue;
    }
    if (!isComment && marks !== undefined) {
      fence = marks;
      continue;
    }
    if (isComment || text.includes("<!--")) {
      ({ text, isComment } = withoutComments(text, isComment));
    }
    yield { line: index + 1, text, heading: headingIn(text) };
  }
}

function headingIn(text: string): Heading | null {
  const [, marks, rest] = HEADING.exec(text) ?? [];
  if (marks === undefined) return null;
  return { level: marks.length, title: rest.trim().replace(CLOSING_MARKS, "").trim() };
}

/** Returns the number of lines of the frontmatter: 0 if the text has none, or if it never ends. */
export function frontmatterLength(lines: readonly string[]): number {
  if (lines[0] !== "---") return 0;
  return lines.indexOf("---", 1) + 1;
}

function withoutComments(line: string, isComment: boolean): { text: string; isComment: boolean } {
  let text = "";
  for (let rest = line;;) {
    const at = rest.indexOf(isComment ? "-->" : "<!--");
    if (at < 0) return { text: isComment ? text : text + rest, isComment };
    if (!isComment) text += rest.slice(0, at);
    rest = rest.slice(at + (isComment ? 3 : 4));
    isComment = !isComment;
  }
}
