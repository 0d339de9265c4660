/**
 * `agentx config set`.
 *
 * @module
 */

import * as z from "zod/mini";
import { sessionVariable } from "../agents/host_session.ts";
import { completeConfig, getConfigValue, setConfigValue } from "../config/config.ts";
import { settingsOver } from "../config/settings.ts";
import { RepositoryTrust } from "../config/trust.ts";
import { AgentxError, hasCode } from "../errors.ts";
import type { JsonObject } from "../json_schema.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import { encodeJson, terminalLine } from "../text.ts";
import { argument } from "./arguments.ts";
import { type Context, defineCommand } from "./command.ts";
import { globalConfig, globalPath, isGlobal } from "./config_file.ts";
import { note } from "./execute.ts";
import type { Io } from "./io.ts";
import { whyNobodyIsAsked } from "./person.ts";

/** Changes one setting; every other key of the file stays. */
export const command = defineCommand({
  name: "config set",
  summary: "Change one setting",
  kind: "config.value",
  examples: [
    `agentx config set agents.architect.command '["claude", "-p"]'`,
    "agentx config set clarify.retryDelaySeconds 5",
    `agentx config set --global agents.architect.command '["claude", "-p"]'`,
  ],
  input: z.object({
    global: isGlobal,
    key: argument(z.string(), "The setting, with dots"),
    value: argument(z.string(), "JSON, or a text", { stdin: true }),
  }),
  positional: ["key", "value"],
  async run(context, { global, key, value }) {
    const change = (current: JsonObject = {}) => setConfigValue(current, key, value);
    const content = global
      ? await globalFile(context.io).update("config", change)
      : await changeRepository(context, change);
    return { output: { key, value: getConfigValue(completeConfig(content), key) } };
  },
  render: ({ key, value }) => `  ${terminalLine(key)} = ${encodeJson(value)}`,
});

/** The user's own file defines what needs no consent: an agent does not write it. */
function globalFile(io: Io): JsonFile<JsonObject> {
  const path = globalPath("config set");
  const session = sessionVariable((name) => io.env(name));
  if (session !== undefined) {
    const reason = `this is an agent's session (${session})`;
    throw new AgentxError("UNTRUSTED", `Cannot change "${path}": ${reason}`, {
      details: { path, reason },
      next: "A person changes it, in a shell of their own",
    });
  }
  globalConfig("config set"); // a file that is wrong stays as it is
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
