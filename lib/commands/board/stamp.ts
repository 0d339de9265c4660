/**
 * Tells one state of a workspace from another, cheaply: by the files that hold it, not by what is in them.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import type { Workspace } from "../../workspace/open.ts";

/** Folders of files that are replaced or appended to. */
const FOLDERS = ["state", "state/clarifications", "state/runs", "log", "memory"];

/** Time alone changes what waits: so often it is looked at, whatever is on disk. */
const TURN_MS = 30_000;

/** @returns what gives another text after each change */
export function stampOf({ root, issues }: Workspace): () => string {
  let [view, count] = [issues.view(), 0];
  return () => {
    const now = issues.view();
    if (now !== view) [view, count] = [now, count + 1];
    const stamps = FOLDERS.flatMap((folder) => {
      const path = `${root}/.agentx/${folder}`;
      return sys.readDir(path).map((name) => {
        const info = sys.lstat(`${path}/${name}`);
        return `${name} ${info?.id} ${info?.size} ${info?.modifiedMs}`;
      });
    });
    const turn = Math.floor(sys.now() / TURN_MS);
    return [turn, count, ...stamps].join("\n");
  };
}
