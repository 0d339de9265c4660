/**
 * How far the last entries of threads got, by what the hooks of sessions have noted.
 *
 * @module
 */

import type { ClarificationRecord } from "../clarify/schema.ts";
import type { DeliveryReport } from "../hosts/hook/delivery.ts";
import type { WorkspaceState } from "./state.ts";

/**
 * @param clarifications whose threads are shown
 * @param state of the workspace
 * @returns one report for each that has something to read; none where no host calls hooks: nothing is
 *   delivered there
 */
export async function deliveriesOf(
  clarifications: readonly ClarificationRecord[],
  { root, locks }: Pick<WorkspaceState, "root" | "locks">,
): Promise<DeliveryReport[]> {
  const [{ deliveryOf }, { SessionFiles }] = await Promise.all([
    import("../hosts/hook/delivery.ts"),
    import("../hosts/hook/session_files.ts"),
  ]);
  const sessions = new SessionFiles(`${root}/.agentx`, () => locks).readAll();
  if (sessions.length === 0) return [];
  return clarifications.flatMap((record) => deliveryOf(record, sessions) ?? []);
}
