// Targets: a figure with a limit, measured and summed up by `main.ts`.
//
// A figure is a ratio to a named peer that is measured in the same run, in turns, so that it holds on
// a machine whose speed drifts.

/** One target. */
export interface Target {
  /** What is measured, against what, with or without fsync. */
  name: string;
  /** The limit. */
  limit: { atMost: number } | { atLeast: number };
  /** Measures the figure. */
  measure: () => number | Promise<number>;
}

/** All targets of the bench files that were loaded, in their order. */
export const TARGETS: Target[] = [];

/** Registers a target, for `main.ts` to measure. */
export function target(target: Target): void {
  TARGETS.push(target);
}

/** Makes a text that tells more than figures with a limit: printed by `main.ts` above the targets. */
export type Report = () => string | Promise<string>;

/** All reports of the bench files that were loaded, in their order. */
export const REPORTS: Report[] = [];

/** Registers a report, for `main.ts` to print. */
export function report(report: Report): void {
  REPORTS.push(report);
}

/** Something to time: it does its work `times` times. */
export type Work = (times: number) => unknown;

export interface RatioOptions {
  /** How often each does its work in a round. */
  times: number;
  /** How many rounds; the median counts. */
  rounds: number;
  /** Puts back what the last round changed; it is not timed. */
  prepare?: () => unknown;
}

/** The median over the rounds of our time divided by the peer's, both measured in turns. */
export async function ratio(ours: Work, peer: Work, options: RatioOptions): Promise<number> {
  const { times, rounds, prepare = () => {} } = options;
  const timeOf = async (work: Work) => {
    const startMs = performance.now();
    await work(times);
    return performance.now() - startMs;
  };
  await ours(times);
  await peer(times);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await prepare();
    ratios.push(await timeOf(ours) / await timeOf(peer));
  }
  return median(ratios);
}

/** The middle one of some numbers. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/**
 * Makes a folder to measure in. What does not wait for the disk is measured in memory, where there is
 * such a file system: it is our work that counts then, and not what else the disk has to do.
 */
export function freshFolder(where: "disk" | "memory"): string {
  const dir = where === "memory" && hasMemoryDisk() ? MEMORY_DISK : undefined;
  return Deno.makeTempDirSync({ prefix: "agentx-bench-", dir });
}

const MEMORY_DISK = "/dev/shm";

function hasMemoryDisk(): boolean {
  try {
    return Deno.statSync(MEMORY_DISK).isDirectory;
  } catch {
    return false; // macOS: everything is measured on the disk
  }
}
