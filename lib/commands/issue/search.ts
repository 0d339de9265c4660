import { issueNumberOf } from "../../clarify/schema.ts";
import { defineCommand } from "../../cli/command.ts";
import { firstRows, rowLimit, text } from "../../cli/inputs.ts";
import { noteProblems } from "../../cli/note.ts";
import { argument, flag } from "../../cli/spec.ts";
import { moreRows } from "../../text/table.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { Issue } from "../../work/issue/issue.ts";
import { hasAll, searchWords } from "../../work/issue/matching.ts";

const MAX_WORDS = 1_000;

/** Maximum width of a line with a late match; a longer line is cut before the match. */
const MAX_LINE = 60;
const MAX_BEFORE = 20;

export const command = defineCommand({
  kind: "issue.search",
  examples: ['agentx issue search "refund card"', "agentx issue search --closed crash"],
  input: {
    closed: flag("Also search closed issues"),
    limit: rowLimit,
    words: argument(text(MAX_WORDS), "Words to search for; case does not matter", {
      placeholder: "WORDS",
    }),
  },
  positional: ["words"],
  async run(context, { closed, limit, words }) {
    const { issues, ledger } = await context.openWorkspace();
    const scan = issues.scan();
    const records = ledger.scan();
    const threads = new Map<number, SearchedText[]>();
    for (const { id, thread } of records.clarifications) {
      const number = issueNumberOf(id);
      const texts = thread.map(({ body }) => ({ where: id, text: body }));
      threads.set(number, [...threads.get(number) ?? [], ...texts]);
    }
    const searched = scan.issues.filter(({ state }) => closed || state === "open");
    const { rows, more } = firstRows(searchIssues(searched, words, threads), limit);
    const exitCode = noteProblems(context.io, [...scan.problems, ...records.problems]);
    return { output: { hits: rows, more }, exitCode };
  },
  render: ({ hits, more }, view) =>
    hits.length === 0
      ? "  No matching issues."
      : [renderHits(hits, view), ...moreRows(more, view)].join("\n"),
});

/** Renders each issue, with the line that matched below it. */
function renderHits(hits: readonly SearchHit[], { style, width }: RenderView): string {
  return hits.flatMap(({ number, title, where, line }) => [
    terminalLine(`  #${number} ${title}`, width),
    ...where === "title" ? [] : [style.dim(terminalLine(`      ${where}: ${line}`, width))],
  ]).join("\n");
}

/** A text that belongs to an issue. */
interface SearchedText {
  /** `title`, `body`, `comment`, or the id of a clarification. */
  where: string;
  text: string;
}

/** An issue that has all the words. */
interface SearchHit extends Pick<Issue, "number" | "title" | "state"> {
  /** The place of the line: `title`, `body`, `comment`, or the id of a clarification. */
  where: string;
  /** The line with the most search words; a long one is cut around its first match. */
  line: string;
}

/** Returns one hit for each issue that has all the words in its texts or its `threads`. */
function searchIssues(
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

/** Returns the line with the most words; the first of several. */
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
