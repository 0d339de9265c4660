// The user's own folders, which hold the user's configuration and consent. No repository can write them. A folder
// inside the repository does not count as the user's own.

import { sys } from "../sys/mod.ts";

/** Returns the path of the user's own configuration; undefined if there is no home. */
export function userConfigPath(): string | undefined {
  const folder = userFolder("XDG_CONFIG_HOME", ".config");
  return folder && `${folder}/config.json`;
}

/** Returns the path of the file that stores the user's consent; undefined if there is no home. */
export function trustPath(): string | undefined {
  const folder = userStateFolder();
  return folder && `${folder}/trust.json`;
}

/** Returns the path of the file that names other projects of the user; undefined if there is no home. */
export function linksPath(): string | undefined {
  const folder = userStateFolder();
  return folder && `${folder}/links.json`;
}

/** Returns the folder for the user's state; undefined if there is no home. */
export function userStateFolder(): string | undefined {
  return userFolder("XDG_STATE_HOME", ".local/state");
}

/**
 * Returns the toolkit's folder below a folder of the user. A relative path in the variable is ignored, as the XDG
 * specification demands.
 */
function userFolder(variable: string, inHome: string): string | undefined {
  const [folder, home] = [sys.env(variable), sys.env("HOME")];
  if (folder?.startsWith("/")) return `${folder}/agentx`;
  return home?.startsWith("/") ? `${home}/${inHome}/agentx` : undefined;
}
