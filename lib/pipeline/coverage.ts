// Reads test coverage from the report that the tests have just written: lcov or cobertura.

import { sys } from "../sys/mod.ts";
import { readArtifact } from "./artifact.ts";

/** The coverage in a report. */
export interface Coverage {
  /** The share of covered lines, in percent. */
  percent: number;
  /** The path of the report, relative to the checkout. */
  path: string;
}

/** The default for the wanted share of covered lines, in percent. */
export const DEFAULT_COVERAGE = 80;

/** The places of reports; the first new report counts. */
export const REPORTS: readonly string[] = [
  "coverage/lcov.info",
  "lcov.info",
  "coverage.lcov",
  "coverage/cobertura-coverage.xml",
  "coverage/coverage.xml",
  "cobertura.xml",
  "coverage.xml",
];

/** Precision of file times: some file systems record no finer steps. */
const CLOCK_STEP_MS = 2_000;

/**
 * Returns the coverage in the first new report.
 *
 * @param tree the caller's checkout
 * @param since the start of the tests, in milliseconds; an older report does not count
 * @returns undefined if there is no new report
 */
export function coverageIn(tree: string, since: number): Coverage | undefined {
  for (const path of REPORTS) {
    const modifiedMs = sys.lstat(`${tree}/${path}`)?.modifiedMs;
    if (modifiedMs === undefined || modifiedMs < since - CLOCK_STEP_MS) continue;
    const text = readArtifact(tree, path) ?? "";
    const percent = path.endsWith(".xml") ? ofCobertura(text) : ofLcov(text);
    if (percent !== undefined) return { percent, path };
  }
  return undefined;
}

function ofLcov(text: string): number | undefined {
  const sum = (name: string) =>
    Array.from(text.matchAll(new RegExp(`^${name}:(\\d+)`, "gm")))
      .reduce((sum, [, count]) => sum + Number(count), 0);
  return percentOf(sum("LH"), sum("LF"));
}

function ofCobertura(text: string): number | undefined {
  const [head = ""] = /<coverage\s[^>]*>/.exec(text) ?? [];
  const value = (name: string) => Number(new RegExp(`\\s${name}="([\\d.]+)"`).exec(head)?.[1]);
  const counted = percentOf(value("lines-covered"), value("lines-valid"));
  if (counted !== undefined) return counted;
  const rate = value("line-rate");
  return rate <= 1 ? rate * 100 : undefined;
}

function percentOf(covered: number, all: number): number | undefined {
  return all > 0 && covered <= all ? covered / all * 100 : undefined;
}
