// Problems of a package.

/** A problem in one file of a package. */
export interface PluginProblem {
  /** An `error` prevents the installation. A `warning` does not: hosts ignore it, but `--dry-run` shows it. */
  level: "error" | "warning";
  /** The file, from the top of the package. */
  path: string;
  /** One sentence without a final period. */
  why: string;
}

export function problem(
  level: PluginProblem["level"],
  path: string,
  why: string,
): PluginProblem {
  return { level, path, why };
}
