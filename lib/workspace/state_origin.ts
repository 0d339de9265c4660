// Whose state a workspace has. A copy of a project (a clone, an archive, a folder of somebody else)
// may bring a state that was made to act on its user, so a state counts only where this user's own
// folder knows it: `.agentx/state/birth` holds a random id, and the user's state folder the inode
// of `.agentx/state` under that id. A state that was moved is still ours; a copy of it is not.
//
// Who makes a state adopts it, in silence. In a sandbox that cannot write the user's folder, a token in the
// state itself counts until a command can: it names this user, this folder and this run of the kernel, which
// nobody elsewhere can know. Inodes are given out again, so neither a path nor an inode counts alone.

import { rulingHere } from "../who/surface.ts";
import { isNamedInEnvFile } from "../config/env_files.ts";
import type { Made, Origin } from "../base/origin.ts";
import { userStateFolder } from "../config/user_folders.ts";
import { isInside, resolvedPath } from "../sys/inside.ts";
import { repositoryFolders } from "../git/repository.ts";
import { AgentxError, orElse } from "../base/errors.ts";
import { trackedFiles } from "../git/tracked.ts";
import { replaceFile } from "../sys/replace_file.ts";
import { sys } from "../sys/mod.ts";
import { privateModes } from "../sys/modes.ts";

/** The id of the state that a container is started for, as its starter sets it. */
export const ADOPT_VARIABLE = "AGENTX_ADOPT";

const ID = /^[0-9a-f]{32}$/;

/** The size limit of a mark, and of the list of questions asked in the state of others. */
const MAX_BYTES = 1_048_576;

/** The state of a workspace, as its user's folder knows it. */
export interface Birth {
  /** The id in the state; undefined where it has none. */
  id: string | undefined;
  /** Whether it counts. */
  isOurs: boolean;
}

/** Gives a state that is empty, or not there yet, its mark; where that cannot be written it stays empty. */
export function bear(root: string): void {
  const state = stateOf(root);
  try {
    if (sys.lstat(`${state}/birth`) !== undefined) return;
    const info = sys.lstat(state);
    if (info !== undefined && info.kind !== "directory") return;
    if (sys.readDir(state).some((name) => !name.startsWith("birth"))) return;
    sys.makeDir(state, privateModes().folder);
    write(root, crypto.randomUUID().replaceAll("-", ""));
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
  }
}

/** Finds the owner of the state; where only its token names one, the mark is written now. */
export function birthOf(root: string): Birth {
  const state = stateOf(root);
  const info = sys.lstat(state);
  if (info === undefined) return { id: undefined, isOurs: true };
  if (info.kind !== "directory") return { id: undefined, isOurs: false };
  const [id, token] = readSmall(`${state}/birth`)?.split("\n") ?? [];
  if (id === undefined || !ID.test(id)) {
    return { id: undefined, isOurs: sys.readDir(state).length === 0 };
  }
  const inode = inodeOf(state);
  const folder = marksFolder(root);
  if (folder !== undefined && readSmall(`${folder}/${id}`)?.split(" ")[0] === inode) {
    return { id, isOurs: true };
  }
  const isOurs = token !== undefined && token === tokenOf(inode) || isAdoptedBy(id, root);
  if (isOurs) mark(root, id);
  return { id, isOurs };
}

/**
 * Whether its user was asked already to adopt a state, or that cannot be noted; from now on, they
 * were.
 */
export function wasOffered(root: string): boolean {
  const made = { id: "offered", created: "-" };
  if (marksFolder(root) === undefined || ownMade(root).has(lineOf(made))) return true;
  originOf(root).noteOwn(made);
  return false;
}

/** Makes a state count for this user; nothing of it is run by that. */
export function adopt(root: string): void {
  const { id } = birthOf(root);
  if (id === undefined) write(root, crypto.randomUUID().replaceAll("-", ""));
  else if (!mark(root, id)) throw nowhereToKeep(root);
}

/**
 * Which files of a workspace came from elsewhere: in a state that is not ours, all but those asked here since; and the
 * files that git tracks, which a pull may have brought.
 */
export function originOf(root: string): Origin {
  const tracked = trackedFiles(root);
  let isOurs = false;
  const isOursNow = () => isOurs ||= birthOf(root).isOurs;
  return {
    now() {
      const isTracked = tracked();
      let own: ReadonlySet<string> | undefined;
      return (path, record) => {
        if (isTracked(path)) return true;
        if (isOursNow()) return false;
        own ??= ownMade(root);
        return record === undefined || !own.has(lineOf(record));
      };
    },
    isTracked: (path) => tracked()(path),
    noteOwn(record) {
      const folder = isOursNow() ? undefined : marksFolder(root);
      if (folder === undefined) return;
      try {
        makeOwn(folder);
        sys.appendTextFile(ownPath(root, folder), `${lineOf(record)}\n`, 0o600);
      } catch (error) {
        if (!(error instanceof AgentxError)) throw error; // it is shown, and nothing is run on it
      }
    },
  };
}

/**
 * Where the recordings of sessions wait, in the user's own folder; undefined where the state is not
 * ours, or the user has none.
 */
export function spoolFolder(root: string): string | undefined {
  return ownPlace(root, "spool");
}

/** A file that is there once something was recorded in the state, also after the record is gone; as above. */
export function auditMark(root: string): string | undefined {
  return ownPlace(root, "audit");
}

function ownPlace(root: string, kind: string): string | undefined {
  const { id, isOurs } = birthOf(root);
  const folder = ownFolder(root);
  return isOurs && id !== undefined && folder !== undefined ? `${folder}/${kind}/${id}` : undefined;
}

/** Notes that something was recorded; where that cannot be noted, only the record itself shows it. */
export function markAudited(root: string): void {
  orElse(undefined, () => {
    const mark = auditMark(root);
    if (mark === undefined || sys.lstat(mark) !== undefined) return;
    makeOwn(mark.slice(0, mark.lastIndexOf("/")));
    sys.writeNewFile(mark, "", { fsync: false, mode: 0o600 });
  });
}

/** The temporary file has the id in its name: of two processes the last one wins, and both marks are there. */
function write(root: string, id: string): void {
  const state = stateOf(root);
  const token = mark(root, id) ? "" : `${tokenOf(inodeOf(state)) ?? ""}\n`;
  const how = { temporary: `${state}/birth.${id}`, fsync: false, mode: privateModes().file };
  replaceFile(`${state}/birth`, `${id}\n${token}`, how);
}

/** Whether it could be kept. */
function mark(root: string, id: string): boolean {
  const folder = marksFolder(root);
  if (folder === undefined) return false;
  return orElse(false, () => {
    makeOwn(folder);
    const how = { temporary: `${folder}/${crypto.randomUUID()}`, fsync: false, mode: 0o600 };
    replaceFile(`${folder}/${id}`, `${inodeOf(stateOf(root))} ${root}\n`, how);
    return true;
  });
}

/** The state folder of this user; undefined without a home, or if the repository could write there. */
function ownFolder(root: string): string | undefined {
  const folder = userStateFolder();
  // An unreachable folder is another user's home.
  return orElse(undefined, () => {
    if (folder === undefined || isInside(folder, repositoryFolders([root]))) return undefined;
    return resolvedPath(folder);
  });
}

function marksFolder(root: string): string | undefined {
  const folder = ownFolder(root);
  return folder && `${folder}/births`;
}

/** The folder that holds it is the user's alone, too. */
function makeOwn(folder: string): void {
  sys.makeDir(folder.slice(0, folder.lastIndexOf("/")), 0o700);
  sys.makeDir(folder, 0o700);
}

/** The starter of a container says it; an agent's session and a file of the repository do not. */
function isAdoptedBy(id: string, root: string): boolean {
  return sys.env(ADOPT_VARIABLE) === id && rulingHere("clarification") !== "as agent" &&
    !isNamedInEnvFile([ADOPT_VARIABLE], [root, ...repositoryFolders([root])]);
}

/** A secret of this user, on this machine, since the system was started; undefined off Linux. */
function tokenOf(inode: string): string | undefined {
  const space = sys.processSpace();
  return space === undefined ? undefined : `${sys.uid()} ${inode} ${space.boot}`;
}

/** The questions asked here in a state that is not ours. */
function ownMade(root: string): Set<string> {
  const folder = marksFolder(root);
  return new Set(folder === undefined ? [] : readSmall(ownPath(root, folder))?.split("\n"));
}

function ownPath(root: string, folder: string): string {
  return `${folder}/asked-${inodeOf(stateOf(root))}`;
}

function lineOf({ id, created }: Made): string {
  return `${id} ${created}`;
}

function inodeOf(path: string): string {
  return sys.lstat(path)?.id.split(":").at(-1) ?? "";
}

/** A file that cannot be read counts as missing. */
function readSmall(path: string): string | undefined {
  return orElse(undefined, () => sys.readTextFile(path, MAX_BYTES)?.trimEnd());
}

function stateOf(root: string): string {
  return `${root}/.agentx/state`;
}

function nowhereToKeep(root: string): AgentxError<"UNTRUSTED"> {
  const reason = "your own state folder cannot be written, or is inside of it";
  return new AgentxError("UNTRUSTED", `Cannot adopt the state of "${root}": ${reason}`, {
    details: { path: root, reason },
    next: "Set XDG_STATE_HOME to a folder of yours outside of it",
  });
}
