// By which calls of a tool an issue was changed, so that a call that was cut off is not made twice. An
// agentic loop makes its calls one after the other: of each session the last one is enough. Pure.

/**
 * Whether a call, such as `engineer-1709035100000-x7y8z9.12`, or a later one of its session
 * changed the issue.
 */
export function hasRun(callIds: readonly string[] = [], callId: string): boolean {
  const { session, number } = parse(callId);
  return callIds.map(parse).some((ran) => ran.session === session && ran.number >= number);
}

/** The calls that changed an issue, with one more. */
export function withRun(callIds: readonly string[] = [], callId: string): string[] {
  const { session } = parse(callId);
  return [...callIds.filter((ran) => parse(ran).session !== session), callId];
}

function parse(callId: string): { session: string; number: number } {
  const end = callId.lastIndexOf(".");
  return { session: callId.slice(0, end), number: Number(callId.slice(end + 1)) };
}
