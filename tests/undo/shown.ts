/**
 * What the commands say of all that an undo reaches, without times: what has to be the same again.
 *
 * @module
 */

// deno-lint-ignore-file no-explicit-any -- whatever commands print

import type { TempWorkspace } from "../temp_workspace.ts";

/** Lists what an engineer noted. */
export const NOTES: readonly string[] = [
  ...["memory", "search", "--agent", "engineer", "--limit", "500"],
];

const COMMANDS: readonly (readonly string[])[] = [
  ["issue", "list", "--all", "--limit", "500"],
  ["issue", "tree"],
  ["clarify", "--limit", "500"],
  ["inbox"],
  ["assumptions"],
  NOTES,
  ["memory", "search", "cards", "--limit", "500"],
  ["status"],
  ["ready", "--limit", "500"],
];

/** A lease that an undo brings back has ended: what was claimed is ready. */
function withoutLeases(command: string, value: any): unknown {
  if (command === "status") {
    // Whoever holds a lease is known to run, and comes first.
    const all = [...value.running, ...value.lastSeen];
    const running = all.map(({ hasEvidence: _, ...row }: any) => row)
      .sort((a: any, b: any) => `${a.agent} ${a.issue}` < `${b.agent} ${b.issue}` ? -1 : 1);
    const more = { ...value.more, running: value.more.running + value.more.lastSeen, lastSeen: 0 };
    return { ...value, running, lastSeen: [], ready: null, more: { ...more, ready: null } };
  }
  if (command !== "ready") return value;
  const all: any[] = [
    ...value.issues.map((issue: any) => ({ issue, reasons: [] })),
    ...value.waiting,
  ];
  return all.map(({ number, issue, reasons }) => ({
    number: number ?? issue.number,
    issue,
    reasons: reasons.filter(({ kind }: any) => kind !== "lease"),
  })).sort((a, b) => a.number - b.number);
}

function withoutTimes(value: any): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value === "string") {
    return value.replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::[\d.]+Z)?/g, "TIME");
  }
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, it]) => !(TIMES.has(key) || it === null))
      .map(([key, it]) => [key, withoutTimes(it)]),
  );
}

const TIMES = new Set([
  ...["nowMs", "created", "updated", "claimed", "leaseUntil", "reopened", "since", "lastSeen"],
  ...["linkedUids", "uid"],
]);

/** By command, what it says. */
export async function shown(
  temp: TempWorkspace,
  more: readonly (readonly string[])[] = [],
): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const words of [...COMMANDS, ...more]) {
    const { code, out } = await temp.run([...words, "--json"]);
    all[words.join(" ")] = code === 0
      ? withoutTimes(withoutLeases(words[0], JSON.parse(out)))
      : code;
  }
  return all;
}
