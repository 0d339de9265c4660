// Renders the result of setup and its findings. Pure.

import { renderFinding } from "../doctor/render.ts";
import { terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import type { FileAction } from "./change.ts";

export interface SetupOutput {
  scope: "user" | "project";
  isRemoving: boolean;
  dryRun: boolean;
  /** The hosts that are installed or set up. */
  found: { host: string; isInstalled: boolean; isSetUp: boolean }[];
  /** The result for each named host. */
  hosts: HostReport[];
  /** The findings of `--check`; null without that option. */
  findings: HostFinding[] | null;
}

export interface HostReport {
  host: string;
  files: { path: string; action: FileAction }[];
  /** Why nothing was done; null on success. */
  error: { code: string; message: string } | null;
}

/** A finding about a host, such as something that keeps agentx from working in it. */
export interface HostFinding {
  host: string;
  level: "ok" | "warn" | "fail";
  /** The kind of problem, for programs. */
  problem: string;
  message: string;
  /** The next step; null if there is none. */
  next: string | null;
}

const VERBS: Readonly<Record<FileAction, [done: string, planned: string]>> = {
  create: ["created", "would create"],
  update: ["updated", "would update"],
  remove: ["removed", "would remove"],
  restore: ["restored", "would restore"],
  keep: ["kept", "would keep"],
  "keep-edited": ["kept: it was edited", "would keep: it was edited"],
  "keep-shared": ["kept: another agent uses it", "would keep: another agent uses it"],
};

/** Renders the files of each host, the findings, or the list of hosts. */
export function renderSetup(output: SetupOutput, view: RenderView): string {
  if (output.findings !== null) return renderHostFindings(output.findings, view);
  if (output.hosts.length === 0) return renderFound(output, view);
  const lines = output.hosts.flatMap((report) => renderHost(report, output, view));
  const isShared = output.scope === "project" && !output.isRemoving && !output.dryRun;
  const end = output.dryRun
    ? ["", "  Nothing was written."]
    : isShared
    ? ["", "  Commit these files: they are for everyone who works on this repository."]
    : [];
  return [...lines, ...end].join("\n");
}

function renderHost(
  { host, files, error }: HostReport,
  { dryRun }: SetupOutput,
  { style, width }: RenderView,
): string[] {
  if (error !== null) {
    const text = terminalBlock(error.message, { indent: "    ", width });
    return [`  ${style.red(host)}`, ...text];
  }
  const rows = files.map(({ path, action }) => {
    const verb = VERBS[action][dryRun ? 1 : 0].padEnd(dryRun ? 13 : 8);
    return `    ${style.dim(verb)}  ${terminalLine(path)}`;
  });
  const nothing = style.dim("    has no entries of agentx");
  return [`  ${style.bold(host)}`, ...rows.length === 0 ? [nothing] : rows];
}

function renderFound({ found }: SetupOutput, { style }: RenderView): string {
  if (found.length === 0) return "  No coding agent was found on this machine.";
  const rows = found.map(({ host, isInstalled, isSetUp }) => {
    const state = isSetUp ? style.green("set up") : "not set up";
    return `  ${host.padEnd(8)}  ${state}${isInstalled ? "" : ", not found on this machine"}`;
  });
  const next = [
    "",
    "  Set one up:          agentx setup NAME",
    "  Set all up:          agentx setup all",
    "  Look for problems:   agentx setup --check",
  ];
  return [...rows, ...next.map((line) => style.dim(line))].join("\n");
}

function renderHostFindings(findings: readonly HostFinding[], view: RenderView): string {
  if (findings.length === 0) return "  No coding agent is set up: agentx setup NAME";
  return findings.map((finding) => renderFinding(finding.host, finding, view)).join("\n");
}
