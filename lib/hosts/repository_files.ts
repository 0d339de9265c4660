// The files of a repository that act on those who work in it: they start a program, or they instruct an agent.
// The guard, the sandbox, the check of a step and `workflow merge` read this one table. Pure.

import { escapeRegExp, pathPattern } from "../text/reg_exp.ts";

/** What a file does: it starts a program by itself, or an agent reads it as an instruction. */
export type FileEffect = "starts" | "instructs";

/** Any file or folder with this name, below any folder. */
export interface RepositoryFile {
  /** Ends with `/` where everything below it counts. */
  path: string;
  effect: FileEffect;
  /** The hosts that load it as code without being asked, by the names of their programs. */
  loadedBy: readonly string[];
}

/** The first row that fits a path decides. */
export const REPOSITORY_FILES: readonly RepositoryFile[] = [
  ...rows("instructs", [], [
    ...["AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "QWEN.md"],
    ...["SKILL.md", ".cursorrules", ".agents/", ".agentx/templates/"],
    ...below(".github", ["agents/", "copilot-instructions.md", "instructions/", "prompts/"]),
    ...below(".github", ["skills/", "templates/"]),
    ...below(".claude", ["agents/", "commands/", "output-styles/", "rules/", "skills/"]),
    ...below(".codex", ["prompts/", "skills/"]),
    ...below(".cursor", ["commands/", "rules/"]),
    ...below(".gemini", ["agents/", "commands/", "skills/"]),
    ...below(".opencode", ["agent/", "agents/", "command/", "commands/", "skill/", "skills/"]),
    ...below(".qwen", ["agents/", "commands/", "skills/"]),
  ]),
  ...rows("starts", ["claude", "copilot"], [".claude/", ".claude-plugin/", ".mcp.json"]),
  ...rows("starts", ["codex"], [".codex/", ".codex-plugin/"]),
  ...rows("starts", ["copilot"], [
    ...below(".github", ["copilot/", "extensions/", "hooks/", "mcp.json"]),
    ...[".copilot/", ".vscode/mcp.json"],
  ]),
  ...rows("starts", ["gemini"], [".gemini/", "gemini-extension.json"]),
  ...rows("starts", ["opencode"], [".opencode/", "opencode.json", "opencode.jsonc"]),
  ...rows("starts", ["pi"], [".pi/"]),
  ...rows("starts", ["qwen"], [".qwen/"]),
  // Editors, shells, git, CI, and agentx.
  ...rows("starts", [], [
    ...[".cursor/", ".devcontainer/", ".envrc", ".vscode/"],
    ...[".git/", ".gitattributes", ".githooks/", ".gitmodules", ".husky/"],
    ...[".lefthook/", "lefthook.yml", ".pre-commit-config.yaml", "package.json"],
    ...below(".github", ["actions/", "workflows/"]),
    ...[".buildkite/", ".circleci/", ".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml"],
    ...["bitbucket-pipelines.yml", "Jenkinsfile"],
    ...below(".agentx", ["accepted-findings", "config.json", "policy.toml", "workflows/"]),
  ]),
];

function rows(
  effect: FileEffect,
  loadedBy: readonly string[],
  paths: readonly string[],
): RepositoryFile[] {
  return paths.map((path) => ({ path, effect, loadedBy }));
}

function below(folder: string, names: readonly string[]): string[] {
  return names.map((name) => `${folder}/${name}`);
}

const PATTERNS = REPOSITORY_FILES.map((row) => {
  const name = escapeRegExp(row.path.replace(/\/$/, ""));
  // Some file systems do not distinguish capitals; a page `docs/agents.md` is still no instruction.
  const flags = row.effect === "starts" ? "i" : "";
  return [new RegExp(`(^|/)${name}${row.path.endsWith("/") ? "(/|$)" : "$"}`, flags), row] as const;
});

/** The row of a path; undefined for any other file. */
export function repositoryFile(path: string): RepositoryFile | undefined {
  return PATTERNS.find(([pattern]) => pattern.test(path))?.[1];
}

/**
 * Whether an agent at work may not change a file. Changed scripts of a `package.json` are shown at the merge instead.
 *
 * @param path from the folder in which the patterns of a role begin
 * @param mayChange the patterns; one that names more than any file opens what it names, but for `.git`
 */
export function isProtected(path: string, mayChange: readonly string[] = []): boolean {
  const row = repositoryFile(path);
  if (row?.effect !== "starts" || row.path === "package.json") return false;
  const isNamed = mayChange.some((pattern) =>
    /[^*?/.]/.test(pattern) && pathPattern(pattern).test(path)
  );
  return row.path === ".git/" || !isNamed;
}

const HOSTS = new Set(REPOSITORY_FILES.flatMap(({ loadedBy }) => loadedBy));

/** Whether a host, by the name of its program, loads a file as code; of a host that is unknown, whether any does. */
export function isLoaded(path: string, host?: string): boolean {
  const { loadedBy = [] } = repositoryFile(path) ?? {};
  return host !== undefined && HOSTS.has(host) ? loadedBy.includes(host) : loadedBy.length > 0;
}

/** Hosts that load code of a repository whatever their options say. */
export const ALWAYS_LOADING: readonly string[] = ["opencode"];
