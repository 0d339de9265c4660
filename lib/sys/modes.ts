/**
 * The modes of what belongs to one user: state, log, locks, and what is derived of memory.
 *
 * Two users in one folder is a choice of theirs: `AGENTX_SHARED=group` in the environment, or
 * `"shared": "group"` in the user's own configuration file. A file of a repository has no say in it.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { sys } from "./mod.ts";

/** The modes of private files and of the folders that hold them. */
export interface PrivateModes {
  /** Of a file. */
  file: number;
  /** Of a folder. */
  folder: number;
}

const OWN: PrivateModes = { file: 0o600, folder: 0o700 };

/** New files in the folder inherit its group. */
const SHARED: PrivateModes = { file: 0o660, folder: 0o2770 };

/** What the user's own configuration says, by its path: it is read once. */
let known: { path: string; isShared: boolean } | undefined;

/**
 * @returns the modes that the user chose; they hold whatever the umask says
 * @throws {AgentxError} `INVALID_INPUT` for another value of the variable
 */
export function privateModes(): PrivateModes {
  const value = sys.env("AGENTX_SHARED") || undefined;
  if (value !== undefined && value !== "group") {
    throw new AgentxError("INVALID_INPUT", `Cannot share with "${value}": it must be "group"`, {
      details: { field: "AGENTX_SHARED", value },
      next: "Set AGENTX_SHARED=group, or unset it to keep private files private",
    });
  }
  return value === "group" || isSharedByConfig() ? SHARED : OWN;
}

function isSharedByConfig(): boolean {
  const folder = sys.env("XDG_CONFIG_HOME") || `${sys.env("HOME") ?? ""}/.config`;
  const path = `${folder}/agentx/config.json`;
  if (known?.path !== path) known = { path, isShared: saysShared(path) };
  return known.isShared;
}

function saysShared(path: string): boolean {
  try {
    const text = sys.readTextFile(sys.realPath(path) ?? path); // it may well be a link
    return JSON.parse(text ?? "{}")?.shared === "group";
  } catch {
    return false; // the commands that read the settings say what is wrong with the file
  }
}
