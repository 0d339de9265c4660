/**
 * Asks Codex itself which hooks it would run: one that its user has not trusted is skipped in silence,
 * and trust is by content, so that each change of a line asks again.
 *
 * @module
 */

import { isObject, type JsonObject, listOf, objectOf, tryParseJson } from "../../checks.ts";
import { sys } from "../../sys/mod.ts";
import type { Installation, Problem } from "./installation.ts";
import { HOSTS } from "./hosts.ts";
import { findProgram, isHookLine } from "./how_called.ts";

/** It answers within a fifth of a second; a busy machine takes longer. */
const TIMEOUT_MS = 15_000;

const MAX_OUTPUT_BYTES = 4 * 2 ** 20;

/** The server ends with its input, so that is held open until the answer is there, for at most ten seconds. */
const SCRIPT = `
{ cat
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
    grep -q '"id":2' "$2" && break
    sleep 0.4
    echo # fails once the server is gone
  done
} | "$1" app-server >"$2" 2>/dev/null
cat "$2"
`;

/** @returns the hooks of ours that it does not run */
export async function checkCodexHooks(
  own: readonly Installation[],
  from: string,
): Promise<Problem[]> {
  const program = HOSTS.codex.programs.map(findProgram).find((path) => path !== undefined);
  if (program === undefined) return [];
  const listed = await listHooks(program, from);
  if (listed === undefined) {
    return [{
      level: "warn",
      problem: "unknown",
      message: "codex app-server did not say which hooks it trusts",
      next: "Start codex and enter /hooks to see it",
    }];
  }
  return own.flatMap(({ files }) =>
    [...files].flatMap(([path, found]) => {
      const ours = found.filter(({ at }) => at[0] === "hooks");
      const known = listed.filter(({ sourcePath, command }) =>
        sourcePath === (sys.realPath(path) ?? path) &&
        ours.some(({ at, value }) =>
          value.command === command && isHookLine(command, "codex", String(at.at(-1)))
        )
      );
      return ours.length === 0 ? [] : problemsOf(path, { expected: ours.length, known });
    })
  );
}

function problemsOf(
  path: string,
  { expected, known }: { expected: number; known: readonly JsonObject[] },
): Problem[] {
  const problems: Problem[] = [];
  const untrusted = known.filter(({ trustStatus }) =>
    trustStatus === "untrusted" || trustStatus === "modified"
  );
  if (untrusted.length > 0) {
    problems.push({
      level: "fail",
      problem: "untrusted",
      message:
        `Codex skips ${untrusted.length} of the hooks in "${path}": you have not trusted them`,
      next: "Start codex, enter /hooks, and trust those of agentx",
    });
  }
  const reached = known.filter(({ enabled }) => enabled !== false).length;
  if (reached < expected) {
    problems.push({
      level: "fail",
      problem: "not-reached",
      message: `Codex does not run ${expected - reached} of the hooks in "${path}"`,
      next: "Start codex here: trust the folder if it asks, and enter /hooks",
    });
  }
  return problems;
}

/** What it says of each hook; undefined where it gives no answer. */
async function listHooks(program: string, cwd: string): Promise<JsonObject[] | undefined> {
  const messages = [
    { id: 1, method: "initialize", params: { clientInfo: { name: "agentx", version: "1" } } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [cwd] } },
  ];
  const folder = sys.makeTempDir("agentx-codex-");
  try {
    const { stdout } = await sys.run(["sh", "-c", SCRIPT, "sh", program, `${folder}/answers`], {
      cwd,
      env: Object.fromEntries(sys.envEntries()),
      stdin: messages.map((message) => `${JSON.stringify(message)}\n`).join(""),
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    const lines = stdout.split("\n").map((line) => objectOf(tryParseJson(line)));
    const { data } = objectOf(lines.find(({ id }) => id === 2)?.result);
    if (!Array.isArray(data)) return undefined;
    return data.filter(isObject).flatMap(({ hooks }) => listOf(hooks)).filter(isObject);
  } finally {
    sys.removeFolder(folder);
  }
}
