// `agentx scan`: finds secrets in files, or in the staged changes.

import { defineCommand } from "../cli/command.ts";
import { flag, optional, word } from "../cli/spec.ts";
import { AgentxError, EXIT_CODES } from "../base/errors.ts";
import {
  accept as acceptFindings,
  notAccepted,
  sarifOf,
  type ScanFinding,
  scanPath,
  scanStaged,
} from "../guard/scan.ts";
import { sys } from "../sys/mod.ts";
import { terminalLine } from "../text/text.ts";
import { findWorkspace } from "../workspace/find.ts";
import { placeHere } from "../workspace/guard_place.ts";

/** Finds secrets that should not be committed. */
export const command = defineCommand({
  kind: "scan",
  examples: ["agentx scan", "agentx scan src --sarif", "agentx scan --staged"],
  input: {
    staged: flag("Only what the next commit adds"),
    accept: flag("Accept the findings: they are not reported again"),
    sarif: flag("Print SARIF, which code hosts read"),
    path: optional(word, "A file or a folder; by default the whole tree"),
  },
  positional: ["path"],
  conflicts: { staged: ["path"] },
  async run({ root }, { staged, accept, sarif, path }) {
    const { place, workspace } = placeHere(root);
    const base = place.root;
    const full = path === undefined ? base : path.startsWith("/") ? path : `${place.cwd}/${path}`;
    if (!staged && sys.lstat(full) === undefined) {
      throw new AgentxError("NOT_FOUND", `Cannot scan "${full}": it does not exist`, {
        details: { kind: "file", id: full },
        next: "Name a file or a folder, or leave it out to scan all: agentx scan",
      });
    }
    const folder = accept ? findWorkspace(base).root : workspace ?? base;
    const found = staged
      ? await scanStaged(base, { place })
      : await scanPath(base, sys.realPath(full) ?? full); // makes `./a` the same as `a`
    const findings = notAccepted(folder, found);
    if (accept) acceptFindings(folder, findings);
    return {
      output: { findings, isAccepted: accept, sarif: sarif ? sarifOf(findings) : null },
      exitCode: findings.length === 0 || accept ? 0 : EXIT_CODES.GATE_REFUSED,
    };
  },
  render: ({ findings, isAccepted, sarif }) =>
    sarif === null ? lines(findings, isAccepted) : JSON.stringify(sarif, null, 2),
});

function lines(findings: readonly ScanFinding[], isAccepted: boolean): string {
  if (findings.length === 0) return "  Nothing found";
  const found = findings.map(({ path, line, kind, rule }) =>
    `  ${terminalLine(path)}:${line}: ${kind} (${rule})`
  );
  return [...found, ...isAccepted ? [`  Accepted: ${findings.length}`] : []].join("\n");
}
