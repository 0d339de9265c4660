// A host as it is set up for a user or in a repository, read once for all checks.

import { AgentxError } from "../base/errors.ts";
import { hostFileText, readHostFile } from "./host_file.ts";
import type { HostName } from "../hosts/hosts.ts";
import type { Found } from "./part.ts";
import { partsOf, type Scope } from "./setup.ts";

/** A host, as it is set up for a user or in a repository. */
export interface Installation {
  host: HostName;
  scope: Scope;
  /** The entries of agentx, by the path of their file. */
  files: Map<string, Found[]>;
}

/** Reads the entries of agentx there; a file that cannot be read counts as having none. */
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

/** The command that sets it up there. */
export function commandFor({ host, scope }: Installation): string {
  return `agentx setup ${host}${scope.place.repository === undefined ? "" : " --project"}`;
}
