/**
 * Changing a file of settings: the repository's, where a person who types a value agrees to it, or the
 * user's own, which no agent changes.
 *
 * @module
 */

import { sessionVariable } from "../../agents/host_session.ts";
import type { JsonObject } from "../../checks.ts";
import type { Context } from "../../cli/command.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { whyNobodyIsAsked } from "../../cli/person.ts";
import { settingsOver } from "../../config/settings.ts";
import { RepositoryTrust } from "../../config/trust.ts";
import { AgentxError, hasCode } from "../../errors.ts";
import { FileLockManager, JsonFile } from "../../lock/mod.ts";
import { globalContent, globalPath } from "./file.ts";

/** What {@linkcode changeSettings} gives. */
interface ChangedSettings {
  content: JsonObject;
  hiddenAgents: string[];
}

/**
 * @returns the content as it was written, and the agents whose command of the user's own it hides
 * @throws {AgentxError} `UNTRUSTED` in an agent's session; `INVALID_CONFIG`; and whatever `change` throws
 */
export async function changeSettings(
  context: Context,
  { name, isGlobal }: { name: string; isGlobal: boolean },
  change: (current?: JsonObject) => JsonObject,
): Promise<ChangedSettings> {
  if (!isGlobal) return await changeRepository(context, change);
  return { content: await globalFile(name, context.io).update("config", change), hiddenAgents: [] };
}

/** The user's own file defines what needs no consent: an agent does not write it. */
function globalFile(name: string, io: Io): JsonFile<JsonObject> {
  const path = globalPath(name);
  const session = sessionVariable(io.env);
  if (session !== undefined) {
    const reason = `this is an agent's session (${session})`;
    throw new AgentxError("UNTRUSTED", `Cannot change "${path}": ${reason}`, {
      details: { path, reason },
      next: "A person changes it, in a shell of their own",
    });
  }
  globalContent(name); // a file that is wrong stays as it is
  return new JsonFile(path, new FileLockManager());
}

/** A person who types a setting agrees to it, but not to what stood there before. */
async function changeRepository(
  context: Context,
  change: (current?: JsonObject) => JsonObject,
): Promise<ChangedSettings> {
  const { io } = context;
  const { root, tree, locks } = await context.openState();
  const file = new JsonFile<JsonObject>(`${root}/.agentx/config.json`, locks);
  let before: JsonObject = {};
  const after = await file.update("config", (current = {}) => change(before = current));

  const place = { root, tree };
  const { hiddenAgents } = settingsOver(after, place, () => {});
  const changed = { content: after, hiddenAgents };
  const consentTo = async (content: JsonObject) => {
    const { config: { agents }, repositoryAgents } = settingsOver(content, place, () => {});
    const consent = new RepositoryTrust({ ...place, repositoryAgents, agents });
    const plan = await consent.plan();
    return { ...plan, isGiven: consent.isTrusted(plan), give: () => consent.allow(plan) };
  };
  try {
    const [was, is] = [await consentTo(before), await consentTo(after)];
    if (is.isGiven || is.hash === was.hash) return changed;
    if (was.isGiven && whyNobodyIsAsked(io) === undefined) await is.give();
    else note(io, "No agent of this repository is run before a person agrees to it: agentx trust");
  } catch (error) {
    if (!hasCode(error, "UNTRUSTED")) throw error;
    note(io, error.oneLine);
  }
  return changed;
}
