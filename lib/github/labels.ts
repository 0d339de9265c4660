// Labels that show the state of an issue's threads on GitHub. This workspace adds the labels that are missing, and
// removes only labels that it added itself. A label that somebody else set stays.

import { stringOf } from "../base/checks.ts";
import {
  type ClarificationRecord,
  isActive,
  isAskedHere,
  issueNumberOf,
} from "../clarify/schema.ts";
import type { PostLevel } from "../config/config.ts";
import type { GitHubClient } from "./client.ts";
import type { Outbox } from "./outbox.ts";

const ACTIVE = "clarification:active";
const STALE = "clarification:stale";

/** Whether a label shows the state of threads. Such a label is no news about an issue. */
export function isThreadLabel(name: unknown): boolean {
  return name === ACTIVE || name === STALE;
}

/** Returns the labels that issues should have, by the number of the issue on GitHub. */
export function labelsWanted(
  clarifications: readonly ClarificationRecord[],
  level: PostLevel,
  numberOf: (issue: number) => number | undefined,
): Map<number, Set<string>> {
  const wanted = new Map<number, Set<string>>();
  if (level === "none") return wanted;
  for (const record of clarifications) {
    const isShown = level === "threads" ? isActive(record) : record.status === "escalated";
    if (!isShown || record.foreign || !isAskedHere(record)) continue;
    const number = numberOf(issueNumberOf(record.id));
    if (number === undefined) continue;
    const labels = wanted.get(number) ?? new Set();
    wanted.set(number, labels.add(ACTIVE));
    if (record.status === "stale") labels.add(STALE);
  }
  return wanted;
}

/** Adds and removes labels; returns a sentence for each issue that refuses. Throws `SYNC_ERROR`. */
export async function settleLabels(
  wanted: ReadonlyMap<number, ReadonlySet<string>>,
  outbox: Outbox,
  client: GitHubClient,
): Promise<string[]> {
  const problems: string[] = [];
  const issues = new Set([...wanted.keys(), ...outbox.labelled()]);
  for (const number of issues) {
    const path = `${outbox.path}/issues/${number}/labels`;
    const { items, isMissing } = await client.list(`${path}?per_page=100`, {
      emptyOn: [301, 404, 410],
    });
    if (isMissing) { // the issue was deleted or moved
      await outbox.noteLabels(number, []);
      continue;
    }
    const there = new Set(items.map(({ name }) => stringOf(name)?.toLowerCase()));
    const due = wanted.get(number) ?? new Set<string>();
    const missing = [...due].filter((label) => !there.has(label));
    const own = outbox.labelsOf(number);
    if (missing.length > 0) {
      await outbox.noteLabels(number, [...own, ...missing]); // noted first, so a kill leaves no label unowned
      const sent = await client.send("POST", path, { labels: missing });
      if (sent !== "unclear" && sent.status !== 200) {
        await outbox.noteLabels(number, own);
        problems.push(`#${number} on GitHub takes no label: status ${sent.status}`);
      }
    }
    for (const label of own.filter((label) => !due.has(label))) {
      const sent = there.has(label)
        ? await client.send("DELETE", `${path}/${encodeURIComponent(label)}`)
        : { status: 404 };
      if (sent !== "unclear" && [200, 404].includes(sent.status)) {
        await outbox.noteLabels(number, outbox.labelsOf(number).filter((each) => each !== label));
      }
    }
  }
  return problems;
}
