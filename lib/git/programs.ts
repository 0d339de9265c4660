// Programs that the git settings of a repository name: those that git runs on files, and those that sign. A program
// that the user's own settings also name, such as git-lfs, is not listed.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { repositoryAbove } from "./repository.ts";
import { LOOKS_ONLY, runGit } from "./run_git.ts";

const PROGRAM =
  /^(?:filter\.[^]*\.(?:clean|smudge|process)|merge\.[^]*\.driver|gpg\.(?:[^]*\.)?(?:program|defaultkeycommand))$/;

/** A quick test of the settings: most repositories name no program, so git need not be run. */
const MAY_NAME_ONE = /\[(?:filter|gpg|include|merge)/i;

/**
 * @returns the command lines of filters, merge drivers and signing programs that only the repository names, by setting
 * @throws {AgentxError} `IO_ERROR` if git cannot read its settings
 */
export async function repositoryPrograms(folder: string): Promise<Record<string, string>> {
  const repository = repositoryAbove(folder);
  if (repository === undefined) return {};
  const { checkout, gitFolder, sharedFolder } = repository;
  const texts = [`${sharedFolder}/config`, `${gitFolder}/config.worktree`]
    .map((path) => orElse("", () => sys.readTextFile(path), "IO_ERROR") ?? "");
  if (!texts.some((text) => MAY_NAME_ONE.test(text))) return {};
  const args = ["config", "--list", "--show-scope", "-z"];
  const options = { action: "read the settings of git", confinement: LOOKS_ONLY };
  const said = (await runGit(checkout, args, options)).split("\0");
  const users = new Set<string>();
  const own = new Map<string, string>();
  for (let at = 0; at + 1 < said.length; at += 2) {
    const [scope, setting] = [said[at], said[at + 1]];
    const [key, ...value] = setting.split("\n");
    if (!PROGRAM.test(key) || value.join("") === "") continue;
    if (scope === "local" || scope === "worktree") own.set(key, value.join("\n"));
    else users.add(setting);
  }
  return Object.fromEntries([...own].filter(([key, value]) => !users.has(`${key}\n${value}`)));
}
