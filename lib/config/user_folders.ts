// The user's own folders, which no repository can write: they hold the configuration and the consent of
// the user. A folder inside the repository does not count as theirs.

import { sys } from "../sys/mod.ts";

/** The user's own configuration; undefined if there is no home. */
export function userConfigPath(): string | undefined {
  const folder = userFolder("XDG_CONFIG_HOME", ".config");
  return folder && `${folder}/config.json`;
}

/** The file that stores what the user agreed to; undefined if there is no home. */
export function trustPath(): string | undefined {
  const folder = userStateFolder();
  return folder && `${folder}/trust.json`;
}

/** The file that names other projects of the user; undefined if there is no home. */
export function linksPath(): string | undefined {
  const folder = userStateFolder();
  return folder && `${folder}/links.json`;
}

/** Where the toolkit keeps state of the user; undefined if there is no home. */
export function userStateFolder(): string | undefined {
  return userFolder("XDG_STATE_HOME", ".local/state");
}

/** A relative path is ignored, as the XDG specification demands. */
function userFolder(variable: string, inHome: string): string | undefined {
  const [folder, home] = [sys.env(variable), sys.env("HOME")];
  if (folder?.startsWith("/")) return `${folder}/agentx`;
  return home?.startsWith("/") ? `${home}/${inHome}/agentx` : undefined;
}
