/**
 * What was set up, and what keeps it from working, as people read it. Pure.
 *
 * @module
 */

import { renderFinding } from "../../doctor/render.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { Action } from "./change.ts";

/** What `agentx setup` gives. */
export interface SetupOutput {
  /** Whose files: one user's, or those of a repository. */
  scope: "user" | "project";
  /** Whether nothing was written. */
  dryRun: boolean;
  /** The hosts of this machine, and those that are set up. */
  found: { host: string; isInstalled: boolean; isSetUp: boolean }[];
  /** What became of each host that was named. */
  hosts: HostReport[];
  /** What keeps it from working; null where nobody asked. */
  findings: HostFinding[] | null;
}

/** What became of one host. */
export interface HostReport {
  host: string;
  files: { path: string; action: Action }[];
  /** Why nothing was done; null where it was. */
  error: { code: string; message: string } | null;
}

/** Something that keeps the toolkit from working in a host, often in silence. */
export interface HostFinding {
  host: string;
  level: "ok" | "warn" | "fail";
  /** What kind it is of, for programs. */
  problem: string;
  message: string;
  /** What to do about it; null where nothing is. */
  next: string | null;
}

/** Of each action: what was done, and what a dry run says of it. */
const VERBS: Readonly<Record<Action, [done: string, planned: string]>> = {
  create: ["created", "would create"],
  update: ["updated", "would update"],
  remove: ["removed", "would remove"],
  restore: ["restored", "would restore"],
  keep: ["kept", "would keep"],
  "keep-edited": ["kept: it was edited", "would keep: it was edited"],
  "keep-shared": ["kept: another agent uses it", "would keep: another agent uses it"],
};

/** @returns the files of each host, the findings, or the hosts that there are */
export function renderSetup(output: SetupOutput, view: RenderView): string {
  if (output.findings !== null) return renderHostFindings(output.findings, view);
  if (output.hosts.length === 0) return renderFound(output, view);
  const lines = output.hosts.flatMap((report) => renderHost(report, output, view));
  const isShared = output.scope === "project" && !output.dryRun;
  const end = output.dryRun
    ? ["", "  Nothing was written."]
    : isShared
    ? ["", "  Commit these files: they hold for all who work on this repository."]
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
  const nothing = style.dim("    has nothing of agentx");
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
    "  Set one up, or all:  agentx setup NAME",
    "  Look for problems:   agentx setup --check",
  ];
  return [...rows, ...next.map((line) => style.dim(line))].join("\n");
}

function renderHostFindings(findings: readonly HostFinding[], view: RenderView): string {
  if (findings.length === 0) return "  No coding agent is set up: agentx setup NAME";
  return findings.map((finding) => renderFinding(finding.host, finding, view)).join("\n");
}
