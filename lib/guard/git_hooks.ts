// The hooks of git: agentx adds some lines to an existing hook, or creates a hook. Removal restores each file byte
// for byte.

import { AgentxError } from "../base/errors.ts";
import { shellLine, shellWord } from "../base/quote.ts";
import {
  checkoutNamedBy,
  checkoutsOf,
  type Repository,
  repositoryAbove,
} from "../git/repository.ts";
import { gitError, runGit } from "../git/run_git.ts";
import { stateHolder } from "../git/state_holder.ts";
import { UNNOTED_VERSION, VERSION } from "../base/version.ts";
import { sys } from "../sys/mod.ts";
import { replaceFile } from "../sys/replace_file.ts";

/** The git hooks that run a check of agentx. */
export const GIT_HOOKS = ["pre-commit", "commit-msg"] as const;

export type GitHook = typeof GIT_HOOKS[number];

const BEGIN = "# agentx: begin";
const END = "# agentx: end\n";

/** The git setting that stores a relative `core.hooksPath` while agentx uses an absolute one. */
const KEPT = "agentx.hooksPath";

/** The content of a hook that agentx created, without its lines. */
const MADE = "#!/bin/sh\n";

const SHEBANG = /^#! ?\S*(?:\/env +)?(?:\S*\/)?(?:ba|da|z|k)?sh\b[^\n]*\n/;

/** A checkout, and the folder that git searches for its hooks. */
interface HookPlace {
  checkout: string;
  folder: string;
  /** Whether the folder is in the repository. A folder of the user would serve all of their repositories. */
  isInside: boolean;
}

/** The result of {@linkcode changeHooks}. */
export interface ChangedHooks {
  /** The paths of the changed hooks. */
  changed: string[];
  /** The new value of `core.hooksPath`; null if it did not change. */
  hooksPath: string | null;
}

/**
 * Adds the lines of agentx to the hooks of every checkout of a repository; without a program, removes them. A
 * relative `core.hooksPath` would lead each worktree to a folder of its own, so it is made absolute until the
 * removal. Throws `IO_ERROR`.
 */
export async function changeHooks(
  from: string,
  program: readonly string[] | undefined,
): Promise<ChangedHooks> {
  const repository = repositoryFor(from);
  const { checkout, sharedFolder } = repository;
  const git = gitIn(checkout);
  const valueOf = async (name: string) =>
    (await git("config", "--get", "--default", "", name)).trim();
  const before = await valueOf("core.hooksPath");
  const kept = await valueOf(KEPT);
  const relative = kept || before;
  const isRelative = relative !== "" && !/^[/~%]/.test(relative);
  const path = absolute(
    relative,
    checkoutNamedBy(sharedFolder) ?? stateHolder(repository, "") ?? checkout,
  );
  const set = (name: string, value: string) => git("config", "--local", name, value);
  const places = (await hookPlaces(from)).map((place) =>
    isRelative && place.folder === absolute(relative, place.checkout)
      ? { ...place, folder: path }
      : place
  );
  const outside = places.find((place) => place.checkout === checkout && !place.isInside);
  if (outside !== undefined) {
    const why = `core.hooksPath points outside of the repository, to ${outside.folder}`;
    throw gitError(
      checkout,
      "install hooks",
      why,
      "Find where it is set with: git config --show-origin core.hooksPath",
    );
  }
  const folders = places.flatMap(({ folder, isInside }) => isInside ? folder : []);
  const changed = [...new Set(folders)].flatMap((folder) => changeFolder(folder, program));
  if (isRelative && program !== undefined && before !== path) {
    await set(KEPT, relative);
    await set("core.hooksPath", path);
  } else if (kept !== "" && program === undefined) {
    if (before !== kept) await git("config", "--local", "--unset", "core.hooksPath");
    if (await valueOf("core.hooksPath") !== kept) await set("core.hooksPath", kept);
    await git("config", "--local", "--unset", KEPT);
  }
  const after = await valueOf("core.hooksPath");
  return { changed, hooksPath: after === before ? null : after };
}

/** The problems of a repository's hooks after the installation. */
export interface HookProblems {
  /** The checkouts that commit without the hooks. */
  unchecked: HookPlace[];
  /** The hooks with lines of another version. */
  outdated: Array<{ path: string; by: string }>;
}

/**
 * Finds the problems of a repository's hooks. Git is run only if the shared hooks or a setting may contain agentx
 * lines. Throws `IO_ERROR`.
 */
export async function hookProblems(from: string): Promise<HookProblems> {
  const { sharedFolder } = repositoryFor(from);
  const isThere = GIT_HOOKS.some((hook) => writerOf(`${sharedFolder}/hooks/${hook}`) !== undefined);
  if (!isThere && !/hookspath/i.test(read(`${sharedFolder}/config`) ?? "")) {
    return { unchecked: [], outdated: [] };
  }
  const places = await hookPlaces(from);
  const unchecked = places.filter(({ folder }) =>
    GIT_HOOKS.some((hook) =>
      !sys.isExecutable(`${folder}/${hook}`) || writerOf(`${folder}/${hook}`) === undefined
    )
  );
  const paths = new Set(
    places.flatMap(({ folder }) => GIT_HOOKS.map((hook) => `${folder}/${hook}`)),
  );
  const outdated = [...paths].flatMap((path) => {
    const by = writerOf(path) ?? VERSION;
    return by === VERSION ? [] : [{ path, by }];
  });
  return { unchecked: unchecked.length === places.length ? [] : unchecked, outdated };
}

/** Returns the version that wrote the agentx lines of a hook; undefined if the hook has none. */
function writerOf(path: string): string | undefined {
  const line = read(path)?.split("\n").find((line) => line.startsWith(BEGIN));
  return line === undefined ? undefined : / by (\S+)$/.exec(line)?.[1] ?? UNNOTED_VERSION;
}

async function hookPlaces(from: string): Promise<HookPlace[]> {
  const repository = repositoryFor(from);
  const checkouts = [...new Set([repository.checkout, ...checkoutsOf(repository)])];
  return await Promise.all(checkouts.map(async (checkout) => {
    const path = (await gitIn(checkout)("rev-parse", "--git-path", "hooks")).trim();
    const folder = absolute(path, checkout);
    const isInside = [...checkouts, repository.sharedFolder]
      .some((place) => folder.startsWith(`${place}/`));
    return { checkout, folder, isInside };
  }));
}

function repositoryFor(from: string): Repository {
  const repository = repositoryAbove(from);
  if (repository !== undefined) return repository;
  throw gitError(from, "install hooks", "it is in no git repository");
}

function gitIn(checkout: string) {
  return (...args: string[]) => runGit(checkout, args, { action: "install hooks" });
}

/** Adds the lines of agentx to the hooks of a folder; without a program, removes them. Returns the changed paths. */
function changeFolder(folder: string, program: readonly string[] | undefined): string[] {
  return GIT_HOOKS.flatMap((hook) => {
    const path = `${folder}/${hook}`;
    if (sys.lstat(path)?.kind === "symlink") {
      if (program === undefined) return [];
      throw notAdded(path, "it is a link", hook, program);
    }
    const before = read(path);
    const without = before === undefined ? undefined : withoutLines(before);
    const base = without === MADE && before!.includes(`${BEGIN} made`) ? undefined : without;
    const after = program === undefined ? base : withLines(base, hook, { program, path });
    if (after === before) return [];
    if (after === undefined) sys.removeFile(path);
    else {
      sys.makeDir(folder);
      const bytes = Uint8Array.from(after, (each) => each.charCodeAt(0));
      replaceFile(path, bytes, { mode: sys.lstat(path)?.mode ?? 0o755 });
    }
    return [path];
  });
}

function withLines(
  base: string | undefined,
  hook: GitHook,
  { program, path }: { program: readonly string[]; path: string },
): string {
  const shebang = SHEBANG.exec(base ?? MADE)?.[0];
  if (shebang === undefined) throw notAdded(path, "it is no script of a shell", hook, program);
  const line = shellLine(program);
  // If agentx is no longer installed, the hook does nothing and commits still work.
  const lines = [
    `${BEGIN}${base === undefined ? " made" : ""} by ${VERSION}`,
    `if command -v ${shellWord(program[0])} >/dev/null 2>&1; then`,
    `  ${line} git-hooks run ${hook} "$@" || exit $?`,
    "fi",
  ];
  return `${shebang}${lines.join("\n")}\n${END}${(base ?? MADE).slice(shebang.length)}`;
}

function notAdded(
  path: string,
  why: string,
  hook: GitHook,
  program: readonly string[],
): AgentxError<"IO_ERROR"> {
  return new AgentxError("IO_ERROR", `Cannot add to "${path}": ${why}`, {
    details: { operation: "write", path, errno: "EFTYPE" },
    next: `Have it run: ${shellLine(program)} git-hooks run ${hook} "$@"`,
  });
}

function withoutLines(text: string): string {
  const start = text.indexOf(BEGIN);
  const end = text.indexOf(END, start);
  return start < 0 || end < 0 ? text : text.slice(0, start) + text.slice(end + END.length);
}

/** Reads a file with one character per byte, so no encoding can lose anything. */
function read(path: string): string | undefined {
  const info = sys.lstat(path);
  if (info === undefined) return undefined;
  const bytes = sys.readPart(path, 0, info.size)!.bytes;
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function absolute(path: string, from: string): string {
  const full = path.startsWith("/") ? path : `${from}/${path}`;
  return sys.realPath(full) ?? full;
}
