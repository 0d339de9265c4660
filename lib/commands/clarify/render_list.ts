// Clarifications as a table, or as threads, with the runs of the open ones. Pure.

import { renderRuns } from "./render_runs.ts";
import { renderTable, renderThread } from "../../clarify/render/threads.ts";
import type { OpenRun } from "../../clarify/reach.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import { deliveryLines } from "./delivery_line.ts";
import type { DeliveryReport } from "../../hooks/delivery_report.ts";
import type { RenderView } from "../../text/view.ts";

/** The output of the commands that list clarifications. */
export interface ListOutput {
  nowMs: number;
  /** The issue of the shown threads, if they belong to one. */
  issue?: number;
  clarifications: ClarificationRecord[];
  /** Number of further clarifications; only without threads. */
  more?: number;
  /** The runs of the open questions among them. */
  runs: OpenRun[];
  /** Issue numbers of the clarifications that have no issue here. */
  outside?: number[];
  /** The deliveries of the entries of each thread; only with threads. */
  deliveries?: DeliveryReport[];
}

/** Maximum deliveries of one thread: of the entry to read, and of the entry before. */
const MAX_DELIVERIES = 2;

/** Renders the table or the threads, and a line on each run. */
export function renderList(
  { clarifications, runs, deliveries = [], outside = [], issue, nowMs }: ListOutput,
  view: RenderView,
): string[] {
  const shown = issue === undefined
    ? renderTable(clarifications, nowMs, view)
    : clarifications.map((record) => renderThread(record, view)).join("\n\n");
  const runLines = renderRuns(clarifications, runs, { ...view, nowMs });
  const latest = clarifications.flatMap(({ id }) =>
    deliveries.filter((report) => report.id.startsWith(`${id}.`)).slice(-MAX_DELIVERIES)
  );
  const marks = outside.map((number) =>
    view.style.yellow(`  #${number} is outside: there is no issue of that number here`)
  );
  return [shown, ...marks, ...runLines, ...latest.flatMap((report) => deliveryLines(report, view))];
}
