// The hooks of git: ours are some lines in the hook that is there, or a hook of our own where there is
// none. Taken out again, each file is byte for byte what it was.

import { AgentxError } from "../base/errors.ts";
import { shellLine, shellWord } from "../base/quote.ts";
import { repositoryAbove } from "../git/repository.ts";
import { gitError, runGit } from "../git/run_git.ts";
import { sys } from "../sys/mod.ts";
import { replaceFile } from "../sys/replace_file.ts";

/** The hooks that check something. */
export const GIT_HOOKS = ["pre-commit", "commit-msg"] as const;

export type GitHook = typeof GIT_HOOKS[number];

const BEGIN = "# agentx: begin";
const END = "# agentx: end\n";

/** All of a hook that was made for our lines. */
const MADE = "#!/bin/sh\n";

const SHEBANG = /^#! ?\S*(?:\/env +)?(?:\S*\/)?(?:ba|da|z|k)?sh\b[^\n]*\n/;

/** Where git looks for hooks in a folder. */
export async function hooksFolder(from: string): Promise<string> {
  const checkout = repositoryAbove(from)?.checkout;
  if (checkout === undefined) throw gitError(from, "install hooks", "it is in no git repository");
  const ask = async (...args: string[]) =>
    absolute(
      (await runGit(checkout, ["rev-parse", ...args], { action: "install hooks" })).trim(),
      checkout,
    );
  const folder = await ask("--git-path", "hooks");
  const common = await ask("--git-common-dir");
  // A folder of the user's serves all of their repositories.
  if ([checkout, common].some((place) => folder.startsWith(`${place}/`))) return folder;
  throw gitError(
    checkout,
    "install hooks",
    `core.hooksPath leads out of the repository, to ${folder}`,
  );
}

/** Puts our lines into the hooks of a folder, or with no program takes them out. */
export function changeHooks(folder: string, program: readonly string[] | undefined): string[] {
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
      replaceFile(path, bytes, sys.lstat(path)?.mode ?? 0o755);
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
  // Where agentx is not installed any more, commits continue.
  const lines = [
    `${BEGIN}${base === undefined ? " made" : ""}`,
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

/** A character a byte: whatever the encoding, nothing of it is lost. */
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

/** What is wrong with a message of a commit; undefined where nothing is. */
export function messageProblem(
  message: string,
  hasIssue: (number: number) => boolean,
): string | undefined {
  const first = message.split("\n").find((line) => !line.startsWith("#")) ?? "";
  if (/^(Merge|Revert|fixup!|squash!|amend!) ?/.test(first)) return undefined;
  const number = /^[a-z]+(?:\([^()]+\))?!?: \S.* \(#(\d{1,9})\)$/.exec(first)?.[1];
  if (number === undefined) return "its first line must read: type: description (#ISSUE)";
  return hasIssue(Number(number)) ? undefined : `there is no issue #${number}`;
}
