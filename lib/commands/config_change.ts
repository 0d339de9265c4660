/**
 * Changing a file of settings: the repository's, or the user's own.
 *
 * @module
 */

import { sessionVariable } from "../agents/host_session.ts";
import { settingsOver } from "../config/settings.ts";
import { RepositoryTrust } from "../config/trust.ts";
import { AgentxError, hasCode } from "../errors.ts";
import type { JsonObject } from "../json_schema.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import type { Context } from "./command.ts";
import { globalConfig, globalPath } from "./config_file.ts";
import { note } from "./execute.ts";
import type { Io } from "./io.ts";
import { whyNobodyIsAsked } from "./person.ts";

/** Options of {@linkcode changeSettings}. */
export interface SettingsChange {
  context: Context;
  /** Whether the user's own file is changed. */
  global: boolean;
  /** Gives the new content. */
  change: (current?: JsonObject) => JsonObject;
}

/**
 * Changes a file of settings under its lock; every other key of it stays.
 *
 * @param name the words of the command, for messages
 * @param options which file, and how
 * @returns its new content
 * @throws {AgentxError} `UNTRUSTED` where an agent's session would change the user's own file
 */
export async function changeSettings(
  name: string,
  { context, global, change }: SettingsChange,
): Promise<JsonObject> {
  if (global) return await globalFile(name, context.io).update("config", change);
  return await changeRepository(context, change);
}

/** The user's own file defines what needs no consent: an agent does not write it. */
function globalFile(name: string, io: Io): JsonFile<JsonObject> {
  const path = globalPath(name);
  const session = sessionVariable((name) => io.env(name));
  if (session !== undefined) {
    const reason = `this is an agent's session (${session})`;
    throw new AgentxError("UNTRUSTED", `Cannot change "${path}": ${reason}`, {
      details: { path, reason },
      next: "A person changes it, in a shell of their own",
    });
  }
  globalConfig(name); // a file that is wrong stays as it is
  return new JsonFile(path, new FileLockManager());
}

/** A person who types a setting agrees to it, but not to what stood there before. */
async function changeRepository(
  context: Context,
  change: (current?: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const { io } = context;
  const { root, tree, locks } = await context.openState();
  const file = new JsonFile<JsonObject>(`${root}/.agentx/config.json`, locks);
  let before: JsonObject = {};
  const after = await file.update("config", (current = {}) => change(before = current));

  const consentTo = async (content: JsonObject) => {
    const place = { root, tree };
    const { config: { agents }, repositoryAgents } = settingsOver(content, place, () => {});
    const consent = new RepositoryTrust({ ...place, repositoryAgents, agents });
    const plan = await consent.plan();
    return { ...plan, isGiven: consent.isTrusted(plan), give: () => consent.allow(plan) };
  };
  try {
    const [was, is] = [await consentTo(before), await consentTo(after)];
    if (is.isGiven || is.hash === was.hash) return after;
    if (was.isGiven && whyNobodyIsAsked(io) === undefined) await is.give();
    else note(io, "No agent of this repository is run before a person agrees to it: agentx trust");
  } catch (error) {
    if (!hasCode(error, "UNTRUSTED")) throw error;
    note(io, error.message.replace("\n", ". "));
  }
  return after;
}
