// Decides whether the state of a workspace is the user's own. A copy of a project (a clone, an archive, another
// person's folder) may contain a state that was made to act on its user. So a state counts only if the user's own
// folder knows it: `.agentx/state/birth` holds a random id, and the user's state folder holds the inode of
// `.agentx/state` under that id. A moved state still counts; a copy of it does not.
//
// The user who creates a state adopts it without being asked. In a sandbox that cannot write to the user's folder, a
// token in the state itself counts until a command can write there. The token names this user, this folder and this
// boot of the kernel, which nobody elsewhere can know. Inodes are reused, so neither a path nor an inode counts on
// its own.

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

/** The id of the state that a container is started for. The starter of the container sets it. */
export const ADOPT_VARIABLE = "AGENTX_ADOPT";

const ID = /^[0-9a-f]{32}$/;

/** Maximum size of a mark, and of the list of questions that were asked here in a foreign state. */
const MAX_BYTES = 1_048_576;

/** The id of a state, and whether the state counts. */
export interface Birth {
  /** The id in the state; undefined if it has none. */
  id: string | undefined;
  /** Whether the state is the user's own. */
  isOurs: boolean;
}

/** Gives a missing or empty state its mark. If the mark cannot be written, the state stays empty. */
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

/** Finds out whether the state is the user's own. If only its token shows this, writes the mark. */
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
 * Returns whether the user was already asked to adopt a state, and records that they were. Also returns true if this
 * cannot be recorded.
 */
export function wasOffered(root: string): boolean {
  const made = { id: "offered", created: "-" };
  if (marksFolder(root) === undefined || ownMade(root).has(lineOf(made))) return true;
  originOf(root).noteOwn(made);
  return false;
}

/** Makes a state count for this user. This alone runs nothing. */
export function adopt(root: string): void {
  const { id } = birthOf(root);
  if (id === undefined) write(root, crypto.randomUUID().replaceAll("-", ""));
  else if (!mark(root, id)) throw nowhereToKeep(root);
}

/**
 * Returns which files of a workspace are foreign: in a foreign state, all records except those that were made here
 * since; in any state, the files that git tracks, because a pull may have brought them.
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
        if (!(error instanceof AgentxError)) throw error; // the record stays foreign
      }
    },
  };
}

/**
 * Returns where the recordings of sessions wait, in the user's own folder; undefined if the state is foreign or the
 * user has no folder.
 */
export function spoolFolder(root: string): string | undefined {
  return ownPlace(root, "spool");
}

/**
 * Returns a file that exists once something was recorded in the state, even after the record was removed; undefined
 * as for {@linkcode spoolFolder}.
 */
export function auditMark(root: string): string | undefined {
  return ownPlace(root, "audit");
}

function ownPlace(root: string, kind: string): string | undefined {
  const { id, isOurs } = birthOf(root);
  const folder = ownFolder(root);
  return isOurs && id !== undefined && folder !== undefined ? `${folder}/${kind}/${id}` : undefined;
}

/** Creates the file of {@linkcode auditMark}. If that fails, only the record itself shows that it was made. */
export function markAudited(root: string): void {
  orElse(undefined, () => {
    const mark = auditMark(root);
    if (mark === undefined || sys.lstat(mark) !== undefined) return;
    makeOwn(mark.slice(0, mark.lastIndexOf("/")));
    sys.writeNewFile(mark, "", { fsync: false, mode: 0o600 });
  });
}

/**
 * Writes the id of a state. The id is in the name of the temporary file, so if two processes write, the last one
 * wins, and the marks of both ids exist.
 */
function write(root: string, id: string): void {
  const state = stateOf(root);
  const token = mark(root, id) ? "" : `${tokenOf(inodeOf(state)) ?? ""}\n`;
  const how = { temporary: `${state}/birth.${id}`, fsync: false, mode: privateModes().file };
  replaceFile(`${state}/birth`, `${id}\n${token}`, how);
}

/** Writes the mark of a state into the user's folder, and returns whether that succeeded. */
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

/**
 * Returns the state folder of this user; undefined if there is no home, or if the folder is inside the repository.
 */
function ownFolder(root: string): string | undefined {
  const folder = userStateFolder();
  // If the folder is not accessible, it is another user's home.
  return orElse(undefined, () => {
    if (folder === undefined || isInside(folder, repositoryFolders([root]))) return undefined;
    return resolvedPath(folder);
  });
}

function marksFolder(root: string): string | undefined {
  const folder = ownFolder(root);
  return folder && `${folder}/births`;
}

/** Creates a folder and its parent, accessible to the user only. */
function makeOwn(folder: string): void {
  sys.makeDir(folder.slice(0, folder.lastIndexOf("/")), 0o700);
  sys.makeDir(folder, 0o700);
}

/**
 * Returns whether the starter of a container adopts the state. A session of an agent and a file of the repository
 * cannot.
 */
function isAdoptedBy(id: string, root: string): boolean {
  return sys.env(ADOPT_VARIABLE) === id && rulingHere("clarification") !== "as agent" &&
    !isNamedInEnvFile([ADOPT_VARIABLE], [root, ...repositoryFolders([root])]);
}

/** Returns a token that only this user can know, on this machine, since its last boot; undefined off Linux. */
function tokenOf(inode: string): string | undefined {
  const space = sys.processSpace();
  return space === undefined ? undefined : `${sys.uid()} ${inode} ${space.boot}`;
}

/** Returns the records that were made here in a foreign state. */
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

/** Reads a small file. An unreadable file counts as missing. */
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
