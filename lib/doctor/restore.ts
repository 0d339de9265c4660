// Restores damaged state from the copies beside it.

import { isObject, tryParseJson } from "../base/checks.ts";
import { copyPathOf, restoreCopy } from "../lock/copy.ts";
import type { FileLockManager } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import { isoTime } from "../base/time.ts";
import { type Finding, fixed } from "./finding.ts";

const ID = /\b(?:CLR-\d+|ASK|ASM)-\d{3,}\b/g;

/** Restores damaged files; reports them, and the ids that only the damaged file contains. */
export async function restoreDamaged(folder: string, locks: FileLockManager): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const part of [folder, `${folder}/clarifications`]) {
    const names = sys.readDir(part);
    for (const name of names.filter((name) => names.includes(copyPathOf(name)))) {
      const path = `${part}/${name}`;
      if (isObject(tryParseJson(sys.readTextFile(path) ?? "{}"))) continue;
      const restored = await restoreCopy(path, "doctor", locks);
      if (restored === undefined) continue;
      const { damaged, copy, copiedMs } = restored;
      const known = new Set(copy.match(ID));
      const missing = new Set((damaged.match(ID) ?? []).filter((id) => !known.has(id)));
      const lost = missing.size === 0
        ? "it has all that the damaged file names"
        : `missing, written otherwise since: ${[...missing].join(", ")}`;
      findings.push(fixed(
        part === folder ? "files" : "ledgers",
        `restored "${path}" as agentx wrote it at ${isoTime(copiedMs)}; ${lost}; ` +
          `the damaged file is "${name}.damaged"`,
      ));
    }
  }
  return findings;
}
