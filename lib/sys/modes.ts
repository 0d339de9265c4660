// The modes of one user's files: state, log, locks, and files derived from memory.
//
// Two users in one folder is a choice of theirs: `"shared": true` in the own configuration file of each.
// A file of a repository has no say in it.

import { sys } from "./mod.ts";

/** The modes of private files and of the folders that hold them. */
export interface PrivateModes {
  /** The mode of a file. */
  file: number;
  /** The mode of a folder. */
  folder: number;
}

const OWN: PrivateModes = { file: 0o600, folder: 0o700 };

/** New files in the folder inherit its group. */
const SHARED: PrivateModes = { file: 0o660, folder: 0o2770 };

/** The user's own choice, by the path of its file: it is read once. */
let known: { path: string; isShared: boolean } | undefined;

/** The modes that the user chose; they hold whatever the umask says. */
export function privateModes(): PrivateModes {
  return isShared() ? SHARED : OWN;
}

/** The mode of a folder for git; undefined where the umask decides. */
export function gitFolderMode(): number | undefined {
  return isShared() ? 0o2775 : undefined;
}

/** Whether the user shares workspaces with others of a group. */
export function isShared(): boolean {
  try {
    const folder = sys.env("XDG_CONFIG_HOME") || `${sys.env("HOME") ?? ""}/.config`;
    const path = `${folder}/agentx/config.json`;
    if (known?.path !== path) known = { path, isShared: saysShared(path) };
    return known.isShared;
  } catch {
    return false; // a program that may not read its environment chose nothing
  }
}

function saysShared(path: string): boolean {
  try {
    const text = sys.readTextFile(sys.realPath(path) ?? path); // it may well be a link
    return JSON.parse(text ?? "{}")?.shared === true;
  } catch {
    return false; // the commands that read the settings say what is wrong with the file
  }
}
