// The user's own configuration file, as the flag `--global` means it.

import type { JsonObject } from "../../base/checks.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { flag, type Spec } from "../../cli/spec.ts";
import { MAX_CONFIG_BYTES, parseContent } from "../../config/content.ts";
import { idleSetting, noEffect } from "../../config/no_effect.ts";
import { userConfigPath } from "../../config/user_folders.ts";
import { AgentxError } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";

/** The flag `--global`. */
export const global: Spec<boolean> = flag("Use your own settings, for all repositories");

/** The flags for one of the two files: `--global` and `--local`. */
export const whichFile = { global, local: flag("Use the settings of this repository only") };

/** The path of the user's own configuration; throws `INVALID_INPUT` without a home. */
export function globalPath(): string {
  const path = userConfigPath();
  if (path !== undefined) return path;
  const why = "neither XDG_CONFIG_HOME nor HOME names a folder";
  throw new AgentxError("INVALID_INPUT", `Cannot find your own settings: ${why}`, {
    details: { field: "--global", value: true },
    next: "Set HOME to your home folder",
  });
}

/** The user's own settings, without defaults. */
export function globalContent(): JsonObject {
  const path = globalPath();
  return parseContent(sys.readTextFile(path) ?? "{}", path);
}

/** The settings of the repository alone, without defaults. */
export function localContent(root: string): JsonObject {
  const path = `${root}/.agentx/config.json`;
  return parseContent(sys.readTextFile(path, MAX_CONFIG_BYTES) ?? "{}", path);
}

/** Notes a setting without an effect; with a key, only a setting of that key or section. */
export function noteWithoutEffect(io: Io, content: JsonObject, key?: string): void {
  const idle = idleSetting(content);
  const isMeant = key === undefined || `${idle}.`.startsWith(`${key}.`);
  if (idle !== undefined && isMeant) note(io, noEffect(idle));
}
