// The variables that a host has to pass to the server of agentx, if it passes only named ones: those for
// agentx itself and for the configured agents. The names of `lib/agents/environment.ts`, spelled out.

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
 * The names of variables, also of those that are not set. Files of a repository do not depend on
 * the settings of one user.
 */
export function passedVariables(file: "user" | "repository", root: string): string[] {
  return [...new Set([...PASSED_VARIABLES, ...usedBy(file, root)])];
}

function usedBy(file: "user" | "repository", root: string): string[] {
  // A run of an agent reports their problems.
  return orElse([], () => agentsIn(file, { root, tree: root }).flatMap(variablesOf));
}

function variablesOf({ command, preset, passEnv, http }: AgentConfig): string[] {
  const commands = [command ?? [], ...[preset ?? []].flat().map((name) => [name])];
  const ofVendors = commands.flatMap((command) =>
    Object.keys(environmentOf(OF_VENDORS, { command, passEnv, env: {} }))
  );
  return [...ofVendors, ...passEnv, ...http?.keyEnv ? [http.keyEnv] : []];
}

/** The names that Gemini CLI withholds from servers; in CI also AGENTX_DEPTH. */
const WITHHELD_BY_GEMINI =
  /TOKEN|SECRET|PASSW|KEY|AUTH|CRED|PRIVATE|CERT|PROXY$|^GOOGLE_CLOUD_PROJECT$|^AGENTX_DEPTH$/i;

/** References to the variables that Gemini CLI withholds unless a server names them. */
export function withheldByGemini(passed: readonly string[]): Record<string, string> {
  return references(passed.filter((name) => WITHHELD_BY_GEMINI.test(name)));
}

/** Claude Code withholds one variable only: its login token. */
export const WITHHELD_BY_CLAUDE: Record<string, string> = references(["CLAUDE_CODE_OAUTH_TOKEN"]);

/** Both hosts replace these; an unset variable becomes an empty text, which agents do not get. */
function references(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `\${${name}:-}`]));
}
