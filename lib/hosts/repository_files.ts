// The files of a repository that affect the people and agents who work in it: they start a program, or they instruct an
// agent. The guard, the sandbox, the check of a step and `workflow merge` all use this table. Pure.

import { escapeRegExp, pathPattern } from "../text/reg_exp.ts";
import { below } from "./host.ts";
import { HOST_NAMES, hostOfProgram, HOSTS } from "./hosts.ts";

/** The effect of a file: it starts a program by itself, or an agent reads it as an instruction. */
export type FileEffect = "starts" | "instructs";

/** All files or folders with this name, below any folder. */
export interface RepositoryFile {
  /** The name; if it ends with `/`, everything below it counts. */
  path: string;
  effect: FileEffect;
  /** The hosts that load the file as code without being asked. */
  loadedBy: readonly string[];
}

/** The table. The first row that matches a path decides. */
export const REPOSITORY_FILES: readonly RepositoryFile[] = [
  ...rows("instructs", [
    "AGENTS.md",
    "SKILL.md",
    ".agents/",
    ".agentx/templates/",
    ".github/templates/",
    ...HOST_NAMES.flatMap((name) => HOSTS[name].files.instructs),
  ]),
  ...rows("starts", HOST_NAMES.flatMap((name) => HOSTS[name].files.starts)),
  // Files of editors, shells, git, CI, and agentx.
  ...rows("starts", [
    ".devcontainer/",
    ".envrc",
    ".vscode/",
    ".git/",
    ".gitattributes",
    ".githooks/",
    ".gitmodules",
    ".husky/",
    ".lefthook/",
    "lefthook.yml",
    ".pre-commit-config.yaml",
    "package.json",
    ...below(".github", ["actions/", "workflows/"]),
    ".buildkite/",
    ".circleci/",
    ".gitlab-ci.yml",
    ".travis.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile",
    ...below(".agentx", [
      "accepted-findings",
      "config.json",
      "plugins/",
      "policy.toml",
      "schedules.json",
      "workflows/",
    ]),
  ]),
];

/** Returns the rows for some paths; each row names all hosts that load the path as code. */
function rows(effect: FileEffect, paths: readonly string[]): RepositoryFile[] {
  return [...new Set(paths)].map((path) => ({
    path,
    effect,
    loadedBy: HOST_NAMES.filter((name) => HOSTS[name].files.starts.includes(path)),
  }));
}

const PATTERNS = REPOSITORY_FILES.map((row) => {
  const name = escapeRegExp(row.path.replace(/\/$/, ""));
  // Some file systems ignore case. Instructions are still matched exactly, so a page `docs/agents.md` is none.
  const flags = row.effect === "starts" ? "i" : "";
  return [new RegExp(`(^|/)${name}${row.path.endsWith("/") ? "(/|$)" : "$"}`, flags), row] as const;
});

/** Returns the row for a path; undefined for any other file. */
export function repositoryFile(path: string): RepositoryFile | undefined {
  return PATTERNS.find(([pattern]) => pattern.test(path))?.[1];
}

/**
 * Whether an agent at work may not change a file. Changed scripts of a `package.json` are shown at the merge instead.
 *
 * @param path relative to the folder of the role's patterns
 * @param mayChange the patterns; a pattern other than "any file" allows the files that it names, except for `.git`
 */
export function isProtected(path: string, mayChange: readonly string[] = []): boolean {
  const row = repositoryFile(path);
  if (row?.effect !== "starts" || row.path === "package.json") return false;
  const isNamed = mayChange.some((pattern) =>
    /[^*?/.]/.test(pattern) && pathPattern(pattern).test(path)
  );
  return row.path === ".git/" || !isNamed;
}

/** Whether the host of a program loads a file as code; for an unknown program, whether any host does. */
export function isLoaded(path: string, program?: string): boolean {
  const { loadedBy = [] } = repositoryFile(path) ?? {};
  const host = hostOfProgram(program ?? "");
  return host === undefined ? loadedBy.length > 0 : loadedBy.includes(host);
}

/** The hosts that load code of a repository whatever their options are. */
export const ALWAYS_LOADING: readonly string[] = HOST_NAMES.filter((name) =>
  HOSTS[name].files.startsAlways
);
