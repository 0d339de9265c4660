// Builds the plugin: `deno task plugin` makes `dist/plugin`, which a marketplace can carry.
//
// The folder has the layout of Agent Plugins 1.0.0 (manifest, skill, server). Hooks are not part of that, so
// each host finds its own beside its own manifest, as `agentx setup --project` writes them: by the bare
// name of the program, in silence where it is not installed.

import { AGENTS_BLOCK, SKILL } from "../lib/setup/content.ts";
import type { HostName } from "../lib/hosts/hosts.ts";
import { hostParts } from "../lib/setup/hosts.ts";
import { calledByName } from "../lib/setup/how_called.ts";
import { PASSED_VARIABLES } from "../lib/agents/environment.ts";
import { buildPackages } from "./packages.ts";
import { parseToml } from "../lib/text/toml.ts";

interface Manifest {
  version: string;
  license: string;
}

const root = new URL("../", import.meta.url).pathname;
const target = Deno.args[0] ?? `${root}dist/plugin`;
const SCHEMAS = "https://agent-plugins.org/schemas/1.0.0";

const { version, license }: Manifest = JSON.parse(Deno.readTextFileSync(`${root}deno.json`));

const about = {
  name: "agentx",
  version,
  description: "Coding agents on one repository ask each other instead of guessing, and remember",
  author: { name: "AgentX toolkit" },
};
const { mcpServers } = settings("claude", ".mcp.json");
// Readers of the common manifest have a limit of their own for tools, which it cannot raise.
const { servers: briefServers } = settings("vscode", "mcp.json");
const codexServers = settings("codex", "config.toml").mcp_servers;
const hooks = Object.fromEntries(
  (["claude", "codex", "copilot", "gemini"] as const).map((host) => [host, hooksOf(host)]),
) as Record<"claude" | "codex" | "copilot" | "gemini", { hooks: object }>;
const { mcpServers: geminiServers } = settings("gemini", "settings.json");

try {
  Deno.removeSync(target, { recursive: true });
} catch (error) {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
write("plugin.json", { $schema: `${SCHEMAS}/plugin.schema.json`, ...about, license });
write("mcp.json", { $schema: `${SCHEMAS}/mcp.schema.json`, mcpServers: briefServers });
write("skills/agentx/SKILL.md", SKILL);

write(".claude-plugin/plugin.json", {
  ...about,
  license,
  mcpServers,
  hooks: "./.claude-plugin/hooks.json",
});
write(".claude-plugin/hooks.json", hooks.claude);
write("com.github.copilot/hooks/hooks.json", hooks.copilot);

// Codex reads no hooks of a folder that has the common manifest, and Claude Code would take those of
// Gemini for its own: each has a folder of its own, for its own kind of marketplace.
const codex = "com.openai.codex";
write(`${codex}/.codex-plugin/plugin.json`, {
  ...about,
  skills: "./skills/",
  mcpServers: "./.mcp.json",
  hooks: "./.codex-plugin/hooks.json",
});
write(`${codex}/.mcp.json`, { mcpServers: codexServers });
write(`${codex}/.codex-plugin/hooks.json`, hooks.codex);
write(`${codex}/skills/agentx/SKILL.md`, SKILL);

const gemini = "com.google.gemini-cli";
write(`${gemini}/gemini-extension.json`, {
  ...about,
  mcpServers: geminiServers,
  contextFileName: "GEMINI.md",
});
write(`${gemini}/GEMINI.md`, AGENTS_BLOCK);
write(`${gemini}/skills/agentx/SKILL.md`, SKILL);
write(`${gemini}/hooks/hooks.json`, hooks.gemini);
console.log(`Built the plugin ${about.name} ${version} in ${target}`);
if (Deno.args[0] === undefined) {
  const packages = await buildPackages(`${root}dist/plugins`);
  console.log(`Built the packages ${packages.join(", ")}`);
}

/** What setup writes into the one file of a host in a repository that has hooks. */
function hooksOf(host: HostName): { hooks: object } {
  const path = host === "copilot"
    ? "hooks/agentx.json"
    : host === "codex"
    ? "hooks.json"
    : "settings.json";
  const { mcpServers: _, ...rest } = settings(host, path);
  return rest as { hooks: object };
}

/** What setup writes into an empty file of a repository. */
function settings(host: HostName, name: string): Record<string, unknown> {
  const place = { repository: "/repository", called: calledByName(), passed: PASSED_VARIABLES };
  const part = hostParts(host, place).find(({ path }) => path.endsWith(`/${name}`));
  if (part === undefined) throw new Error(`${host} has no file ${name}`);
  const text = part.insert("");
  return name.endsWith(".toml") ? parseToml(text, name).value : JSON.parse(text);
}

function write(path: string, content: string | object): void {
  const full = `${target}/${path}`;
  Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2) + "\n";
  Deno.writeTextFileSync(full, text);
}
