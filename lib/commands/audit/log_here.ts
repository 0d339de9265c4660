import { AuditLog } from "../../guard/audit.ts";
import { GuardRequests } from "../../guard/requests.ts";
import { originOf } from "../../workspace/state_origin.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

export function logOf({ root, records }: WorkspaceState): AuditLog {
  return new AuditLog(`${root}/.agentx`, records().locks);
}

/** Opens the commands that wait for a person. */
export function requestsOf({ root, records }: WorkspaceState): GuardRequests {
  return new GuardRequests(`${root}/.agentx`, records().locks, originOf(root));
}
