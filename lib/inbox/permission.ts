// Sessions that wait until their human permits something in their own terminal: noted when the host tells
// it, and forgotten at the next event of the session, whatever it is, or once its host is gone. To refuse is no
// event of any host, but its recording goes on.

import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { hostProcess, isHostRunning } from "../who/host_process.ts";
import type { HookCall } from "../hooks/hook_call.ts";
import type { Identity } from "../hooks/identity.ts";
import type { Permission, SessionFile, SessionFiles } from "../hooks/session_files.ts";

/** A longer text helps nobody. */
const MAX_WHAT = 2_000;

/** A recording may show the work before a question this much later. */
const RECORDING_MS = 1_500;

/** A session that waits for its human. */
export type WaitingSession = SessionFile & { session: string; permission: Permission };

/** Notes that a session waits for something, or goes on. Throws `LOCK_TIMEOUT`, `IO_ERROR`. */
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

/** The sessions that wait, as far as they can be read. */
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
