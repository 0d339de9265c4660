/**
 * Targets: a figure with a limit, measured inside `deno bench` and summed up by `main.ts`.
 *
 * A figure is a ratio to a named peer that is measured in the same run, in turns, so that it holds on
 * a machine whose speed drifts.
 *
 * @module
 */

/** One target. */
export interface Target {
  /** What is measured, against what, with or without fsync. */
  name: string;
  /** The limit. */
  limit: { atMost: number } | { atLeast: number };
  /** Measures the figure. */
  measure: () => number | Promise<number>;
}

/** A measured target, as it goes to `main.ts`: one line of JSON in the file of this variable. */
export interface Figure {
  name: string;
  figure: number;
  limit: Target["limit"];
}

/** Names the file that collects the figures. */
export const REPORT_VARIABLE = "AGENTX_BENCH_REPORT";

/**
 * Registers a target as a benchmark of its own, which runs once.
 *
 * @param target what to measure
 */
export function target({ name, limit, measure }: Target): void {
  let figure: Promise<number> | undefined; // deno bench calls a benchmark several times
  Deno.bench({
    name,
    group: "targets",
    n: 1,
    warmup: 0,
    async fn() {
      figure ??= (async () => await measure())().then((figure) => {
        const path = Deno.env.get(REPORT_VARIABLE);
        const line: Figure = { name, figure, limit };
        if (path) Deno.writeTextFileSync(path, JSON.stringify(line) + "\n", { append: true });
        return figure;
      });
      await figure;
    },
  });
}

/** Something to time: it does its work `times` times. */
export type Work = (times: number) => unknown;

/** Options of {@linkcode ratio}. */
export interface RatioOptions {
  /** How often each does its work in a round. */
  times: number;
  /** How many rounds; the median counts. */
  rounds: number;
}

/**
 * @param ours the work that is measured
 * @param peer the work it is compared with
 * @param options how often
 * @returns the median over the rounds of our time divided by the peer's, both measured in turns
 */
export async function ratio(ours: Work, peer: Work, options: RatioOptions): Promise<number> {
  const { times, rounds } = options;
  const timeOf = async (work: Work) => {
    const startMs = performance.now();
    await work(times);
    return performance.now() - startMs;
  };
  await ours(times);
  await peer(times);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ratios.push(await timeOf(ours) / await timeOf(peer));
  }
  return median(ratios);
}

/** @returns the middle one of some numbers */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** @returns a fresh folder on the disk that the system keeps temporary files on */
export function freshFolder(): string {
  return Deno.makeTempDirSync({ prefix: "agentx-bench-" });
}
