/**
 * Secrets in the state, from before they were cut when it is written. Issues, workflows and whatever
 * else people and git write stay as they are: those are cut where they are shown.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { redactValue } from "../redact/redact.ts";
import { sys } from "../sys/mod.ts";
import { type Finding, ok, warn } from "./finding.ts";

/** Options of {@linkcode examineSecrets}. */
export interface ExamineSecretsOptions {
  /** The folder `.agentx`. */
  home: string;
  /** The locks of this process. */
  locks: FileLockManager;
  /** Whether to cut what is found. */
  isFixing: boolean;
}

/**
 * @param options where the state is, and whether to cut
 * @returns a finding for each file with secrets, or one that there are none
 */
export async function examineSecrets(options: ExamineSecretsOptions): Promise<Finding[]> {
  const { home, locks, isFixing } = options;
  const check = "secrets";
  const findings: Finding[] = [];
  for (const folder of [`${home}/state`, `${home}/state/clarifications`]) {
    for (const name of sys.readDir(folder).filter((name) => name.endsWith(".json"))) {
      const file = new JsonFile<unknown>(`${folder}/${name}`, locks);
      if (!holdsSecrets(file)) continue;
      if (isFixing) {
        await file.update("doctor", redactValue);
        findings.push(ok(check, `removed the secrets from "${file.path}"`, { isFixed: true }));
      } else {
        const next =
          "They are never shown; remove them from the file too with: agentx doctor --fix";
        findings.push(warn(check, `"${file.path}" holds secrets or private parts`, next));
      }
    }
  }
  return findings.length > 0 ? findings : [ok(check, "the state contains none")];
}

/** A file that cannot be read is named by another check. */
function holdsSecrets(file: JsonFile<unknown>): boolean {
  try {
    const value = file.read() ?? null;
    return JSON.stringify(redactValue(value)) !== JSON.stringify(value);
  } catch (error) {
    if (hasCode(error, "CORRUPT_STATE") || hasCode(error, "IO_ERROR")) return false;
    throw error;
  }
}
