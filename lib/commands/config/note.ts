/**
 * What is said of settings that do nothing yet.
 *
 * @module
 */

import type { JsonObject } from "../../checks.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { noEffect, settingsWithoutEffect } from "../../config/no_effect.ts";
import { hidesCommand } from "../../config/settings.ts";
import { shellWord } from "../../text/quote.ts";
import { terminalLine } from "../../text/text.ts";

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

/**
 * @param io the streams
 * @param hiddenAgents those that the repository's file leaves without the user's own command
 * @param setting what was set there: it is said only of its agent
 */
export function noteHidden(
  io: Io,
  hiddenAgents: readonly string[],
  { key, value }: { key: string; value: string },
): void {
  const [section, role, name] = key.split(".");
  if (section !== "agents" || !hiddenAgents.includes(role)) return;
  note(io, hidesCommand(role));
  const words = [key, value].map((word) => terminalLine(shellWord(word))).join(" ");
  if (name !== undefined) note(io, `Set it in your own: agentx config --global set ${words}`);
  note(io, `Undo it here: agentx config unset ${terminalLine(shellWord(key))}`);
}
