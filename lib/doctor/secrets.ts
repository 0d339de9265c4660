// Finds secrets in state that older versions wrote without redaction. Issues, workflows and other files of people and
// git are not changed; secrets in them are redacted when they are shown.

import { hasCode } from "../base/errors.ts";
import { copyPathOf } from "../lock/copy.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { redactValue } from "../redact/redact.ts";
import { sys } from "../sys/mod.ts";
import { type Finding, fixed, ok, warn } from "./finding.ts";

export interface ExamineSecretsOptions {
  home: string;
  locks: FileLockManager;
  isFixing: boolean;
}

/** Returns a finding for each file with secrets, or one finding that there are none. */
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
        sys.removeFile(copyPathOf(file.path));
        findings.push(fixed(check, `removed the secrets from "${file.path}"`));
      } else {
        const next =
          "They are never shown; remove them from the file too with: agentx doctor --fix";
        findings.push(warn(check, `"${file.path}" holds secrets or private parts`, next));
      }
    }
  }
  return findings.length > 0 ? findings : [ok(check, "the state contains none")];
}

/** Whether a file contains secrets. Returns false for an unreadable file, because another check reports that. */
function holdsSecrets(file: JsonFile<unknown>): boolean {
  try {
    const value = file.read() ?? null;
    return JSON.stringify(redactValue(value)) !== JSON.stringify(value);
  } catch (error) {
    if (hasCode(error, "CORRUPT_STATE") || hasCode(error, "IO_ERROR")) return false;
    throw error;
  }
}
