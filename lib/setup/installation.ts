// Reads the set-up of a host for a user or in a repository, once for all checks.

import { AgentxError } from "../base/errors.ts";
import { hostFileText, readHostFile } from "./host_file.ts";
import type { HostName } from "../hosts/hosts.ts";
import type { Found } from "./part.ts";
import { partsOf, type Scope } from "./setup.ts";

/** The set-up of a host for a user or in a repository. */
export interface Installation {
  host: HostName;
  scope: Scope;
  /** The entries of agentx, by the path of their file. */
  files: Map<string, Found[]>;
}

/** Reads the entries of agentx; an unreadable file counts as having none. */
export function readInstallation(host: HostName, scope: Scope): Installation {
  const files = new Map(
    partsOf(host, scope).map((part): [string, Found[]] => {
      try {
        return [part.path, part.found(hostFileText(readHostFile(part.path, scope.folders)))];
      } catch (error) {
        if (error instanceof AgentxError) return [part.path, []];
        throw error;
      }
    }),
  );
  return { host, scope, files };
}

/** Returns the command that makes this set-up. */
export function commandFor({ host, scope }: Installation): string {
  return `agentx setup ${host}${scope.place.repository === undefined ? "" : " --project"}`;
}
