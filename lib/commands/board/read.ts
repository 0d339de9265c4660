/**
 * What the views of the board show: read as the commands read it, without secrets.
 *
 * @module
 */

import { type Html, problemList } from "../../board/views/parts.ts";
import { inboxView } from "../../board/views/inbox.ts";
import { issuesView } from "../../board/views/issues.ts";
import { readInbox } from "../../inbox/inbox.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { ISSUE_TYPES } from "../../work/issue/labels.ts";
import type { Workspace } from "../../workspace/open.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";

/** Reads what a view shows. */
type Read = (workspace: Workspace, query: URLSearchParams) => Promise<Html[]>;

/** The views, by name. */
const READERS: Readonly<Record<string, Read>> = {
  async inbox(workspace) {
    const { entries, problems } = await readInbox(workspace);
    return [inboxView(await withoutSecrets(entries)), problemList(problems)] as Html[];
  },
  async issues(workspace, query) {
    const scan = workspace.issues.scan();
    const { waiting, problems } = await workspace.ready.list(scan);
    const reasons = new Map(waiting.map(({ number, reasons }) => [number, reasons]));
    const types = [...new Set([...workspace.workflowTypes(), ...ISSUE_TYPES])].sort();
    const issues = await withoutSecrets(scan.issues);
    return [issuesView({ issues, reasons, types }, query), problemList(problems)] as Html[];
  },
};

/**
 * @param name of the view
 * @param query what was filled in
 * @returns its HTML; undefined where there is no such view
 */
export async function readView(
  workspace: Workspace,
  name: string,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!Object.hasOwn(READERS, name)) return undefined;
  await runMonitorIfNeeded(workspace, signal);
  const parts = await READERS[name](workspace, query);
  return (await Promise.all(parts)).join("");
}

/** @returns how many things wait for the human */
export async function waitingNow(workspace: Workspace, signal: AbortSignal): Promise<number> {
  await runMonitorIfNeeded(workspace, signal);
  return (await readInbox(workspace)).entries.length;
}
