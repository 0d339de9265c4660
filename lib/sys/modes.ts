// The modes of a user's private files: state, log, locks, and files derived from memory.
//
// Two users can share one folder if both choose so, with `"shared": true` in the own configuration file of each. A
// file of a repository cannot choose it.

import { sys } from "./mod.ts";

/** The modes of private files and of the folders that hold them. */
export interface PrivateModes {
  file: number;
  folder: number;
}

const OWN: PrivateModes = { file: 0o600, folder: 0o700 };

/** The modes in a shared folder. New files in the folder inherit its group. */
const SHARED: PrivateModes = { file: 0o660, folder: 0o2770 };

/** The user's choice, with the path of its file. The file is read once. */
let known: { path: string; isShared: boolean } | undefined;

/** Returns the modes that the user chose. They apply independently of the umask. */
export function privateModes(): PrivateModes {
  return isShared() ? SHARED : OWN;
}

/** Returns the mode of a folder for git; undefined if the umask decides. */
export function gitFolderMode(): number | undefined {
  return isShared() ? 0o2775 : undefined;
}

/** Whether the user shares workspaces with other users of a group. */
export function isShared(): boolean {
  try {
    const folder = sys.env("XDG_CONFIG_HOME") || `${sys.env("HOME") ?? ""}/.config`;
    const path = `${folder}/agentx/config.json`;
    if (known?.path !== path) known = { path, isShared: saysShared(path) };
    return known.isShared;
  } catch {
    return false; // a program without access to its environment has no choice
  }
}

function saysShared(path: string): boolean {
  try {
    const text = sys.readTextFile(sys.realPath(path) ?? path); // the path may be a link
    return JSON.parse(text ?? "{}")?.shared === true;
  } catch {
    return false; // commands that read the settings report the error
  }
}
