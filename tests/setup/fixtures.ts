/**
 * Files of each host as people have them: comments, foreign entries, other indents and ends of lines.
 *
 * @module
 */

import type { HostName } from "../../lib/hosts/hosts.ts";

/** What is there before, by path. */
type Files = Record<string, string>;

const CLAUDE_SETTINGS = `{
  // what may run
  "permissions": { "allow": ["Bash(ls)"] },
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "notify-send done" }] } // mine
    ],
    "PreToolUse": []
  }
}
`;

const SERVERS = `{
\t"mcpServers": {
\t\t/* the tracker */
\t\t"tracker": { "command": "tracker", "args": ["--stdio"] },
\t},
}`;

const CODEX = `# my settings
model = "gpt-5" # the large one

[mcp_servers.tracker]
command = "tracker"

# trusted by hand
[projects."/work/app"]
trust_level = "trusted"`;

const HOOKS = JSON.stringify({
  hooks: { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] },
});

const GUIDE = "# Guide\r\n\r\nUse tabs.\r\n";

/** For one user. */
export const USER_FILES: Record<HostName, Files> = {
  claude: { ".claude.json": SERVERS, ".claude/settings.json": CLAUDE_SETTINGS },
  codex: { ".codex/config.toml": CODEX, ".codex/hooks.json": HOOKS },
  copilot: {
    ".copilot/mcp-config.json": SERVERS,
    ".copilot/hooks/mine.json": '{"version":1,"hooks":{}}',
  },
  gemini: { ".gemini/settings.json": CLAUDE_SETTINGS.replaceAll("\n", "\r\n") },
  opencode: {
    ".config/opencode/opencode.jsonc": '{\n    // keys\n    "theme": "dark",\n    "mcp": {}\n}\n',
  },
  qwen: { ".qwen/settings.json": CLAUDE_SETTINGS },
  pi: { ".pi/agent/mcp.json": SERVERS },
  cline: { ".cline/data/settings/cline_mcp_settings.json": SERVERS },
  vscode: { ".config/Code/User/mcp.json": '\uFEFF{ "inputs": [], "servers": {} }\n' },
  cursor: {
    ".cursor/mcp.json": SERVERS,
    ".cursor/hooks.json": '{ "version": 1, "hooks": { "stop": [{ "command": "say done" }] } }',
  },
};

/** In a repository. */
export const PROJECT_FILES: Record<HostName, Files> = {
  claude: {
    "repo/.mcp.json": SERVERS,
    "repo/.claude/settings.json": CLAUDE_SETTINGS,
    "repo/AGENTS.md": GUIDE,
    "repo/CLAUDE.md": "Be brief.",
  },
  codex: {
    "repo/.codex/config.toml": CODEX.replaceAll("\n", "\r\n"),
    "repo/.codex/hooks.json": HOOKS,
    "repo/AGENTS.md": GUIDE,
  },
  copilot: { "repo/.github/mcp.json": SERVERS, "repo/.github/workflows/ci.yml": "on: push\n" },
  gemini: { "repo/.gemini/settings.json": CLAUDE_SETTINGS },
  opencode: { "repo/opencode.json": "{}" },
  qwen: { "repo/.qwen/settings.json": SERVERS },
  pi: { "repo/.pi/mcp.json": "" },
  cline: { "repo/AGENTS.md": GUIDE },
  vscode: { "repo/.vscode/mcp.json": '{"servers":{"x":{"command":"x"}}}', "repo/AGENTS.md": "" },
  cursor: { "repo/.cursor/hooks.json": "" },
};
