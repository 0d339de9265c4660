// Checks the modes of files that belong to one machine. Files of an older version, and files from before the user chose
// to share them, may have the wrong permissions.

import { sys } from "../sys/mod.ts";
import { gitFolderMode, privateModes } from "../sys/modes.ts";
import { type Finding, fixed, ok, warn } from "./finding.ts";

/** Folders that are not in git. */
const PRIVATE = ["state", "log"];

/** Folders in git, which everybody shares with the repository. */
const FOR_GIT = ["issues", "memory"];

/** Finds files of state and log that others may read, or that a group with a shared workspace cannot use. */
export function examineModes(home: string, isFixing: boolean): Finding[] {
  const check = "permissions";
  const modes = privateModes();
  const trees = `${home}/state/worktrees`; // checkouts of git, which sets their modes
  const paths = PRIVATE.flatMap((path) => withAllBelow(`${home}/${path}`))
    .filter((path) => path !== trees && !path.startsWith(`${trees}/`));
  const wrong = paths.flatMap((path) => {
    const { kind, mode } = sys.lstat(path) ?? {};
    const wanted = kind === "directory" ? modes.folder : kind === "file" ? modes.file : undefined;
    return wanted === undefined || mode === undefined || wanted === mode
      ? []
      : [{ path, mode, wanted }];
  });
  const forGit = gitFolderMode() ?? 0;
  for (const path of [home, ...FOR_GIT.flatMap((name) => withAllBelow(`${home}/${name}`))]) {
    const { kind, mode = 0 } = sys.lstat(path) ?? {};
    const wanted = mode | forGit;
    if (kind === "directory" && wanted !== mode) wrong.push({ path, mode, wanted });
  }
  if (wrong.length === 0) return [ok(check, "files have the modes you chose")];
  const [{ path, mode, wanted }] = wrong;
  const more = wrong.length === 1 ? "" : `; ${wrong.length - 1} more differ`;
  if (isFixing) {
    for (const { path, wanted } of wrong) sys.setMode(path, wanted);
    return [fixed(check, `set the modes of files and folders: ${wrong.length}`)];
  }
  const message = `"${path}" has mode ${mode.toString(8)} instead of ${wanted.toString(8)}${more}`;
  return [warn(check, message, "Fix them with: agentx doctor --fix")];
}

/** Returns a folder and everything in it; does not follow links. */
function withAllBelow(path: string): string[] {
  if (sys.lstat(path)?.kind !== "directory") return [path];
  return [path, ...sys.readDir(path).flatMap((name) => withAllBelow(`${path}/${name}`))];
}
