/**
 * A host as it is set up in one place, for whoever looks for problems.
 *
 * @module
 */

import { AgentxError } from "../../errors.ts";
import { readHostFile, textOf } from "./host_file.ts";
import type { HostName } from "./host_names.ts";
import { HOSTS } from "./hosts.ts";
import type { Found } from "./part.ts";
import type { HostFinding } from "./render.ts";
import type { Scope } from "./setup.ts";

/** A host, as it is set up for a user or in a repository. */
export interface Installation {
  host: HostName;
  scope: Scope;
  /** What is ours in its files, by the path of the file. */
  files: Map<string, Found[]>;
}

/** What is found in a host. */
export type Problem = Omit<HostFinding, "host">;

/** @returns what is ours there; of a file that cannot be read, nothing */
export function readInstallation(host: HostName, scope: Scope): Installation {
  const files = new Map(
    HOSTS[host].parts(scope.place).map((part): [string, Found[]] => {
      try {
        return [part.path, part.found(textOf(readHostFile(part.path, scope.folders)))];
      } catch (error) {
        if (error instanceof AgentxError) return [part.path, []];
        throw error;
      }
    }),
  );
  return { host, scope, files };
}

/** @returns the words that set it up there */
export function commandFor({ host, scope }: Installation): string {
  return `agentx setup ${host}${scope.place.repository === undefined ? "" : " --project"}`;
}
