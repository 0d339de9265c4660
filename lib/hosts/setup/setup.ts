/**
 * Sets hosts up, and takes that back: the same steps for each of them, one host after another.
 *
 * @module
 */

import { repositoryFolders } from "../../config/user_folders.ts";
import { AgentxError, type ErrorCode } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { lookAtRecords, type Records, withBackups } from "./backup.ts";
import { type Action, type Change, insertion, kept, withdrawal } from "./change.ts";
import { HOW_BOUND } from "./check_bound.ts";
import { readHostFile, textOf } from "./host_file.ts";
import { HOST_NAMES, type HostName } from "./host_names.ts";
import { HOSTS, type Place } from "./hosts.ts";
import { calledByName, calledByUser, findProgram, transientWord } from "./how_called.ts";
import type { Part } from "./part.ts";
import { passedVariables } from "./passed_variables.ts";
import { ignoredFiles } from "./plain_json.ts";
import { writeChanges } from "./write.ts";

/** Where hosts are set up. */
export interface Scope {
  place: Place;
  /** Folders that links may lead into, without links. */
  folders: string[];
  /** Where this was called from. */
  from: string;
}

/** Options of {@linkcode changeHosts}. */
export interface ChangeOptions {
  /** Take out what is ours, instead of putting it in. */
  isRemoving: boolean;
  /** Only say what would be done. */
  isDry: boolean;
}

/** What became of one host. */
export interface HostOutcome {
  host: HostName;
  files: { path: string; action: Action }[];
  /** Why nothing was done; null where it was. */
  error: AgentxError | null;
}

/**
 * @param from the folder that this is called from
 * @param isProject set up the repository, for all who work on it, instead of one user
 * @throws {AgentxError} `INVALID_INPUT` where there is no home
 */
export function scopeOf(from: string, { isProject }: { isProject: boolean }): Scope {
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
    return { place: { repository, called: calledByName(), passed }, folders: [repository], from };
  }
  const own = [home, ...HOST_NAMES.map((name) => HOSTS[name].folder())];
  const folders = own.flatMap((folder) => sys.realPath(folder) ?? folder);
  const passed = passedVariables("user", from);
  return { place: { called: calledByUser(), passed }, folders, from };
}

/** @returns the checkout, or the folder; undefined where that is the home, whose files are the user's own */
export function repositoryOf(from: string): string | undefined {
  const [repository] = repositoryFolders([from]);
  return repository === sys.realPath(sys.env("HOME") ?? "/") ? undefined : repository;
}

/** @returns the hosts that are on this machine: by their program, or by what they keep in the home */
export function installedHosts(): HostName[] {
  return HOST_NAMES.filter((name) => {
    const { programs, folder } = HOSTS[name];
    return programs.some((program) => findProgram(program) !== undefined) ||
      sys.lstat(folder()) !== undefined;
  });
}

/** @returns whether something of ours is in a file that no other host shares */
export function isSetUp(name: HostName, { place, folders }: Scope): boolean {
  return HOSTS[name].parts(place).some((part) =>
    !part.isShared && presenceOf(part, folders) !== "absent"
  );
}

/** @returns what its user has to know of hosts into which something was written */
export function notesOn(outcomes: readonly HostOutcome[], { place, from }: Scope): string[] {
  const written = outcomes.filter(({ files }) => files.some(({ action }) => action !== "keep"));
  const transient = transientWord(place.called, repositoryOf(from));
  const program = transient === undefined || written.length === 0 ? [] : [
    `What was written starts "${transient}", which may not stay there. ` +
    "Install agentx with npm install -g @agentx/toolkit, and run setup again",
  ];
  const bind = written.length === 0 ? [] : [
    `A session recalls, and is remembered, once its issue is set: ${HOW_BOUND}`,
  ];
  const ignored = written.flatMap(({ host }) => ignoredFiles(host, place))
    .map((message) => `${message}. Take them out of the file`);
  const byHand = written.flatMap(({ host }) => HOSTS[host].byHand ?? []);
  return [...program, ...ignored, ...byHand, ...bind];
}

/** @returns how ours stands in a file; what cannot be read may hold something of ours */
function presenceOf(part: Part, folders: readonly string[]) {
  try {
    return part.presence(textOf(readHostFile(part.path, folders)));
  } catch (error) {
    if (error instanceof AgentxError) return "unknown";
    throw error;
  }
}

/**
 * Puts ours into the files of hosts, or takes it out. A host whose files cannot be changed does not keep
 * the others from it.
 *
 * @returns what became of each
 * @throws {AgentxError} where nothing can be recorded: `UNTRUSTED`, `CORRUPT_STATE`, `LOCK_TIMEOUT`
 */
export async function changeHosts(
  hosts: readonly HostName[],
  scope: Scope,
  options: ChangeOptions,
): Promise<HostOutcome[]> {
  const { isRemoving, isDry } = options;
  if (isDry) {
    const records = lookAtRecords(scope.from);
    const decided = new Set<string>();
    return await eachHost(hosts, async (host) => {
      const changes = (await changesOf(host, scope, { isRemoving, records }))
        .filter(({ file }) => !decided.has(file.realPath));
      for (const { file } of changes) decided.add(file.realPath);
      return changes;
    });
  }
  return await withBackups(scope.from, (records) =>
    eachHost(hosts, async (host) => {
      const changes = await changesOf(host, scope, { isRemoving, records });
      writeChanges(changes, records, scope.folders);
      return changes;
    }));
}

async function eachHost(
  hosts: readonly HostName[],
  change: (host: HostName) => Promise<Change[]>,
): Promise<HostOutcome[]> {
  const outcomes: HostOutcome[] = [];
  for (const host of hosts) {
    try {
      const changes = await change(host);
      // Of a file that is not there, and is not to be, there is nothing to say.
      const files = changes.filter(({ file, after }) => file.bytes ?? after)
        .map(({ file: { path }, action }) => ({ path, action }));
      outcomes.push({ host, files, error: null });
    } catch (error) {
      if (!(error instanceof AgentxError) || FATAL.includes(error.code)) throw error;
      outcomes.push({ host, files: [], error });
    }
  }
  return outcomes;
}

/** They say something of all hosts. */
const FATAL: readonly ErrorCode[] = ["LOCK_LOST", "LOCK_TIMEOUT"];

async function changesOf(
  name: HostName,
  scope: Scope,
  { records, isRemoving }: { records: Records; isRemoving: boolean },
): Promise<Change[]> {
  const { place, folders } = scope;
  const changes: Change[] = [];
  for (const part of HOSTS[name].parts(place)) {
    const file = readHostFile(part.path, folders);
    if (!isRemoving) changes.push(await insertion(part, file, records));
    else if (part.isShared && isNeeded(part, name, scope)) {
      changes.push(kept("keep-shared", file, records.get(file.realPath)));
    } else changes.push(await withdrawal(part, file, records));
  }
  return changes;
}

/** Whether another host that is set up reads the same file. */
function isNeeded({ path }: Part, except: HostName, scope: Scope): boolean {
  return HOST_NAMES.some((name) =>
    name !== except && isSetUp(name, scope) &&
    HOSTS[name].parts(scope.place).some((part) => part.path === path)
  );
}
