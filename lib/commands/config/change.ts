// Changes a file of settings, for `agentx config set` and `unset`. In the file of the repository, a person who types a
// value agrees to it. Agents change neither the user's own file, nor settings about when a human is asked.

import type { JsonObject } from "../../base/checks.ts";
import type { Context } from "../../cli/command.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { refuseAgents } from "../../cli/person.ts";
import { hasSafeguard } from "../../config/safeguards.ts";
import { settingsOver } from "../../config/settings.ts";
import { DEFAULT_AGENT } from "../../config/runnable.ts";
import { agreedGitHub, agreeToGitHub } from "../../config/remote_consent.ts";
import { RepositoryTrust } from "../../config/trust.ts";
import { AgentxError, hasCode } from "../../base/errors.ts";
import { FileLockManager, JsonFile } from "../../lock/mod.ts";
import { terminalLine } from "../../text/text.ts";
import { rulingOn } from "../../who/surface.ts";
import { globalContent, globalPath } from "./file.ts";

/** Refuses a personal setting for a repository, and a change of a safeguard by an agent. */
export function checkKey(
  io: Io,
  { verb, key, global }: { verb: "set" | "unset"; key: string; global: boolean },
): void {
  const [section, name] = key.split(".");
  const isPersonal = section === "inbox" || section === "agents" && name === DEFAULT_AGENT ||
    section === "github" && (name === "post" || name === "deciders");
  if (isPersonal && !global) {
    throw new AgentxError("INVALID_INPUT", `Cannot ${verb} ${terminalLine(key)} for a repository`, {
      details: { field: "KEY", value: key },
      next: `It is in your own configuration: agentx config ${verb} --global ${terminalLine(key)}` +
        (verb === "set" ? " VALUE" : ""),
    });
  }
  if (hasSafeguard(key)) {
    const next = "A human changes in their own shell what protects them";
    refuseAgents(io, `change ${terminalLine(key)}`, { path: key, next });
  }
}

/** Takes back the consent to the mode github: a repository that turns it on later needs a new consent. */
export async function forgetGitHub({ openState }: Context): Promise<void> {
  const place = await openState();
  if (agreedGitHub(place) !== undefined) await agreeToGitHub(place, undefined);
}

interface ChangedSettings {
  content: JsonObject;
  hiddenAgents: string[];
}

/**
 * Changes the settings. Returns the content as written, and the agents with a command in the user's own file that the
 * content hides. Throws `UNTRUSTED` in an agent's session, `INVALID_CONFIG`, and the errors of `change`.
 */
export async function changeSettings(
  context: Context,
  { global }: { global: boolean },
  change: (current?: JsonObject) => JsonObject,
): Promise<ChangedSettings> {
  if (!global) return await changeRepository(context, change);
  return { content: await globalFile(context.io).update("config", change), hiddenAgents: [] };
}

/** Opens the user's own file. Its settings need no consent, so an agent may not write it. */
function globalFile(io: Io): JsonFile<JsonObject> {
  const path = globalPath();
  refuseAgents(io, `change "${path}"`, { path });
  globalContent(); // throws if the file is wrong, which then stays as it is
  return new JsonFile(path, new FileLockManager());
}

/**
 * Changes the settings of the repository. A person who types a setting agrees to it, but not to the earlier content.
 */
async function changeRepository(
  context: Context,
  change: (current?: JsonObject) => JsonObject,
): Promise<ChangedSettings> {
  const { io } = context;
  const { root, tree, records } = await context.openState();
  const { locks } = records();
  const file = new JsonFile<JsonObject>(`${root}/.agentx/config.json`, locks);
  let before: JsonObject = {};
  const after = await file.update("config", (current = {}) => change(before = current));

  const place = { root, tree };
  const { hiddenAgents } = settingsOver(after, place, () => {});
  const changed = { content: after, hiddenAgents };
  const consentTo = async (content: JsonObject) => {
    const { config, repositoryAgents, weaker } = settingsOver(content, place, () => {});
    const { agents } = config;
    const consent = new RepositoryTrust({ ...place, repositoryAgents, agents, weaker });
    return { consent, plan: await consent.plan() };
  };
  try {
    const [was, is] = [await consentTo(before), await consentTo(after)];
    const isSame = was.plan.hash === is.plan.hash &&
      JSON.stringify(was.plan.weaker) === JSON.stringify(is.plan.weaker);
    if (isSame || is.consent.isAgreed(is.plan)) return changed;
    if (was.consent.isAgreed(was.plan) && rulingOn("trust", io) === "yes") {
      await is.consent.allow(is.plan);
    } else {
      const isTrusted = is.consent.isTrusted(is.plan);
      const what = isTrusted ? "This has no effect" : "No agent of this repository runs";
      note(io, `${what} before a human agrees to it: agentx trust`);
    }
  } catch (error) {
    if (!hasCode(error, "UNTRUSTED")) throw error;
    note(io, error.oneLine);
  }
  return changed;
}
