// How coding agents treat a package, as observed with their releases in `.ci/hosts.txt`.

import { objectOf } from "../base/checks.ts";
import type { PackageFiles } from "../config/packages.ts";
import { jsonOf } from "./manifest.ts";
import type { PluginServer } from "./servers.ts";
import type { PluginSkill } from "./skills.ts";

/** Returns one sentence for each host, by name of the host. */
export function hostNotes(
  files: PackageFiles,
  { skills, servers }: { skills: readonly PluginSkill[]; servers: readonly PluginServer[] },
): Record<string, string> {
  const own = objectOf(jsonOf(files, ".claude-plugin/plugin.json"));
  const isNamed = own.mcpServers !== undefined || files.has(".mcp.json");
  const loads = (hasServers: boolean) =>
    [
      `${skills.length} ${skills.length === 1 ? "skill" : "skills"}`,
      ...servers.length === 0
        ? []
        : [hasServers ? `${servers.length} MCP` : "no MCP server: it reads .mcp.json only"],
    ].join(", ");
  return { claude: loads(isNamed), codex: loads(true), copilot: loads(true) };
}
