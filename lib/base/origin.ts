// Whether what lies in a state was written by this user's own processes, for the rooms that act on it. Pure.

/** What distinguishes a record from a forged one with its id: nobody else knows when it was made. */
export interface Made {
  id: string;
  /** ISO-8601, UTC, with milliseconds. */
  created: string;
}

/** Where the files of a state come from, as `workspace/state_origin.ts` knows. */
export interface Origin {
  /**
   * Looks at the state: returns a test, as things are now, whether a file, or a record in it, came
   * from elsewhere. Such a record is shown, and never run, applied or recalled as true.
   */
  now(): (path: string, record?: Made) => boolean;
  /** Whether git tracks a file, which a pull may replace: nothing is added to it. */
  isTracked(path: string): boolean;
  /** Notes what was asked here, which counts wherever it is written. */
  noteOwn(made: Made): void;
}

/** The origin of what no repository could bring. */
export const OWN: Origin = {
  now: () => () => false,
  isTracked: () => false,
  noteOwn: () => {},
};
