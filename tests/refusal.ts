/**
 * What must be refused.
 *
 * @module
 */

import { AgentxError, type ErrorCode, hasCode } from "../lib/base/errors.ts";

/**
 * @param code what it must be refused with
 * @param action runs, or rejects, or throws
 * @returns the error, for a look at its details
 */
export async function refusal<Code extends ErrorCode>(
  code: Code,
  action: () => unknown,
): Promise<AgentxError<Code>> {
  let error: unknown;
  try {
    await action();
  } catch (thrown) {
    error = thrown;
  }
  if (hasCode(error, code)) return error;
  const found = error instanceof AgentxError ? error.code : String(error);
  throw new Error(`Expected a refusal with ${code}, got ${found}`, { cause: error });
}
