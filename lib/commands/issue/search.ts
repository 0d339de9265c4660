import { issueNumberOf } from "../../clarify/schema.ts";
import { defineCommand } from "../../cli/command.ts";
import { firstRows, rowLimit, text } from "../../cli/inputs.ts";
import { noteProblems } from "../../cli/note.ts";
import { argument, flag } from "../../cli/spec.ts";
import { moreRows } from "../../text/table.ts";
import { type SearchedText, searchIssues } from "../../work/issue/search.ts";
import { renderHits } from "./render.ts";

const MAX_WORDS = 1_000;

export const command = defineCommand({
  kind: "issue.search",
  examples: ['agentx issue search "refund card"', "agentx issue search --closed crash"],
  input: {
    closed: flag("Search closed issues, too"),
    limit: rowLimit,
    words: argument(text(MAX_WORDS), "Words that an issue has, in any case", {
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
