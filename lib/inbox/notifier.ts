// Notifies the human of entries that have waited for a while, by a command that the human configured. Only processes
// that wait anyway do this: `ask-user`, the MCP server and `serve`. The first process that sees an entry notifies of
// it, once.
//
// The command comes only from the user's own configuration; a repository cannot set it (`settings.ts`).

import { environmentOf } from "../agents/environment.ts";
import { isObject } from "../base/checks.ts";
import type { Config } from "../config/config.ts";
import { AgentxError } from "../base/errors.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { redactValue } from "../redact/redact.ts";
import { sys } from "../sys/mod.ts";
import { terminalLine } from "../text/text.ts";
import { isoTime } from "../base/time.ts";
import type { Workspace } from "../workspace/open.ts";
import type { InboxEntry } from "./entry.ts";
import { readInbox } from "./inbox.ts";

interface NotifiedFile {
  version: 1;
  /** The time when the human was notified, by the id of the entry. */
  notified: Record<string, string>;
}

const TIMEOUT_MS = 30_000;

const MAX_OUTPUT_BYTES = 100_000;

const POLL_MS = 1_000;

/** Maximum length of the text in `$AGENTX_NOTICE`, in columns. */
const MAX_NOTICE = 200;

/** Maximum number of ids to remember. */
const MAX_NOTIFIED = 1_000;

/**
 * Notifies of entries in the inbox while another wait goes on. Throws the error of that wait. A failure to notify is
 * reported, and does not end the wait.
 */
export async function whileNotifying<Value>(
  workspace: Workspace,
  wait: () => Promise<Value>,
): Promise<Value> {
  if (workspace.config.inbox.notify.length === 0) return await wait();
  const over = new AbortController();
  const looking = lookUntil(over.signal, workspace);
  try {
    return await wait();
  } finally {
    over.abort();
    await looking;
  }
}

async function lookUntil(signal: AbortSignal, workspace: Workspace): Promise<void> {
  let reported = "";
  while (!signal.aborted) {
    try {
      await notifyOverdue(workspace);
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      if (error.oneLine !== reported) {
        workspace.notify(`The human was not notified: ${error.oneLine}`);
      }
      reported = error.oneLine;
    }
    await sys.wait(POLL_MS, signal).catch(() => {});
  }
}

/**
 * Notifies once of each entry that has waited for `inbox.notifyAfterSeconds`. Throws the errors of {@linkcode
 * readInbox}.
 */
export async function notifyOverdue(workspace: Workspace): Promise<void> {
  const { config: { inbox }, root, locks } = workspace;
  if (inbox.notify.length === 0) return;
  const { entries } = await readInbox(workspace);
  const before = sys.now() - inbox.notifyAfterSeconds * 1_000;
  const overdue = entries.filter(({ created }) => Date.parse(created) <= before);
  const file = notifiedFile(`${root}/.agentx/state/inbox-notified.json`, locks);
  const known = file.read()?.notified ?? {};
  if (overdue.every(({ id }) => Object.hasOwn(known, id))) return;
  const fresh = await file.updateReturning("inbox", (now = { version: 1, notified: {} }) => {
    const fresh = overdue.filter(({ id }) => !Object.hasOwn(now.notified, id));
    const at = isoTime(sys.now());
    const all = [...Object.entries(now.notified), ...fresh.map(({ id }) => [id, at] as const)];
    const notified = Object.fromEntries(all.slice(-MAX_NOTIFIED));
    return { value: { ...now, notified }, result: fresh };
  });
  for (const entry of fresh) await run(inbox, redactValue(entry), workspace);
}

export function notifiedFile(path: string, locks: FileLockManager): JsonFile<NotifiedFile> {
  return new JsonFile(path, locks, {
    kind: "state",
    fsync: false,
    problemWith: (value) =>
      isObject(value) && value.version === 1 && isObject(value.notified)
        ? undefined
        : "it must say version 1 and what was notified",
  });
}

async function run(
  { notify: argv }: Config["inbox"],
  entry: Pick<InboxEntry, "id" | "topic">,
  { root, notify }: Workspace,
): Promise<void> {
  const { outcome, exitCode } = await sys.run(argv, {
    cwd: root,
    env: environmentOf(sys.envEntries(), {
      command: argv,
      passEnv: ["DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"],
      env: { AGENTX_NOTICE: terminalLine(`${entry.id}: ${entry.topic}`, MAX_NOTICE) },
    }),
    stdin: JSON.stringify(entry),
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  if (outcome === "exited" && exitCode === 0) return;
  const how = outcome === "exited" ? `exit code ${exitCode}` : outcome;
  notify(`inbox.notify failed (${how}): ${argv.join(" ")}`);
}
