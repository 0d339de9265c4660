// The commands that change a file of settings, `agentx config set` and `unset`: the repository's,
// where a person who types a value agrees to it, or the user's own, which no agent changes. Nor
// does an agent change the settings on when a human is asked.

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

/** Some settings are the human's: a repository has no say in them, and an agent none in safeguards. */
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

/** A repository that turns the mode on later needs a new consent. */
export async function forgetGitHub({ openState }: Context): Promise<void> {
  const place = await openState();
  if (agreedGitHub(place) !== undefined) await agreeToGitHub(place, undefined);
}

interface ChangedSettings {
  content: JsonObject;
  hiddenAgents: string[];
}

/**
 * The content as it was written, and the agents with a command of their own that it hides. Throws `UNTRUSTED` in an
 * agent's session, `INVALID_CONFIG`, and the errors of `change`.
 */
export async function changeSettings(
  context: Context,
  { global }: { global: boolean },
  change: (current?: JsonObject) => JsonObject,
): Promise<ChangedSettings> {
  if (!global) return await changeRepository(context, change);
  return { content: await globalFile(context.io).update("config", change), hiddenAgents: [] };
}

/** The user's own file defines what needs no consent: an agent does not write it. */
function globalFile(io: Io): JsonFile<JsonObject> {
  const path = globalPath();
  refuseAgents(io, `change "${path}"`, { path });
  globalContent(); // a file that is wrong stays as it is
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
