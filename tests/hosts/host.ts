/**
 * The coding agents that are run for real, as the documentation has them run: how each is led to a model on
 * loopback, and what it says when it fails.
 *
 * @module
 */

import { REFUSAL } from "./scripted_model.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Where `.ci/run` puts programs. */
export const TOOLS: string = `${Deno.env.get("TMPDIR") ?? "/tmp"}/agentx-ci-tools-${Deno.uid()}`;

/** The ways in which a run fails. */
export type Failing = "usage" | "login" | "refused" | "offline";

/** What opencode reads; the key comes from its environment. */
const OPENCODE = (url: string) => ({
  model: "loopback/m",
  small_model: "loopback/m",
  autoupdate: false,
  share: "disabled",
  provider: {
    loopback: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${url}/v1`, apiKey: "{env:OPENAI_API_KEY}" },
      models: { m: {} },
    },
  },
});

/** A coding agent. */
export interface Host {
  /** Name of its program. */
  name: string;
  /**
   * Its line in `.ci/hosts.txt`.
   *
   * @default {its name}
   */
  line?: string;
  /** The program that speaks the Agent Client Protocol for it, and the variable that leads that program to it. */
  adapter?: { name: string; variable: string };
  /** What switches off, or shortens, what it would do besides. */
  settings: Record<string, string>;
  /** What says where its model is, and with which key: without them nobody is logged in. */
  login: (url: string) => Record<string, string>;
  /** Files in the home of its user. */
  files: (url: string) => Record<string, string>;
  /** What it says when it fails, word by word; undefined where it says nothing. */
  says: Record<Failing, RegExp | undefined>;
  /** How long it tries to reach the network, in seconds; undefined where it gives up by itself. */
  offlineSeconds?: number;
}

const CODEX = (url: string) => `
model = "m"
model_provider = "loopback"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.loopback]
name = "loopback"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
stream_max_retries = 0
`;

const GEMINI = {
  security: { auth: { selectedType: "gemini-api-key" } },
  general: { enableAutoUpdate: false, maxAttempts: 1 },
  privacy: { usageStatisticsEnabled: false },
};

/** The versions are those of `.ci/hosts.txt`. */
export const HOSTS: readonly Host[] = [
  {
    name: "claude",
    // Without the second, it tries for minutes to reach a model that is not there or refuses it.
    settings: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", CLAUDE_CODE_MAX_RETRIES: "1" },
    login: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "key" }),
    files: () => ({}),
    says: {
      usage: /error: unknown option '--no-such-flag'/,
      login: /Not logged in .* Please run \/login/,
      refused: new RegExp(`API Error: 401 ${REFUSAL}`),
      offline: /API Error: Unable to connect to API \(ConnectionRefused\)/,
    },
  },
  {
    name: "codex",
    adapter: { name: "codex-acp", variable: "CODEX_PATH" },
    settings: {},
    login: () => ({ OPENAI_API_KEY: "key" }),
    files: (url) => ({ ".codex/config.toml": CODEX(url) }),
    says: {
      usage: /error: unexpected argument '--no-such-flag' found/,
      login: /Missing environment variable: `OPENAI_API_KEY`/,
      refused: new RegExp(`unexpected status 401 Unauthorized: ${REFUSAL}`),
      offline: /waiting for network/,
    },
    offlineSeconds: 15, // it would wait for ever
  },
  {
    name: "gemini",
    // With a model that is named it does not ask another one which to take.
    settings: { GEMINI_MODEL: "gemini-2.5-flash" },
    login: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "key" }),
    files: () => ({ ".gemini/settings.json": JSON.stringify(GEMINI) }),
    says: {
      usage: /Unknown arguments: such-flag, suchFlag/,
      login: /you must specify the GEMINI_API_KEY environment variable/,
      refused: new RegExp(REFUSAL),
      offline: /exception TypeError: fetch failed sending request/,
    },
  },
  {
    name: "copilot",
    settings: { COPILOT_AUTO_UPDATE: "false" },
    login: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "key",
      COPILOT_MODEL: "m",
      COPILOT_OFFLINE: "true",
    }),
    files: () => ({}),
    says: {
      usage: /error: unexpected argument '--no-such-flag' found/,
      login: /Error: No authentication information found/,
      refused: /Authentication failed with provider at \S+ \(HTTP 401\)/,
      offline: /Could not connect to local model provider at/,
    },
  },
  {
    name: "opencode",
    // With a plugin it fetches a package first, which takes it a minute to give up.
    settings: { OPENCODE_DISABLE_MODELS_FETCH: "1", npm_config_fetch_retries: "0" },
    login: () => ({ OPENAI_API_KEY: "key" }),
    files: (url) => ({ ".config/opencode/opencode.json": JSON.stringify(OPENCODE(url)) }),
    says: {
      usage: undefined,
      login: undefined, // it asks without a key
      refused: new RegExp(`HTTP 401: ${REFUSAL}`),
      offline: undefined, // it tries on in silence until its time is over
    },
  },
];

/** Of Claude Code, the last version besides the one that runs on Node 20. */
export const NEWEST_CLAUDE: Host = {
  ...HOSTS[0],
  line: "claude-newest",
  adapter: { name: "claude-agent-acp", variable: "CLAUDE_CODE_EXECUTABLE" },
};

const PI_MODELS = (url: string) => ({
  providers: {
    loopback: {
      baseUrl: `${url}/v1`,
      api: "openai-completions",
      apiKey: "$OPENAI_API_KEY",
      models: [{ id: "m" }],
    },
  },
});

const NOT_PRESETS = { usage: undefined, login: undefined, refused: undefined, offline: undefined };

/** Those that no preset runs; they need Node 22. */
export const OTHER_HOSTS: readonly Host[] = [
  {
    name: "qwen",
    settings: { QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" },
    login: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "key", OPENAI_MODEL: "m" }),
    files: () => ({
      ".qwen/settings.json": JSON.stringify({
        security: { auth: { selectedType: "openai" } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      }),
    }),
    says: NOT_PRESETS,
  },
  {
    name: "pi",
    adapter: { name: "pi-acp", variable: "PI_ACP_PI_COMMAND" },
    settings: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
    login: () => ({ OPENAI_API_KEY: "key" }),
    files: (url) => ({
      ".pi/agent/models.json": JSON.stringify(PI_MODELS(url)),
      ".pi/agent/settings.json": JSON.stringify({ defaultProvider: "loopback", defaultModel: "m" }),
    }),
    says: NOT_PRESETS,
  },
];

/** The PATH of a host: first the Node on which `.ci/run` has installed it. */
export const HOST_PATH: string = `${TOOLS}/inspector/node_modules/.bin:${Deno.env.get("PATH")}`;

/** @returns the command of a host as docs/agents.md gives it, without a shell; undefined for none */
export function readmeCommand({ name }: Host): string[] | undefined {
  const page = Deno.readTextFileSync(`${ROOT}docs/agents.md`);
  const commands = Array.from(
    page.matchAll(/^\| [^|]+ \| `'(\[.+\])'` \|$/gm),
    ([, command]): string[] => JSON.parse(command),
  );
  return commands.find(([program]) => program === name);
}

/** @returns what tells it from every other one, such as `claude` or `claude-newest` */
export function titleOf({ name, line = name }: Host): string {
  return line;
}

/** @returns where the pinned program is; undefined where it was not installed */
export function programOf(
  { name, line = name }: Pick<Host, "name" | "line">,
): string | undefined {
  const [, spec] = new RegExp(`^${line} (\\S+)`, "m")
    .exec(Deno.readTextFileSync(`${ROOT}.ci/hosts.txt`)) ?? [];
  const at = spec?.lastIndexOf("@") ?? 0;
  const modules = `${TOOLS}/hosts/${line}/node_modules`;
  try {
    const manifest = Deno.readTextFileSync(`${modules}/${spec?.slice(0, at)}/package.json`);
    if (JSON.parse(manifest).version !== spec?.slice(at + 1)) return undefined;
    return Deno.realPathSync(`${modules}/.bin/${name}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
