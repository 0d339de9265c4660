// Selects the environment variables for an agent: those that every program needs, those of the agent's own vendor, and
// those in its settings. The caller may have the keys of many vendors and clouds in its environment; a program gets
// only the variables that it can use. Pure.

import { HOST_NAMES, hostOfProgram, HOSTS } from "../hosts/hosts.ts";
import { MODEL_VENDORS } from "../hosts/host.ts";
import { isSessionVariable } from "../who/host_session.ts";

export interface AgentEnvironment {
  /** Program and arguments. */
  command: readonly string[];
  /** Names of variables of the caller to pass on. */
  passEnv: readonly string[];
  /** Variables to set, by name. */
  env: Readonly<Record<string, string>>;
}

/** The caller's variables. */
type Variables = ReadonlyArray<readonly [name: string, value: string]>;

const PASSED_NAMES =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|TERM|TZ|TMPDIR|NO_COLOR|DENO_DIR|DBUS_SESSION_BUS_ADDRESS)$/;

/** Prefixes of variables for locale, folders, proxies and certificates. */
const PASSED_PREFIXES =
  /^(LC_|XDG_|SSL_CERT_|NODE_EXTRA_CA_CERTS$|(HTTPS?|NO|ALL)_PROXY$|(https?|no|all)_proxy$)/;

/** Variables with folders of version managers, which their programs need to start. */
const VERSION_MANAGERS =
  /^(NVM|FNM|VOLTA|ASDF|MISE|NODENV|PYENV|RBENV|SDKMAN|PNPM|BUN|N)_(\w+_)?(DIR|HOME|ROOT|PREFIX|PATH|BIN|INSTALL)$/;

/** Variables for all coding agents and no other programs, including those that switch features off. */
const OF_AGENTS = /^(MCP_\w+|\w+_TIMEOUT_MS|NODE_OPTIONS|DO_NOT_TRACK|DISABLE_\w+)$/;

/** The variables of agentx. AGENTX_DEPTH counts how deep agents have invoked each other, to end a loop. */
const OF_AGENTX = ["AGENTX_AGENT", "AGENTX_DEPTH", "AGENTX_RUN"];

const FOLDERS = [
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "XDG_DATA_HOME",
  "XDG_CACHE_HOME",
  "DENO_DIR",
  ...HOST_NAMES.flatMap((name) => HOSTS[name].environment.folders ?? []),
];

const NETWORK = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
];

/** The variables that do not depend on a vendor. Variables that are not set are not passed. */
export const PASSED_VARIABLES: readonly string[] = [...OF_AGENTX, ...FOLDERS, ...NETWORK];

/**
 * The variables of clouds. A program that reaches its model through a cloud needs the variables of that cloud. A
 * variable of the program itself shows this, or the name of the model in a variable or on the command line.
 */
const CLOUDS: readonly (readonly [sign: RegExp, prefixes: RegExp])[] = [
  [/^(CLAUDE_CODE_USE|AWS_BEARER_TOKEN)_BEDROCK=|(^|=)(amazon-)?bedrock\//, /^AWS_/],
  [
    /^(CLAUDE_CODE_USE_VERTEX|VERTEX\w*)=|(^|=)(vertex_ai|google-vertex(-anthropic)?)\//,
    /^(GOOGLE_(APPLICATION_CREDENTIALS|CLOUD_|VERTEX_)|GCLOUD_|CLOUD_ML_REGION$|VERTEX)/,
  ],
];

/** Prefixes of the variables of programs that are not hosts. */
const OTHER_VENDORS: Readonly<Record<string, readonly string[]>> = {
  aider: ["AIDER_", ...MODEL_VENDORS],
  amp: ["AMP_"],
  ollama: ["OLLAMA_"],
};

const PREFIXES = [
  ...Object.values(OTHER_VENDORS),
  ...HOST_NAMES.map((name) => HOSTS[name].environment.prefixes),
].flat();

/** The programs of npm packages, if the names differ. */
const PACKAGES: Readonly<Record<string, string>> = {
  "@sourcegraph/amp": "amp",
  ...Object.fromEntries(HOST_NAMES.map((name) => {
    const { tried, programs: [program] } = HOSTS[name];
    return [tried?.packageName ?? program, program];
  })),
};

/** Options of `npx`, `bunx` and `env` that take a value. */
const TAKES_WORD: Readonly<Record<string, RegExp>> = {
  npx: /^(-p|--package|-w|--workspace|--registry|--cache|--prefix)$/,
  bunx: /^(-p|--package)$/,
  env: /^(-u|--unset|-C|--chdir)$/,
};

/** Names of credentials, and of variables that are used with a credential. */
const CREDENTIAL =
  /^AWS_(PROFILE|REGION)$|(^|_)(KEY|KEY_ID|TOKEN|SECRET|PASSWORD|CREDENTIALS|BASE_URL|ENDPOINT)$/;

/** Maximum number of names in a message. */
const MAX_NAMED = 8;

/**
 * Returns the prefixes of the variables of an agent's vendor, also behind `npx`, `bunx` and `env`; none for an unknown
 * program.
 */
export function vendorPrefixes(command: readonly string[]): readonly string[] {
  const name = programName(command);
  const host = hostOfProgram(name);
  if (host !== undefined) return HOSTS[host].environment.prefixes;
  return Object.hasOwn(OTHER_VENDORS, name) ? OTHER_VENDORS[name] : [];
}

/** Makes the environment of an agent from the caller's variables. An empty variable counts as not set. */
export function environmentOf(
  variables: Variables,
  agent: AgentEnvironment,
): Record<string, string> {
  const isPassed = filterOf(variables, agent);
  return {
    ...Object.fromEntries(
      variables.filter(([name, value]) => value !== "" && isPassed(name)),
    ),
    ...agent.env,
  };
}

/**
 * Returns the names of credentials and endpoints that were not passed on to an agent, at most `MAX_NAMED`; none if the
 * agent got at least one.
 */
export function withheldCredentials(variables: Variables, agent: AgentEnvironment): string[] {
  const isPassed = filterOf(variables, agent);
  const credentials = variables
    .map(([name]) => name)
    .filter((name) => /^(?!AGENTX_)[A-Za-z_]\w*$/.test(name) && isCredential(name));
  const isServed = Object.keys(agent.env).some(isCredential) || credentials.some(isPassed);
  return isServed ? [] : credentials.sort().slice(0, MAX_NAMED);
}

function isCredential(name: string): boolean {
  return CREDENTIAL.test(name) ||
    PREFIXES.some((prefix) => name.startsWith(prefix));
}

function filterOf(
  variables: Variables,
  { command, passEnv, env }: AgentEnvironment,
): (name: string) => boolean {
  const prefixes = vendorPrefixes(command);
  const isOwn = (name: string) => prefixes.some((prefix) => name.startsWith(prefix));
  const set = [...variables, ...Object.entries(env)]
    .filter(([name, value]) => isOwn(name) && !/^(|0|false)$/i.test(value))
    .map(([name, value]) => `${name}=${value}`);
  const signs = prefixes.length > 0 ? [...set, ...command] : [];
  const patterns = [PASSED_NAMES, PASSED_PREFIXES, VERSION_MANAGERS];
  if (prefixes.length > 0) patterns.push(OF_AGENTS);
  for (const [sign, cloud] of CLOUDS) {
    if (signs.some((text) => sign.test(text))) patterns.push(cloud);
  }
  return (name) =>
    passEnv.includes(name) || isOwn(name) && !isSessionVariable(name) ||
    patterns.some((pattern) => pattern.test(name));
}

/** Returns the actual program: `codex` for `env A=b npx -y @openai/codex@1 exec`. */
export function programName(command: readonly string[]): string {
  const [first = "", ...rest] = command;
  const name = first.slice(first.lastIndexOf("/") + 1);
  if (!Object.hasOwn(TAKES_WORD, name)) return name;
  let index = 0;
  while (index < rest.length && isPrelude(rest[index], name)) {
    index += TAKES_WORD[name].test(rest[index]) ? 2 : 1;
  }
  const meant = rest.slice(index);
  if (name === "env" || meant.length === 0) return programName(meant);
  const spec = meant[0].replace(/(?<=.)@[^@/]*$/, ""); // without its version
  return Object.hasOwn(PACKAGES, spec) ? PACKAGES[spec] : spec;
}

/** Whether a word comes before the program of a wrapper: an option, or an assignment of `env`. */
function isPrelude(word: string, wrapper: string): boolean {
  return word.startsWith("-") || (wrapper === "env" && /^[A-Za-z_]\w*=/.test(word));
}
