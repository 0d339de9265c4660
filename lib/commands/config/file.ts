/**
 * The user's own configuration file, as the flag `--global` means it.
 *
 * @module
 */

import type { JsonObject } from "../../checks.ts";
import { flag, type Spec } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { MAX_CONFIG_BYTES, parseContent } from "../../config/config.ts";
import { userConfigPath } from "../../config/user_folders.ts";
import { sys } from "../../sys/mod.ts";

/** The flag `--global`. */
export const isGlobal: Spec<boolean> = flag("Your own settings, for all repositories");

/** The flag `--local`. */
export const isLocal: Spec<boolean> = flag("The settings of this repository alone");

/**
 * @returns whose file is meant: the repository's, unless `--global` says otherwise
 * @throws {AgentxError} `INVALID_INPUT` where both are given
 */
export function whichFile(
  name: string,
  { global, local }: { global: boolean; local: boolean },
): { name: string; isGlobal: boolean } {
  if (!global || !local) return { name, isGlobal: global };
  throw usageError(name, { field: "--local", value: true, why: "--global means another file" });
}

/**
 * @returns where the user's own configuration is
 * @throws {AgentxError} `INVALID_INPUT` where there is no home
 */
export function globalPath(name: string): string {
  const path = userConfigPath();
  if (path !== undefined) return path;
  const why = "neither XDG_CONFIG_HOME nor HOME names a folder";
  throw usageError(name, { field: "--global", value: true, why });
}

/**
 * @returns the user's own settings, without defaults
 * @throws {AgentxError} `INVALID_CONFIG`, `INVALID_INPUT`
 */
export function globalContent(name: string): JsonObject {
  const path = globalPath(name);
  return parseContent(sys.readTextFile(path) ?? "{}", path);
}

/**
 * @returns the settings of the repository alone, without defaults
 * @throws {AgentxError} `INVALID_CONFIG`
 */
export function localContent(root: string): JsonObject {
  const path = `${root}/.agentx/config.json`;
  return parseContent(sys.readTextFile(path, MAX_CONFIG_BYTES) ?? "{}", path);
}
