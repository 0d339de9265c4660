import { AuditLog } from "../../guard/audit.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

export function logOf({ root, records }: WorkspaceState): AuditLog {
  return new AuditLog(`${root}/.agentx`, records().locks);
}
