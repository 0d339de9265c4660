// The table of coding agents; each has a file with its data. Pure.

import { claude } from "./claude.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import type { Host } from "./host.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";
import { vscode } from "./vscode.ts";

/** The name of a host, which is a program that runs coding agents, on the command line. */
export type HostName =
  | "claude"
  | "codex"
  | "copilot"
  | "gemini"
  | "opencode"
  | "qwen"
  | "pi"
  | "cline"
  | "vscode"
  | "cursor";

/** All hosts, in the order that lists show. */
export const HOSTS: Readonly<Record<HostName, Host>> = {
  claude,
  codex,
  copilot,
  gemini,
  opencode,
  qwen,
  pi,
  cline,
  vscode,
  cursor,
};

/** The names of all hosts. */
export const HOST_NAMES: readonly HostName[] = Object.keys(HOSTS) as HostName[];

/** Whether a text is the name of a host. */
export function isHost(name: string): name is HostName {
  return Object.hasOwn(HOSTS, name);
}

/** Returns the host that a program belongs to; undefined for any other program. */
export function hostOfProgram(program: string): HostName | undefined {
  return HOST_NAMES.find((name) => {
    const { programs, acp } = HOSTS[name];
    return programs.includes(program) || acp?.command[0] === program;
  });
}

/** The hosts that have a preset. */
export const PRESET_NAMES: readonly HostName[] = HOST_NAMES.filter((name) => HOSTS[name].preset);
