/**
 * What a host that passes only named variables has to pass to our server: what its user has set for agentx,
 * and for the agents that agentx runs. As `lib/agents/environment.ts`, name by name.
 *
 * @module
 */

import { agentsIn } from "../../config/settings.ts";
import { AgentxError } from "../../errors.ts";

/** Also how deep agents have invoked each other: without it, a loop of them has no end. */
const OF_AGENTX = ["AGENTX_AGENT", "AGENTX_DEPTH", "AGENTX_RUN", "AGENTX_SHARED"];

const FOLDERS = [
  ...["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "DENO_DIR"],
  ...["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "COPILOT_HOME"],
  ...["OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"],
];

const NETWORK = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
];

const MODELS = [
  ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"],
  ...["CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"],
  ...["OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY"],
  ...["GEMINI_API_KEY", "GEMINI_MODEL", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
  ...["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_MODEL", "COPILOT_OFFLINE"],
  ...["COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_API_KEY"],
];

const CLOUDS = [
  ...["AWS_PROFILE", "AWS_REGION", "AWS_BEARER_TOKEN_BEDROCK"],
  ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
  ...["GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
  ...["GOOGLE_GENAI_USE_VERTEXAI", "ANTHROPIC_VERTEX_PROJECT_ID", "CLOUD_ML_REGION"],
];

/** Names of variables; one that is not set is not passed. */
export const PASSED_VARIABLES: readonly string[] = [
  ...OF_AGENTX,
  ...FOLDERS,
  ...NETWORK,
  ...MODELS,
  ...CLOUDS,
];

/**
 * @param file whose agents name more: what a repository names is for those who use its files
 * @param root a folder of the repository that this is called from
 * @returns the names; one that is not set is not passed
 */
export function passedVariables(file: "user" | "repository", root: string): string[] {
  return [...new Set([...PASSED_VARIABLES, ...namedBy(file, root)])];
}

function namedBy(file: "user" | "repository", root: string): string[] {
  try {
    return agentsIn(file, { root, tree: root })
      .flatMap(({ passEnv, http }) => http?.keyEnv ? [...passEnv, http.keyEnv] : passEnv);
  } catch (error) {
    if (error instanceof AgentxError) return []; // whatever runs an agent names it
    throw error;
  }
}

/** What Gemini CLI withholds from servers, by its names; in CI also what says how deep agents are. */
const WITHHELD_BY_GEMINI =
  /TOKEN|SECRET|PASSW|KEY|AUTH|CRED|PRIVATE|CERT|PROXY$|^GOOGLE_CLOUD_PROJECT$|^AGENTX_DEPTH$/i;

/** @returns for Gemini CLI, where it gets the variables that it withholds unless a server names them */
export function withheldByGemini(passed: readonly string[]): Record<string, string> {
  return references(passed.filter((name) => WITHHELD_BY_GEMINI.test(name)));
}

/** For Claude Code: of all variables it withholds the token that logs it in. */
export const WITHHELD_BY_CLAUDE: Record<string, string> = references(["CLAUDE_CODE_OAUTH_TOKEN"]);

/** Both fill these in, with nothing where a variable is not set: agents do not get an empty one. */
function references(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `\${${name}:-}`]));
}
