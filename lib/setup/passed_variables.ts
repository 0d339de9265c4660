// The variables that a host has to pass to the server of agentx if it passes only named ones: those for agentx itself
// and for the configured agents. These are the names in `lib/agents/environment.ts`, written out.

import { environmentOf, PASSED_VARIABLES } from "../agents/environment.ts";
import type { AgentConfig } from "../config/config.ts";
import { agentsIn } from "../config/settings.ts";
import { orElse } from "../base/errors.ts";
import { HOST_NAMES, HOSTS } from "../hosts/hosts.ts";

const CLOUDS = [
  "AWS_PROFILE",
  "AWS_REGION",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GOOGLE_CLOUD_PROJECT",
  "GOOGLE_CLOUD_LOCATION",
  "GOOGLE_GENAI_USE_VERTEXAI",
  "ANTHROPIC_VERTEX_PROJECT_ID",
  "CLOUD_ML_REGION",
];

const OF_VENDORS = [
  ...HOST_NAMES.flatMap((name) => HOSTS[name].environment.models ?? []),
  ...CLOUDS,
].map((name) => [name, "1"] as const);

/**
 * Returns the names of variables, including those that are not set. For a file of a repository, the names do not depend
 * on the settings of one user.
 */
export function passedVariables(file: "user" | "repository", root: string): string[] {
  return [...new Set([...PASSED_VARIABLES, ...usedBy(file, root)])];
}

function usedBy(file: "user" | "repository", root: string): string[] {
  // Problems of the configuration are ignored here, because a run of an agent reports them.
  return orElse([], () => agentsIn(file, { root, tree: root }).flatMap(variablesOf));
}

function variablesOf({ command, preset, passEnv, http }: AgentConfig): string[] {
  const commands = [command ?? [], ...[preset ?? []].flat().map((name) => [name])];
  const ofVendors = commands.flatMap((command) =>
    Object.keys(environmentOf(OF_VENDORS, { command, passEnv, env: {} }))
  );
  return [...ofVendors, ...passEnv, ...http?.keyEnv ? [http.keyEnv] : []];
}

/** Matches the names that Gemini CLI withholds from servers; in CI also AGENTX_DEPTH. */
const WITHHELD_BY_GEMINI =
  /TOKEN|SECRET|PASSW|KEY|AUTH|CRED|PRIVATE|CERT|PROXY$|^GOOGLE_CLOUD_PROJECT$|^AGENTX_DEPTH$/i;

/** Returns references to the variables that Gemini CLI withholds unless the server names them. */
export function withheldByGemini(passed: readonly string[]): Record<string, string> {
  return references(passed.filter((name) => WITHHELD_BY_GEMINI.test(name)));
}

/** References to the only variable that Claude Code withholds: its login token. */
export const WITHHELD_BY_CLAUDE: Record<string, string> = references(["CLAUDE_CODE_OAUTH_TOKEN"]);

/**
 * Returns references that both hosts replace. An unset variable becomes an empty text, which is not passed to agents.
 */
function references(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `\${${name}:-}`]));
}
