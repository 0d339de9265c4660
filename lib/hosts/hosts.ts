// The table of coding agents: a file of data for each. Pure.

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

/** A program that runs coding agents, as the command line names it. */
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

/** In their shown order. */
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

/** Every program that runs coding agents. */
export const HOST_NAMES: readonly HostName[] = Object.keys(HOSTS) as HostName[];

/** Whether a text names a host. */
export function isHost(name: string): name is HostName {
  return Object.hasOwn(HOSTS, name);
}

/** The host of a program; undefined for any other program. */
export function hostOfProgram(program: string): HostName | undefined {
  return HOST_NAMES.find((name) => {
    const { programs, acp } = HOSTS[name];
    return programs.includes(program) || acp?.command[0] === program;
  });
}

/** The hosts that answer by a preset. */
export const PRESET_NAMES: readonly HostName[] = HOST_NAMES.filter((name) => HOSTS[name].preset);
