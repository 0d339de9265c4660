// Sets up hosts, and removes the set-up again, with the same steps for each host.

import { userConfigPath } from "../config/user_folders.ts";
import { repositoryFolders } from "../git/repository.ts";
import { resolvedPath } from "../sys/inside.ts";
import { AgentxError, type ErrorCode, orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { type BackupRecords, readRecordsOnly, withBackups } from "./backup.ts";
import { type FileAction, type FileChange, insertion, kept, withdrawal } from "./change.ts";
import { hostFileText, readHostFile } from "./host_file.ts";
import { HOST_NAMES, type HostName, HOSTS } from "../hosts/hosts.ts";
import { json } from "./host_parts.ts";
import { hostParts, type SetupPlace, userFolder } from "./hosts.ts";
import { calledByName, calledByUser, HOW_INSTALLED, transientWord } from "./how_called.ts";
import { findProgram } from "../sys/find_program.ts";
import { noticeHere } from "./notice.ts";
import type { Part } from "./part.ts";
import { passedVariables } from "./passed_variables.ts";
import { ignoredFiles } from "./plain_json.ts";
import { writeChanges } from "./write.ts";

/** The user or the repository to set up. */
export interface Scope {
  place: SetupPlace;
  /** Folders that links may lead into; their paths contain no links. */
  folders: string[];
  /** The folder from which setup was called. */
  from: string;
}

/** Settings in the user's own configuration. */
export interface OwnSettings {
  /** The preset for `agents.default`; if absent, the setting stays as it is. */
  preset?: string;
  /** The command for `inbox.notify`; if absent, the setting stays as it is. */
  notice?: string[];
}

export interface ChangeOptions {
  /** Remove the entries of agentx instead of writing them. */
  isRemoving: boolean;
  /** Decide on the changes, but write nothing. */
  isDry: boolean;
  /** The changes of the user's own configuration; when removing, the values that setup had set. */
  own?: OwnSettings;
}

/** The name that stands for the user's default setting in a list of hosts. */
export const ANY_ROLE = "agents.default";

/** The result for one host, or for the user's own configuration. */
export interface HostOutcome {
  host: HostName | typeof ANY_ROLE;
  files: { path: string; action: FileAction }[];
  /** Why nothing was done; null on success. */
  error: AgentxError | null;
}

/**
 * Returns the scope of a set-up.
 *
 * @throws {AgentxError} `INVALID_INPUT` without a home
 */
export function setupScope(
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
  const own = [home, config, ...HOST_NAMES.map(userFolder)];
  const folders = own.map(resolvedPath);
  // The home folder is no repository, but the user's own settings still count there.
  const passed = passedVariables("user", repositoryOf(from) ?? `${home}/.agentx`);
  return { place: { called: calledByUser(), passed, hasGuard }, folders, from };
}

/**
 * Returns the checkout of a folder, or the folder itself; undefined for the home folder, because its files belong to
 * the user.
 */
export function repositoryOf(from: string): string | undefined {
  const [repository] = repositoryFolders([from]);
  return repository === sys.realPath(sys.env("HOME") ?? "/") ? undefined : repository;
}

/** Returns the hosts on this machine: those with a program on the PATH or a configuration folder. */
export function installedHosts(): HostName[] {
  return HOST_NAMES.filter((name) => isOnPath(name) || sys.lstat(userFolder(name)) !== undefined);
}

/** Returns the hosts with a program on the PATH. */
export function hostsOnPath(): HostName[] {
  return HOST_NAMES.filter(isOnPath);
}

function isOnPath(name: HostName): boolean {
  return HOSTS[name].programs.some((program) => findProgram(program) !== undefined);
}

/** Whether a file that only this host reads contains an entry of agentx. */
export function isSetUp(name: HostName, scope: Scope): boolean {
  return partsOf(name, scope).some((part) =>
    !part.isShared && presenceOf(part, scope.folders) !== "absent"
  );
}

/**
 * Returns the parts that setup writes for a host. If its files contain a guard, the parts include the guard until all
 * is removed.
 */
export function partsOf(name: HostName, { place, folders }: Scope): Part[] {
  const parts = hostParts(name, place);
  const guarded = hostParts(name, { ...place, hasGuard: true });
  const isGuarded = guarded.some((part, at) =>
    orElse(false, () => {
      const text = hostFileText(readHostFile(part.path, folders));
      return part.found(text).length > parts[at].found(text).length;
    })
  );
  return isGuarded ? guarded : parts;
}

/** Returns the hosts with entries that setup would now write differently. */
export function outdatedHosts(scope: Scope): HostName[] {
  return HOST_NAMES.filter((name) => {
    const parts = orElse([], () => partsOf(name, scope)); // setup and its check report the error
    return parts.some((part) => presenceOf(part, scope.folders) === "different");
  });
}

/** Returns notes for the user about the hosts that were changed. */
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
  const byHand = outcomes.flatMap(({ host, files }) => {
    const { byHand = [], byHandOn = "" } = host === ANY_ROLE ? {} : HOSTS[host];
    const isDue = files.some(({ path, action }) => action !== "keep" && path.endsWith(byHandOn));
    return isDue ? byHand : [];
  });
  const ask = !hosts.includes("claude") ? [] : [
    "To have Claude Code asked for notes before it stops, after a commit, at the price of one more turn " +
    "over the whole context: agentx config set --global memory.ask stop",
  ];
  return [...program, ...ignored, ...byHand, ...ask];
}

/** Returns the state of a part; `unknown` if its file cannot be read, because it may contain an entry of agentx. */
function presenceOf(part: Part, folders: readonly string[]) {
  return orElse("unknown", () => part.presence(hostFileText(readHostFile(part.path, folders))));
}

/**
 * Writes or removes the entries of agentx in the files of hosts. A host with a file that cannot be changed does not
 * stop the others. Throws if nothing can be recorded: `UNTRUSTED`, `CORRUPT_STATE`, `LOCK_TIMEOUT`.
 */
export async function changeHosts(
  hosts: readonly HostName[],
  scope: Scope,
  options: ChangeOptions,
): Promise<HostOutcome[]> {
  const { isRemoving, isDry, own } = options;
  const all = own === undefined ? hosts : [ANY_ROLE, ...hosts] as const;
  if (isDry) {
    const records = readRecordsOnly(scope.from);
    const decided = new Set<string>();
    return await eachHost(all, async (host) => {
      const changes = (await changesOf(host, scope, { isRemoving, records, own }))
        .filter(({ file }) => !decided.has(file.realPath));
      for (const { file } of changes) decided.add(file.realPath);
      return changes;
    });
  }
  return await withBackups(scope.from, (records) =>
    eachHost(all, async (host) => {
      // `agents.default` is written first, because hosts then also pass the variables of its vendor.
      const now = own?.preset ? setupScope(scope.from, { isProject: false }) : scope;
      const changes = await changesOf(host, now, { isRemoving, records, own });
      writeChanges(changes, records, scope.folders);
      return changes;
    }));
}

async function eachHost(
  hosts: readonly HostOutcome["host"][],
  change: (host: HostOutcome["host"]) => Promise<FileChange[]>,
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

/** Codes of errors that affect all hosts. */
const FATAL: readonly ErrorCode[] = ["LOCK_LOST", "LOCK_TIMEOUT"];

async function changesOf(
  name: HostOutcome["host"],
  scope: Scope,
  { records, isRemoving, own = {} }: {
    records: BackupRecords;
    isRemoving: boolean;
    own?: OwnSettings;
  },
): Promise<FileChange[]> {
  if (name === ANY_ROLE) return await changesOfOwn(own, scope, { records, isRemoving });
  const changes: FileChange[] = [];
  for (const part of partsOf(name, scope)) {
    const file = readHostFile(part.path, scope.folders);
    if (!isRemoving) changes.push(await insertion(part, file, records));
    else if (part.isShared && isNeeded(part, name, scope)) {
      changes.push(kept("keep-shared", file, records.get(file.realPath)));
    } else changes.push(await withdrawal(part, file, records));
  }
  return changes;
}

/**
 * Returns the changes of the user's own configuration. A value that a person has set stays: it has no record, or
 * differs from the value of setup.
 */
async function changesOfOwn(
  { preset, notice }: OwnSettings,
  { folders }: Scope,
  { records, isRemoving }: { records: BackupRecords; isRemoving: boolean },
): Promise<FileChange[]> {
  const path = userConfigPath()!;
  const file = readHostFile(path, folders);
  const entry = (key: string, value: unknown) => ({ at: key.split("."), value });
  const ours = entry("inbox.notify", noticeHere().command);
  if (isRemoving) {
    const isOurs = json(path, [ours]).presence(hostFileText(file)) === "same";
    const part = json(path, [entry(ANY_ROLE, { preset }), ...isOurs ? [ours] : []]);
    return records.get(file.realPath) === undefined ? [] : [await withdrawal(part, file, records)];
  }
  const part = json(path, [
    ...preset === undefined ? [] : [entry(ANY_ROLE, { preset })],
    ...notice === undefined ? [] : [entry("inbox.notify", notice)],
  ]);
  return [await insertion(part, file, records)];
}

/** Whether another host that is set up reads the same file. */
function isNeeded({ path }: Part, except: HostName, scope: Scope): boolean {
  return HOST_NAMES.some((name) =>
    name !== except && isSetUp(name, scope) &&
    partsOf(name, scope).some((part) => part.path === path)
  );
}
