// Tracks sessions that wait until their human permits something in their own terminal. A wait is noted when the host
// reports it. It is over at the next event of the session, of any kind, or once its host is gone. No host sends an
// event for a refusal, but the recording of the session then continues, which also ends the wait.

import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { hostProcess, isHostRunning } from "../who/host_process.ts";
import type { HookCall } from "../hooks/hook_call.ts";
import type { Identity } from "../hooks/identity.ts";
import type { Permission, SessionFile, SessionFiles } from "../hooks/session_files.ts";

/** Maximum length of the text about a permission; more would not help. */
const MAX_WHAT = 2_000;

/** The recording of a session may lag by this time: a change after it means that the session went on. */
const RECORDING_MS = 1_500;

/** A session that waits for its human. */
export type WaitingSession = SessionFile & { session: string; permission: Permission };

/** Notes that a session waits for permission, or goes on. Throws `LOCK_TIMEOUT`, `IO_ERROR`. */
export async function notePermission(
  { session, cwd, transcript, permission }: HookCall,
  { worker, agent, issue }: Identity,
  files: SessionFiles,
): Promise<void> {
  const what = permission && (await withoutSecrets(permission)).slice(0, MAX_WHAT);
  const since = new Date(sys.now()).toISOString();
  await files.update({ session }, (file) => {
    file.cwd = cwd ?? file.cwd ?? null;
    file.transcript = transcript ?? file.transcript ?? null;
    file.permission = what === undefined
      ? null
      : { what, since, worker: worker ?? null, agent, issue, process: hostProcess() ?? null };
  });
}

/** Returns the sessions that wait; unreadable ones are left out. */
export function waitingSessions(files: SessionFiles): WaitingSession[] {
  return files.readAll().filter((file): file is WaitingSession =>
    Boolean(file.permission) && !hasGoneOn(file.transcript, file.permission!) &&
    (!file.permission!.process || isHostRunning(file.permission!.process) !== false)
  );
}

function hasGoneOn(transcript: SessionFile["transcript"], { since }: Permission): boolean {
  const recordedMs = transcript ? sys.lstat(transcript)?.modifiedMs ?? 0 : 0;
  return recordedMs > Date.parse(since) + RECORDING_MS;
}
