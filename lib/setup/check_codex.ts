// Asks Codex which hooks it would run, because it skips a hook that its user has not trusted, without an error. Trust
// depends on the content, so the user must trust a changed line again.

import { isObject, type JsonObject, listOf, objectOf, tryParseJson } from "../base/checks.ts";
import { sys } from "../sys/mod.ts";
import { fail, type Finding, warn } from "../doctor/finding.ts";
import type { Installation } from "./installation.ts";
import { isHookLine } from "./how_called.ts";
import { findProgram } from "../sys/find_program.ts";

/** Codex usually answers within a fifth of a second. */
const TIMEOUT_MS = 15_000;

const MAX_OUTPUT_BYTES = 4 * 2 ** 20;

/**
 * Keeps the input of the server open until the answer is there, for ten seconds at most, because the server ends when
 * its input ends.
 */
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

/** Returns a problem for each hook of agentx that Codex does not run. */
export async function checkCodexHooks(
  own: readonly Installation[],
  from: string,
): Promise<Finding[]> {
  const program = findProgram("codex");
  const listed = program === undefined ? undefined : await listHooks(program, from);
  if (listed === undefined) {
    const why = program === undefined
      ? "codex is not on your PATH"
      : "codex app-server gave no answer";
    const message = `Cannot tell which hooks Codex trusts: ${why}`;
    return [warn("unknown", message, "Start codex and enter /hooks to see them")];
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
): Finding[] {
  const problems: Finding[] = [];
  const untrusted = known.filter(({ trustStatus }) =>
    trustStatus === "untrusted" || trustStatus === "modified"
  );
  if (untrusted.length > 0) {
    problems.push(fail(
      "untrusted",
      `Codex skips ${untrusted.length} of the hooks in "${path}": you have not trusted them`,
      "Start codex, enter /hooks, and trust those of agentx",
    ));
  }
  const reached = known.filter(({ enabled }) => enabled !== false).length;
  if (reached < expected) {
    problems.push(fail(
      "not-reached",
      `Codex does not run ${expected - reached} of the hooks in "${path}"`,
      "Start codex here: trust the folder if it asks, and enter /hooks",
    ));
  }
  return problems;
}

/** Returns the hooks that Codex knows; undefined if it does not answer. */
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
