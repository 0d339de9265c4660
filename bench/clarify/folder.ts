// The files that the processes of a run share, besides those of the systems that are compared.

import type { Case } from "./cases.ts";

/** What carries questions: the hub of agentx, or a file for each agent and nothing else. */
export type SystemName = "agentx" | "mailbox";

/** Time before the hub runs an agent again that failed. */
export const RETRY_DELAY_MS = 100;

/** After how long a run is stopped: a short time only for the agent that does nothing else. */
export function timeoutOf(name: string): number {
  return name === "silent" ? 1_000 : 60_000;
}

/** The program of an agent: a process of its own, the same for both systems. */
export function agentCommand(name: string, folder: string, system: SystemName): string[] {
  const script = new URL("./agent.ts", import.meta.url).pathname;
  return [Deno.execPath(), "run", "-A", "--quiet", "--no-config", script, name, folder, system];
}

/** Writes the cases for all processes. */
export function writeCases(folder: string, cases: readonly Case[]): void {
  Deno.writeTextFileSync(`${folder}/cases.json`, JSON.stringify(cases));
}

export function readCases(folder: string): Case[] {
  return JSON.parse(Deno.readTextFileSync(`${folder}/cases.json`));
}

/** Appends one line at once: any number of processes may do so. */
export function appendLine(path: string, value: unknown): void {
  Deno.writeTextFileSync(path, JSON.stringify(value) + "\n", { append: true, create: true });
}

/** The complete lines of a file, from one on; none where there is no file yet. */
// deno-lint-ignore no-explicit-any -- each caller knows what it appended
export function linesFrom(path: string, first = 0): any[] {
  try {
    const lines = Deno.readTextFileSync(path).split("\n").slice(first, -1);
    return lines.map((line) => JSON.parse(line));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Where every agent notes that it was run: what each turn cost is counted there, not in a ledger. */
export function runsPath(folder: string): string {
  return `${folder}/runs.jsonl`;
}

/** Where the workspace is: beside what is the user's own. */
export function rootOf(folder: string): string {
  return `${folder}/project`;
}

/** Where the messages to an agent are. */
export function mailPath(folder: string, agent: string): string {
  return `${folder}/mail/${agent}.jsonl`;
}

/** A message of the bare mailbox. */
export interface Message {
  from: string;
  text: string;
}
