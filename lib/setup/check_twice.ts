// Checks whether an event of a session runs the hook of agentx twice, because a host reads the files of its user and of
// the repository, and some hosts also read the files of another host. Also checks whether a host finds the skill twice.

import { orElse } from "../base/errors.ts";
import { type Finding, warn } from "../doctor/finding.ts";
import type { Installation } from "./installation.ts";
import { type HostName, HOSTS } from "../hosts/hosts.ts";
import { sys } from "../sys/mod.ts";

/** Hosts that run the hooks of `.claude/settings.json` in a repository. */
const READS_CLAUDE: Partial<Record<HostName, { title: string; guard?: string }>> = {
  copilot: { title: "Copilot CLI", guard: "COPILOT_PROJECT_DIR" },
  vscode: { title: "VS Code" },
};

/**
 * Warns about copies of the skill if the host shows each of them, or if they differ and the host loads one at random.
 */
export function checkCopies(host: HostName, own: readonly Installation[]): Finding[] {
  const { title, files: { skills, showsCopies } } = HOSTS[host];
  const roots = [sys.env("HOME"), own.map(({ scope }) => scope.place.repository).find(Boolean)];
  const copies = roots.filter((root) => root !== undefined).flatMap((root) =>
    skills.map((folder) => `${root}/${folder}/agentx/SKILL.md`)
  ).flatMap((path) => {
    const text = orElse(undefined, () => sys.readTextFile(sys.realPath(path) ?? path), "IO_ERROR");
    return text === undefined ? [] : [{ path, text }];
  });
  const isHarmless = !showsCopies && new Set(copies.map(({ text }) => text)).size < 2;
  if (copies.length < 2 || isHarmless) return [];
  const message = `${title} ${showsCopies ? "shows" : "loads, at random, one of"} the skills ${
    copies.map(({ path }) => `"${path}"`).join(" and ")
  }`;
  return [warn("copies", message, `Keep one of them, and remove the others or their set-up`)];
}

/** Warns about hooks that run twice. Even then, an answer is delivered only once. */
export function checkTwice(host: HostName, all: readonly Installation[]): Finding[] {
  const own = all.filter((each) => each.host === host);
  const [first, second] = own.map(hookFile);
  const problems: Finding[] = [];
  if (first !== undefined && second !== undefined) {
    const message = `"${first}" and "${second}" both run each hook`;
    const next = `Keep one of them: agentx setup ${host} --remove, or the same with --project`;
    problems.push(warn("twice", message, next));
  }
  const foreign = READS_CLAUDE[host];
  const claude = all.find((each) => each.host === "claude" && each.scope.place.repository);
  const theirs = claude && hookFile(claude);
  const isOwn = first !== undefined || second !== undefined;
  if (foreign === undefined || claude === undefined || theirs === undefined || !isOwn) {
    return problems;
  }
  const lines = (claude.files.get(theirs) ?? []).map(({ value }) => String(value.command));
  const isGuarded = foreign.guard !== undefined &&
    lines.every((line) => line.includes(foreign.guard!));
  if (isGuarded) return problems;
  const next = foreign.guard === undefined
    ? "Nothing is delivered twice; to save the time, take one of them out with --remove"
    : "Write it again with: agentx setup claude --project";
  return [...problems, warn("twice", `${foreign.title} also runs the hooks of "${theirs}"`, next)];
}

function hookFile({ files }: Installation): string | undefined {
  return [...files].find(([, found]) => found.some(({ at }) => at[0] === "hooks"))?.[0];
}
