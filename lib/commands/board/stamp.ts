/**
 * Tells one state of a workspace from another, cheaply: by the files that hold it, not by what is in them.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import type { Workspace } from "../../workspace/open.ts";

/** Folders whose files are replaced, which changes the folder, too. */
const REPLACED = ["state", "state/clarifications", "state/runs", "state/sessions", "memory"];

/** The files of this one are appended to. */
const APPENDED = ["log"];

/** A file that somebody edits in its place does not change its folder: every so many looks they are all looked at. */
const FILES_EVERY = 3;

/** Time alone changes what waits: so often it is looked at, whatever is on disk. */
const TURN_MS = 30_000;

/** @returns what gives another text after each change */
export function stampOf({ root, issues }: Workspace): () => string {
  const stamp = (path: string) => {
    const info = sys.lstat(`${root}/.agentx/${path}`);
    return `${path} ${info?.id} ${info?.size} ${info?.modifiedMs}`;
  };
  const filesIn = (folders: readonly string[]) =>
    folders.flatMap((folder) =>
      sys.readDir(`${root}/.agentx/${folder}`).map((name) => stamp(`${folder}/${name}`))
    );
  let [view, changes, looks] = [issues.view(), 0, 0];
  let replaced: string[] = [];
  return () => {
    const now = issues.view();
    if (now !== view) [view, changes] = [now, changes + 1];
    if (looks++ % FILES_EVERY === 0) replaced = filesIn(REPLACED);
    const turn = Math.floor(sys.now() / TURN_MS);
    return [turn, changes, ...REPLACED.map(stamp), ...replaced, ...filesIn(APPENDED)].join("\n");
  };
}
