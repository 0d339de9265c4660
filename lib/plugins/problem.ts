// A problem of a package.

/** A problem of a package, in one place. */
export interface PluginProblem {
  /** An `error` keeps it from being installed; hosts pass over a `warning`, and `--dry-run` does not. */
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
