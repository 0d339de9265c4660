// Issues by the words in them: title, body, comments, and what agents asked each other about them. Pure.

import type { Issue } from "./issue.ts";
import { hasAll, searchWords } from "./matching.ts";

/** A text that belongs to an issue. */
export interface SearchedText {
  /** `title`, `body`, `comment`, or the id of a clarification. */
  where: string;
  /** The text. */
  text: string;
}

/** An issue that has all the words. */
export interface SearchHit extends Pick<Issue, "number" | "title" | "state"> {
  /** Where the line is. */
  where: string;
  /** The line that has most of the words; of a long one, what is about the first of them. */
  line: string;
}

/** A longer line is not shown from its beginning, where the words come late. */
const MAX_LINE = 60;
const MAX_BEFORE = 20;

/** One hit for each issue whose texts, its `threads` included, have all the words. */
export function searchIssues(
  issues: readonly Issue[],
  search: string,
  threads: ReadonlyMap<number, readonly SearchedText[]>,
): SearchHit[] {
  const words = searchWords(search);
  return issues.flatMap(({ number, title, body, comments, state }): SearchHit[] => {
    const texts = [
      { where: "title", text: title },
      { where: "body", text: body },
      ...comments.map(({ body }) => ({ where: "comment", text: body })),
      ...threads.get(number) ?? [],
    ];
    if (!hasAll(texts.map(({ text }) => text).join("\n"), words)) return [];
    return [{ number, title, state, ...bestLine(texts, words) }];
  });
}

/** The first of those that have as many of the words. */
function bestLine(
  texts: readonly SearchedText[],
  words: readonly string[],
): Pick<SearchHit, "where" | "line"> {
  let best = { where: "title", line: "", count: 0 };
  for (const { where, text } of texts) {
    for (const line of text.split(/\r?\n/)) {
      const plain = line.toLowerCase();
      const count = words.filter((word) => plain.includes(word)).length;
      if (count > best.count) best = { where, line: line.trim(), count };
    }
  }
  const plain = best.line.toLowerCase();
  const at = Math.min(...words.map((word) => plain.indexOf(word)).filter((index) => index >= 0));
  const isLong = best.line.length > MAX_LINE && at > MAX_BEFORE;
  return { where: best.where, line: isLong ? `...${best.line.slice(at - MAX_BEFORE)}` : best.line };
}
