// `agentx board --out`: the board as one file. The same state gives the same bytes: the file shows times, not ages, and
// its last day is the day of the latest change.

import { staticPage, type StaticPart } from "../../board/static_page.ts";
import { type IssueData, issueView } from "../../board/views/issue.ts";
import { figuresView } from "../../board/views/figures.ts";
import { issuesFor, issuesView } from "../../board/views/issues.ts";
import { rememberedView } from "../../board/views/memory.ts";
import { type Html, problemList } from "../../board/views/parts.ts";
import { threadsView, threadView } from "../../board/views/threads.ts";
import { minuteOf } from "../../base/time.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { replaceFile } from "../../sys/replace_file.ts";
import type { Workspace } from "../../workspace/open.ts";
import { issueReader } from "./issue_data.ts";
import { figuresUpTo, repositoryName } from "./read.ts";

/** The parts that are written only on request, because agents and people wrote them for each other. */
export const EXTRAS = ["threads", "memory"] as const;

/** A part that the file may have besides issues and figures. */
export type Extra = typeof EXTRAS[number];

/** Writes the file, without secrets. Throws `CORRUPT_STATE`, `NEWER_STATE`, `IO_ERROR`. */
export async function writeStatic(
  path: string,
  workspace: Workspace,
  extras: readonly Extra[],
): Promise<void> {
  const { issues: store, ledger } = workspace;
  const view = store.view();
  const known = Array.from(view.byNumber.values()).sort((a, b) => a.issue.number - b.issue.number);
  const scan = ledger.scan();
  const threads = extras.includes("threads") ? await withoutSecrets(scan.clarifications) : [];
  const observations = extras.includes("memory")
    ? await withoutSecrets(await (await workspace.memory()).store.listAll())
    : [];
  const dataOf = await issueReader(workspace);
  const data = await withoutSecrets(known.map((each) => ({
    ...dataOf(each),
    threads: threads.filter(({ id }) => id.startsWith(`CLR-${each.issue.number}-`)),
    observations: observations.filter(({ issueNumber }) => issueNumber === each.issue.number),
  })));
  const times = [
    ...data.map(({ issue }) => issue.updated),
    ...threads.flatMap(({ thread }) => thread.map(({ timestamp }) => timestamp)),
    ...observations.map(({ timestamp }) => timestamp),
  ].map((time) => Date.parse(time)).filter(Number.isFinite);
  const latest = times.reduce((a, b) => Math.max(a, b), 0);
  const { stats, problems: unread } = await figuresUpTo(workspace, latest);
  const parts: StaticPart[] = [
    { at: "issues", content: listOf(data) },
    ...data.map((each) => ({ at: `issue?n=${each.issue.number}`, content: issueView(each) })),
  ];
  parts.splice(1, 0, { at: "figures", content: figuresView(stats) });
  if (extras.includes("threads")) {
    parts.push({ at: "threads", content: threadsView(threads) });
    for (const record of threads) {
      const content = threadView({ record, run: undefined, deliveries: [], runs: undefined });
      parts.push({ at: `thread?id=${record.id}`, content });
    }
  }
  if (extras.includes("memory")) {
    parts.push({ at: "memory", content: rememberedView(observations) });
  }
  const problems = new Map([...view.problems, ...unread].map((each) => [each.message, each]));
  parts.push({ at: "problems", content: problemList([...problems.values()]) });
  const asOf = latest === 0 ? "the beginning" : `${minuteOf(latest)} UTC`;
  const left = EXTRAS.filter((each) => !extras.includes(each));
  const holds = left.length === 0
    ? "Issues, figures, threads and memory; secrets are cut."
    : `Issues and figures${extras.map((each) => ` and ${each}`).join("")}, without ${
      left.join(" and ")
    }; secrets are cut.`;
  const repository = repositoryName(workspace);
  replaceFile(path, await staticPage({ repository, asOf, holds, parts }));
}

/** Renders all issues as a tree. */
function listOf(data: readonly IssueData[]): Html {
  const query = new URLSearchParams({ as: "tree" });
  const found = issuesFor(data.map(({ issue }) => issue), query, Infinity);
  const reasons = new Map(data.map(({ issue, reasons = [] }) => [issue.number, reasons]));
  return issuesView({ ...found, reasons, newTypes: [] }, query);
}
