export function parseArgs(
  args: readonly string[],
  options?: {
    boolean?: readonly string[];
    string?: readonly string[];
    collect?: readonly string[];
  },
): Record<string, unknown> & { _: string[] };
