import { type Context, defineCommand } from "../../cli/command.ts";
import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { argument, word } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { completeConfig } from "../../config/content.ts";
import { getConfigValue, setConfigValue } from "../../config/edit.ts";
import { hidesCommand } from "../../config/settings.ts";
import { sys } from "../../sys/mod.ts";
import { DOCUMENTED_AGENTS, normalizeAgentName } from "../../base/agent_names.ts";
import { AgentxError, EXIT_CODES } from "../../base/errors.ts";
import { DEFAULT_AGENT } from "../../config/runnable.ts";
import { nearest } from "../../text/nearest.ts";
import { agrees, whyNobodyIsAsked } from "../../cli/person.ts";
import type { RenderView } from "../../text/view.ts";
import type { GitHubOffer } from "../../workspace/github.ts";
import { rulingOn } from "../../who/surface.ts";
import { shellWord } from "../../base/quote.ts";
import { encodeJson, terminalBlock, terminalLine } from "../../text/text.ts";
import { noteWithoutEffect, whichFile } from "./file.ts";
import { outdatedHosts, setupScope } from "../../setup/setup.ts";
import { changeSettings, checkKey, forgetGitHub } from "./change.ts";

/** Sets one key; every other key of the file stays. */
export const command = defineCommand({
  kind: "config.value",
  examples: [
    `agentx config set agents.architect.command '["claude", "-p"]'`,
    "agentx config set clarify.retryDelaySeconds 5",
    `agentx config set --global agents.architect.command '["claude", "-p"]'`,
  ],
  input: {
    ...whichFile,
    key: argument(word, "Name of the setting, such as agents.architect.command"),
    value: argument(word, "JSON, or a text", { readsStdin: true }),
  },
  positional: ["key", "value"],
  conflicts: { global: ["local"] },
  async run(context, { key, value, global }) {
    checkKey(context.io, { verb: "set", key, global });
    if (key === "defaultWorkflow" && !global) await checkWorkflow(context, value);
    const isGitHub = key === "mode" && /^"?github"?$/.test(value);
    if (isGitHub && !await agreesToGitHub(context, global)) {
      return { output: { key, value: "local" }, exitCode: EXIT_CODES.UNTRUSTED };
    }
    if (key === "mode" && !isGitHub && !global) await forgetGitHub(context);
    const newRole = await newRoleNote(context, key); // read before the change, which makes the role known
    const { content, hiddenAgents } = await changeSettings(
      context,
      { global },
      (current = {}) => setConfigValue(current, key, value),
    );
    noteWithoutEffect(context.io, content, key);
    noteHidden(context.io, hiddenAgents, { key, value });
    if (newRole !== undefined) note(context.io, newRole);
    if (global && key.startsWith("agents.") && sys.env("HOME")?.startsWith("/")) {
      noteOutdatedHosts(context.io);
    }
    return { output: { key, value: getConfigValue(completeConfig(content), key) } };
  },
  render: ({ key, value }) => `  ${terminalLine(key)} = ${encodeJson(value)}`,
});

/**
 * Asks a person at a terminal to agree to the repository by name: the user's token reads and posts there from then on.
 */
async function agreesToGitHub({ io, openState }: Context, global: boolean): Promise<boolean> {
  const next = "A human runs `agentx config set mode github` at a terminal in the repository";
  const refused = (reason: string) =>
    new AgentxError("UNTRUSTED", `Cannot turn mode github on: ${reason}`, {
      details: { path: "mode", reason },
      next,
    });
  if (global) throw refused("it is turned on for one repository");
  const { joinGitHub, offerOf } = await import("../../workspace/github.ts");
  const why = whyNobodyIsAsked(io);
  if (why !== undefined) throw refused(why);
  const state = await openState();
  const offer = await offerOf(state);
  const show = ({ width }: RenderView) => renderOffer(offer, width);
  if (!await agrees(io, "Use it from now on?", show, rulingOn("trust", io))) return false;
  await joinGitHub(state, offer);
  return true;
}

/** Renders the offer for consent, with a comment as it would be posted. */
function renderOffer(
  { name, isPublic, level, unmade, example }: GitHubOffer,
  width: number,
): string {
  const who = isPublic ? "is public: everyone reads" : "is private: its members read";
  const posted = {
    none: ["  Nothing is sent there."],
    escalations: ["  It posts what a human has to decide, and the decision. Such a comment:"],
    threads: ["  It posts each question and answer of agents. Such a comment:"],
  }[level];
  return [
    `  agentx sync reads issues and comments of ${name}, with your token.`,
    "  Anyone who may write there writes what agents read here.",
    `  The repository ${who} what agentx writes there in your name.`,
    ...level === "none" ? [] : [
      "  What you and your agents change here of its issues, sync changes there, too.",
      `  It makes issues there that are made here, and ${unmade} that are here already.`,
    ],
    ...posted,
    ...level === "none" ? [] : ["", ...terminalBlock(example, { indent: "  | ", width })],
  ].join("\n");
}

/** Throws `INVALID_INPUT` if there is no such workflow; otherwise nobody could ask about an issue without a type. */
async function checkWorkflow({ name, openWorkspace }: Context, value: string): Promise<void> {
  const types = (await openWorkspace()).workflowTypes();
  if (types.includes(value.replace(/^"(.*)"$/, "$1"))) return;
  const why = "there is no such workflow";
  throw usageError(name, { field: "VALUE", value, why, hint: `One of: ${types.join(", ")}.` });
}

/** Returns a note on an unknown role, which may be a slip; undefined for a known role. */
async function newRoleNote({ openWorkspace }: Context, key: string): Promise<string | undefined> {
  const [section, name] = key.split(".");
  const role = name && normalizeAgentName(name);
  const isKnown = !role || role === DEFAULT_AGENT || DOCUMENTED_AGENTS.includes(role);
  if (section !== "agents" || isKnown) return undefined;
  let known: ReadonlySet<string> = new Set(DOCUMENTED_AGENTS);
  try {
    known = (await openWorkspace()).knownAgents();
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error; // one's own settings need no workspace
  }
  if (known.has(role)) return undefined;
  const meant = nearest(role, [...known]);
  return `no agent ${role} was known here before.` + (meant ? ` Did you mean ${meant}?` : "");
}

/** Notes the hosts that start agentx without the variables of the agent: they pass variables by name only. */
function noteOutdatedHosts(io: Io): void {
  for (const host of outdatedHosts(setupScope(sys.cwd(), { isProject: false }))) {
    note(
      io,
      `${host} starts agentx without the variables of this agent until: agentx setup ${host}`,
    );
  }
}

/** Notes a hidden command, but only for the agent of the new setting. */
function noteHidden(
  io: Io,
  hiddenAgents: readonly string[],
  { key, value }: { key: string; value: string },
): void {
  const [section, role, name] = key.split(".");
  if (section !== "agents" || !hiddenAgents.includes(role)) return;
  note(io, hidesCommand(role));
  const words = [key, value].map((word) => terminalLine(shellWord(word))).join(" ");
  if (name !== undefined) {
    note(io, `Set it in your own settings: agentx config set --global ${words}`);
  }
  note(io, `Undo it here: agentx config unset ${terminalLine(shellWord(key))}`);
}
