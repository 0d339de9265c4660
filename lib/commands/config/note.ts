/**
 * What is said of settings that do nothing yet.
 *
 * @module
 */

import type { JsonObject } from "../../checks.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { noEffect, settingsWithoutEffect } from "../../config/no_effect.ts";

/**
 * @param io the streams
 * @param content the settings that are shown, without defaults
 * @param key only this one, or what is in this section
 */
export function noteWithoutEffect(io: Io, content: JsonObject, key?: string): void {
  const keys = settingsWithoutEffect(content)
    .filter((each) => key === undefined || `${each}.`.startsWith(`${key}.`));
  if (keys.length > 0) note(io, noEffect(keys));
}
