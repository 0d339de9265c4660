/**
 * What is said of settings that do nothing yet.
 *
 * @module
 */

import { note } from "../../cli/execute.ts";
import type { Io } from "../../cli/io.ts";
import type { Config } from "../../config/config.ts";
import { noEffect, settingsWithoutEffect } from "../../config/no_effect.ts";

/**
 * @param io the streams
 * @param config the settings that are shown
 * @param key only this one, or what is in this section
 */
export function noteWithoutEffect(io: Io, config: Config, key?: string): void {
  const keys = settingsWithoutEffect(config)
    .filter((each) => key === undefined || `${each}.`.startsWith(`${key}.`));
  if (keys.length > 0) note(io, noEffect(keys));
}
