/**
 * The user's own configuration file, as the flag `--global` means it.
 *
 * @module
 */

import * as z from "zod/mini";
import { type Config, parseConfig } from "../config/config.ts";
import { userConfigPath } from "../config/user_folders.ts";
import { sys } from "../sys/mod.ts";
import { argument } from "./arguments.ts";
import { misuse } from "./misuse.ts";

/** The flag `--global`. */
export const isGlobal: z.ZodMiniBoolean = argument(
  z.boolean(),
  "Your own settings, for all repositories",
);

/**
 * @param name the words of the command, for the message
 * @returns where the user's own configuration is
 * @throws {AgentxError} `INVALID_INPUT` where there is no home
 */
export function globalPath(name: string): string {
  const path = userConfigPath();
  if (path !== undefined) return path;
  const why = "neither XDG_CONFIG_HOME nor HOME names a folder";
  throw misuse(name, { field: "--global", value: true, why });
}

/**
 * @param name the words of the command, for the message
 * @returns the user's own settings, with defaults
 * @throws {AgentxError} `INVALID_CONFIG`, `INVALID_INPUT`
 */
export function globalConfig(name: string): Config {
  const path = globalPath(name);
  return parseConfig(sys.readTextFile(path) ?? "{}", path);
}
