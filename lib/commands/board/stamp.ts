// Detects changes of a workspace cheaply: by size and time of its files, not by their content.

import { sys } from "../../sys/mod.ts";
import type { Workspace } from "../../workspace/open.ts";

/** Folders with files of the workspace, besides those of the issues. */
const FOLDERS = ["state", "state/clarifications", "state/runs", "state/sessions", "memory", "log"];

/** Matches a month: memory has a folder for each. */
const MONTH = /^\d{4}-\d{2}$/;

/** Matches files of the index, which readers of memory write, too. */
const INDEX = /^index/;

/** @returns a function that returns a new text after each change */
export function stampOf({ root, issues, ledger }: Workspace): () => string {
  const namesIn = (folder: string) =>
    sys.readDir(`${root}/.agentx/${folder}`).filter((name) => !INDEX.test(name));
  const stamp = (path: string) => {
    const info = sys.lstat(`${root}/.agentx/${path}`);
    return `${path} ${info?.id} ${info?.size} ${info?.modifiedMs}`;
  };
  let [view, changes, last] = [issues.view(), 0, ""];
  return () => {
    const viewNow = issues.view();
    if (viewNow !== view) [view, changes] = [viewNow, changes + 1];
    const months = namesIn("memory").filter((name) => MONTH.test(name)).map((name) =>
      `memory/${name}`
    );
    const files = [...FOLDERS, ...months].flatMap((folder) =>
      namesIn(folder).map((name) => stamp(`${folder}/${name}`))
    );
    const now = [changes, ...files].join("\n");
    if (now !== last) ledger.forgetScan();
    return last = now;
  };
}
