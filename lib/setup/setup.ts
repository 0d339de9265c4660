// Sets up hosts and removes the set-up again, with the same steps for each host.

import { userConfigPath } from "../config/user_folders.ts";
import { repositoryFolders } from "../git/repository.ts";
import { resolvedPath } from "../sys/inside.ts";
import { AgentxError, type ErrorCode, orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { readRecordsOnly, type Records, withBackups } from "./backup.ts";
import { type Action, type Change, insertion, kept, withdrawal } from "./change.ts";
import { readHostFile, textOf } from "./host_file.ts";
import { HOST_NAMES, type HostName } from "../hooks/hosts.ts";
import { json } from "./host_parts.ts";
import { HOSTS, type Place } from "./hosts.ts";
import { calledByName, calledByUser, HOW_INSTALLED, transientWord } from "./how_called.ts";
import { findProgram } from "../sys/find_program.ts";
import type { Part } from "./part.ts";
import { passedVariables } from "./passed_variables.ts";
import { ignoredFiles } from "./plain_json.ts";
import { writeChanges } from "./write.ts";

/** Whose files are written: the user's, or those of a repository. */
export interface Scope {
  place: Place;
  /** Folders that links may lead into; themselves without links. */
  folders: string[];
  /** Where this was called from. */
  from: string;
}

export interface ChangeOptions {
  /** Remove the entries of agentx instead of writing them. */
  isRemoving: boolean;
  /** Decide, but write nothing. */
  isDry: boolean;
  /** The preset to set as `agents.default`; while removing, the one that setup set. */
  anyRole?: string;
}

/** The name, among the hosts, of the user's setting for every role without its own. */
export const ANY_ROLE = "agents.default";

/** What was done for one host, or in the user's own configuration. */
export interface HostOutcome {
  host: HostName | typeof ANY_ROLE;
  files: { path: string; action: Action }[];
  /** Why nothing was done; null where it was. */
  error: AgentxError | null;
}

/** @throws {AgentxError} `INVALID_INPUT` where there is no home */
export function scopeOf(
  from: string,
  { isProject, hasGuard = false }: { isProject: boolean; hasGuard?: boolean },
): Scope {
  const home = sys.env("HOME");
  if (!home?.startsWith("/")) {
    throw new AgentxError("INVALID_INPUT", "Cannot find the files of hosts: HOME is not set", {
      details: { field: "HOME", value: home ?? null },
      next: "Set HOME to your home folder",
    });
  }
  if (isProject) {
    const repository = repositoryOf(from);
    if (repository === undefined) {
      throw new AgentxError("INVALID_INPUT", `Cannot set up "${from}": it is your home folder`, {
        details: { field: "--project", value: true },
        next: "Run it in a repository, or without --project for your own configuration",
      });
    }
    const passed = passedVariables("repository", repository);
    const place = { repository, called: calledByName(), passed, hasGuard };
    return { place, folders: [repository], from };
  }
  const config = userConfigPath()!.replace(/\/[^/]*$/, "");
  const own = [home, config, ...HOST_NAMES.map((name) => HOSTS[name].folder())];
  const folders = own.map(resolvedPath);
  // In the home itself, which is no repository, the user's own settings count all the same.
  const passed = passedVariables("user", repositoryOf(from) ?? `${home}/.agentx`);
  return { place: { called: calledByUser(), passed, hasGuard }, folders, from };
}

/** The checkout, else the folder; undefined for the home, whose files are the user's. */
export function repositoryOf(from: string): string | undefined {
  const [repository] = repositoryFolders([from]);
  return repository === sys.realPath(sys.env("HOME") ?? "/") ? undefined : repository;
}

/** The hosts on this machine: those with a program on the PATH or a configuration folder. */
export function installedHosts(): HostName[] {
  return HOST_NAMES.filter((name) => {
    const { programs, folder } = HOSTS[name];
    return programs.some((program) => findProgram(program) !== undefined) ||
      sys.lstat(folder()) !== undefined;
  });
}

/** The hosts whose program is on the PATH. */
export function hostsOnPath(): HostName[] {
  return HOST_NAMES.filter((name) =>
    HOSTS[name].programs.some((program) => findProgram(program) !== undefined)
  );
}

/** Whether an entry of agentx is in a file that no other host shares. */
export function isSetUp(name: HostName, scope: Scope): boolean {
  return partsOf(name, scope).some((part) =>
    !part.isShared && presenceOf(part, scope.folders) !== "absent"
  );
}

/** What setup writes for a host. A guard that is in its files stays in them, until all is removed. */
export function partsOf(name: HostName, { place, folders }: Scope): Part[] {
  const parts = HOSTS[name].parts(place);
  const guarded = HOSTS[name].parts({ ...place, hasGuard: true });
  const isGuarded = guarded.some((part, at) =>
    orElse(false, () => {
      const text = textOf(readHostFile(part.path, folders));
      return part.found(text).length > parts[at].found(text).length;
    })
  );
  return isGuarded ? guarded : parts;
}

/** The hosts with entries that setup would write differently now. */
export function outdatedHosts(scope: Scope): HostName[] {
  return HOST_NAMES.filter((name) => {
    const parts = orElse([], () => partsOf(name, scope)); // setup and its check say what is wrong
    return parts.some((part) => presenceOf(part, scope.folders) === "different");
  });
}

/** Notes for the user about the hosts that were changed. */
export function notesOn(outcomes: readonly HostOutcome[], { place, from }: Scope): string[] {
  const hosts = outcomes.filter(({ files }) => files.some(({ action }) => action !== "keep"))
    .flatMap(({ host }) => host === ANY_ROLE ? [] : host);
  const transient = transientWord(place.called, repositoryOf(from));
  const program = transient === undefined || hosts.length === 0 ? [] : [
    `The hosts now start "${transient}", which may not stay there. ` +
    `Install agentx (${HOW_INSTALLED}), and run setup again`,
  ];
  const ignored = hosts.flatMap((host) => ignoredFiles(host, place))
    .map((message) => `${message}. Remove them from the file`);
  const byHand = hosts.flatMap((host) => HOSTS[host].byHand ?? []);
  const ask = !hosts.includes("claude") ? [] : [
    "To have Claude Code asked for notes before it stops, after a commit, at the price of one more turn " +
    "over the whole context: agentx config set --global memory.ask stop",
  ];
  return [...program, ...ignored, ...byHand, ...ask];
}

/** `unknown` for a file that cannot be read: it may hold an entry of agentx. */
function presenceOf(part: Part, folders: readonly string[]) {
  return orElse("unknown", () => part.presence(textOf(readHostFile(part.path, folders))));
}

/**
 * Writes or removes the entries of agentx in the files of hosts. A host whose files cannot be
 * changed does not stop the others. Throws where nothing can be recorded: `UNTRUSTED`,
 * `CORRUPT_STATE`, `LOCK_TIMEOUT`.
 */
export async function changeHosts(
  hosts: readonly HostName[],
  scope: Scope,
  options: ChangeOptions,
): Promise<HostOutcome[]> {
  const { isRemoving, isDry, anyRole } = options;
  const all = anyRole === undefined ? hosts : [ANY_ROLE, ...hosts] as const;
  if (isDry) {
    const records = readRecordsOnly(scope.from);
    const decided = new Set<string>();
    return await eachHost(all, async (host) => {
      const changes = (await changesOf(host, scope, { isRemoving, records, anyRole }))
        .filter(({ file }) => !decided.has(file.realPath));
      for (const { file } of changes) decided.add(file.realPath);
      return changes;
    });
  }
  return await withBackups(scope.from, (records) =>
    eachHost(all, async (host) => {
      // `agents.default` is written first: hosts pass on the variables of its vendor.
      const now = anyRole ? scopeOf(scope.from, { isProject: false }) : scope;
      const changes = await changesOf(host, now, { isRemoving, records, anyRole });
      writeChanges(changes, records, scope.folders);
      return changes;
    }));
}

async function eachHost(
  hosts: readonly HostOutcome["host"][],
  change: (host: HostOutcome["host"]) => Promise<Change[]>,
): Promise<HostOutcome[]> {
  const outcomes: HostOutcome[] = [];
  for (const host of hosts) {
    try {
      const changes = await change(host);
      // A file that neither exists nor is written is not listed.
      const files = changes.filter(({ file, after }) => file.bytes ?? after)
        .map(({ file: { path }, action }) => ({ path, action }));
      if (host !== ANY_ROLE || files.length > 0) outcomes.push({ host, files, error: null });
    } catch (error) {
      if (!(error instanceof AgentxError) || FATAL.includes(error.code)) throw error;
      outcomes.push({ host, files: [], error });
    }
  }
  return outcomes;
}

/** Failures that concern all hosts. */
const FATAL: readonly ErrorCode[] = ["LOCK_LOST", "LOCK_TIMEOUT"];

async function changesOf(
  name: HostOutcome["host"],
  scope: Scope,
  { records, isRemoving, anyRole }: {
    records: Records;
    isRemoving: boolean;
    anyRole: string | undefined;
  },
): Promise<Change[]> {
  if (name === ANY_ROLE) return await changesOfDefault(anyRole, scope, { records, isRemoving });
  const changes: Change[] = [];
  for (const part of partsOf(name, scope)) {
    const file = readHostFile(part.path, scope.folders);
    if (!isRemoving) changes.push(await insertion(part, file, records));
    else if (part.isShared && isNeeded(part, name, scope)) {
      changes.push(kept("keep-shared", file, records.get(file.realPath)));
    } else changes.push(await withdrawal(part, file, records));
  }
  return changes;
}

/** A value that a person has set has no record, and stays. */
async function changesOfDefault(
  preset = "",
  { folders }: Scope,
  { records, isRemoving }: { records: Records; isRemoving: boolean },
): Promise<Change[]> {
  const path = userConfigPath()!;
  const own = json(path, [{ at: ANY_ROLE.split("."), value: { preset } }]);
  const file = readHostFile(path, folders);
  if (!isRemoving) return [await insertion(own, file, records)];
  return records.get(file.realPath) === undefined ? [] : [await withdrawal(own, file, records)];
}

/** Whether another host that is set up reads the same file. */
function isNeeded({ path }: Part, except: HostName, scope: Scope): boolean {
  return HOST_NAMES.some((name) =>
    name !== except && isSetUp(name, scope) &&
    partsOf(name, scope).some((part) => part.path === path)
  );
}
