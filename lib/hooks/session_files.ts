// The state of each session of a host: `.agentx/state/sessions/NAME.json`. Each session has a file of its own, so
// sessions never wait for each other. Each folder has a file too, for all sessions in the folder.
//
// The name of a file is the id of the session. For an unusual id and for a folder, it is a hash. All hosts that run
// one session share its file. The form of a file:
//
// ```json
// {
//   "version": 1,
//   "session": "3f2a...",
//   "host": "claude",
//   "agent": "engineer",
//   "issue": 42,
//   "heard": [{ "event": "prompt:1", "at": "2026-02-26T10:00:00.000Z", "pid": 7 }],
//   "deliveries": [{
//     "id": "CLR-42-001.2",
//     "mark": "x7k2m9",
//     "offers": [{ "at": "...", "event": "tool:2", "pid": 7, "start": "812", "putOut": true }],
//     "shownAt": null,
//     "proof": null
//   }]
// }
// ```
//
// `agent` and `issue` are the values that `agentx here` set, or null. `issueUid` distinguishes the issue from another
// issue with the same number. `heard` lists the events that were answered recently. A delivery is the evidence of how
// far one entry of a thread got in this session (`delivery.ts`). The file of a folder has `tree` instead of
// `session`, and neither host nor evidence.

import { isObject, tryParseJson } from "../base/checks.ts";
import { AgentxError, orElse } from "../base/errors.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import { hash53 } from "../base/hash.ts";
import { sys } from "../sys/mod.ts";
import type { HostProcess } from "../who/host_process.ts";

/** One offer of an entry to a host. */
export interface EntryOffer {
  /** ISO-8601, UTC: time of the record, just before the entry was printed. */
  at: string;
  event: string;
  pid: number;
  /** When that process started, as the system states it; null if the system does not. */
  start: string | null;
  /** Whether that process has printed the entry. */
  putOut: boolean;
  /** ISO-8601, UTC: when the entry may no longer be printed; absent for a hook, which prints at once. */
  until?: string;
}

/** The delivery of one entry of a thread to one session. */
export interface Delivery {
  /** The clarification and the entry of its thread, from 1: `CLR-42-001.2`. */
  id: string;
  /** A text that occurs in the printed entry and nowhere else. If a recording contains it, the entry was shown. */
  mark: string;
  /** True if a command printed the text. The mark is then the beginning of the text. */
  isPrinted?: boolean;
  /** ISO-8601, UTC: when a run was started for the entry; absent if none was. */
  wokenAt?: string;
  /** The offers, oldest first. */
  offers: EntryOffer[];
  /** ISO-8601, UTC: when it was proven that the entry was shown; null until then. */
  shownAt: string | null;
  /** The kind of that proof; null until then. */
  proof: "transcript" | "later event" | null;
}

/** An event of a host that was answered. */
export interface HeardEvent {
  event: string;
  /** ISO-8601, UTC. */
  at: string;
  pid: number;
}

/** A run that delivers entries to a session. */
export interface Wake {
  event: string;
  /** ISO-8601, UTC. */
  at: string;
  /** ISO-8601, UTC: when the run counts as given up. */
  until: string;
  pid: number;
  /** When that process started, as the system states it; null if the system does not. */
  start: string | null;
}

/** A permission that a session waits for, in its own terminal. */
export interface Permission {
  /** The permission that the human is asked for, without secrets. */
  what: string;
  /** ISO-8601, UTC. */
  since: string;
  /** The name of the session among workers of its role, such as `claude-3f2a`; null if it has none. */
  worker: string | null;
  agent: string | null;
  issue: number | null;
  /** The process of the session's host; null if it was not found. */
  process: HostProcess | null;
}

/** A file that a session changed. */
export interface SessionEdit {
  /** The path of the file, relative to the checkout. */
  path: string;
  /** The folder of the checkout. */
  tree: string;
  /** ISO-8601, UTC: time of the last change. */
  at: string;
  /** The name of the session, such as `engineer@claude-3f2a`, or `claude-3f2a` without a role. */
  by: string;
  issue: number | null;
  /** Whether the session was told which other sessions change the file. */
  isTold?: boolean;
}

/** The state of a session, or of all sessions in a folder. */
export interface SessionFile {
  version: 1;
  /** The id that the host gives the session; left out in the file of a folder. */
  session?: string;
  /** The folder; left out in the file of a session. */
  tree?: string;
  host: string | null;
  /** The role of the session; null if none was set. */
  agent: string | null;
  /** The issue that the session works on; null if none was set. */
  issue: number | null;
  /** The `uid` of that issue if it belongs to this workspace. */
  issueUid?: string;
  /** The folder that the session works in; null if its host did not state it. */
  cwd?: string | null;
  /** The path of the session's recording; null if its host did not state it. */
  transcript?: string | null;
  /** ISO-8601, UTC: time of the first event. */
  began?: string;
  /** ISO-8601, UTC: when the session was asked for notes before it stopped. */
  askedAt?: string;
  /** True for a session that started without an issue, until its first prompt shows the subject. */
  awaitsPrompt?: boolean;
  /** The run that is under way; null if there is none. */
  wake?: Wake | null;
  /** The permission that the session waits for; null once the session has continued. */
  permission?: Permission | null;
  /** True if the workspace is shared with other machines. The hooks of such a session sync. */
  isShared?: true;
  /** The latest changes of files. Only `shared_files.ts` reads and writes them. */
  edits?: SessionEdit[];
  heard: HeardEvent[];
  deliveries: Delivery[];
}

/** A session of a host, or the folder that sessions work in. */
export type SessionKey = { session: string } | { tree: string };

/** The maximum number of events to remember. It is enough for those that arrive at the same moment. */
const MAX_HEARD = 32;

/** The maximum number of deliveries to remember. One session has far fewer. */
const MAX_DELIVERIES = 200;

/** Opens the locks of this process. Reading needs no locks. */
export type OpenLocks = () => FileLockManager | Promise<FileLockManager>;

/** Owner of the files under `.agentx/state/sessions/`. */
export class SessionFiles {
  readonly #folder: string;
  readonly #locks: OpenLocks;

  /** Stores the folder, which need not exist. */
  constructor(home: string, locks: OpenLocks) {
    this.#folder = `${home}/state/sessions`;
    this.#locks = locks;
  }

  pathOf(key: SessionKey): string {
    return this.#path(nameOf(key));
  }

  /** Reads the state of a session or folder, if there is any. Throws `CORRUPT_STATE`, `IO_ERROR`. */
  read(key: SessionKey): SessionFile | undefined {
    return this.#read(nameOf(key));
  }

  /** Returns the files of all sessions that can be read. */
  readAll(): SessionFile[] {
    return this.all().flatMap(({ key, file }) => "session" in key ? file : []);
  }

  /** Returns all files that can be read, each with its session or folder. */
  all(): { key: SessionKey; file: SessionFile }[] {
    return this.#names().flatMap((name) => {
      const file = this.#readable(name);
      if (file?.session !== undefined) return { key: { session: file.session }, file };
      return file?.tree === undefined ? [] : { key: { tree: file.tree }, file };
    });
  }

  count(): number {
    return this.#names().length;
  }

  /**
   * Removes the files of sessions for which `isOver` returns true, given the content and the time of the last write.
   * Files of folders are kept. Throws `LOCK_TIMEOUT`, `IO_ERROR`.
   */
  async removeWhere(isOver: (file: SessionFile, modifiedMs: number) => boolean): Promise<void> {
    const isOld = (path: string, name: string) => {
      const file = this.#readable(name);
      const modifiedMs = sys.lstat(path)?.modifiedMs;
      return file?.session !== undefined && modifiedMs !== undefined && isOver(file, modifiedMs);
    };
    for (const name of this.#names()) {
      const path = this.#path(name);
      if (!isOld(path, name)) continue;
      const locks = await this.#locks();
      await locks.withSafeLock(path, "hook", () => {
        if (isOld(path, name)) sys.removeFile(path);
      });
    }
  }

  #names(): string[] {
    return sys.readDir(this.#folder).filter((name) => /^[\w-]+\.json$/.test(name))
      .map((name) => name.slice(0, -".json".length));
  }

  #readable(name: string): SessionFile | undefined {
    return orElse(undefined, () => this.#read(name)); // the session of the file reports the error
  }

  #read(name: string): SessionFile | undefined {
    const path = this.#path(name);
    const text = sys.readTextFile(path);
    if (text === undefined) return undefined;
    const value = tryParseJson(text);
    const problem = value === undefined ? "it is not JSON" : problemWith(value);
    if (problem === undefined) return value as SessionFile;
    throw new AgentxError("CORRUPT_STATE", `Cannot read "${path}": ${problem}`, {
      details: { path, line: null },
      next: "The file was not changed; fix it, or move it aside to start a new one",
    });
  }

  /** Changes the file under its lock, after reading it again. Throws `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`. */
  async update(key: SessionKey, change: (file: SessionFile) => void): Promise<SessionFile> {
    const [{ JsonFile }, locks] = await Promise.all([
      import("../lock/json_file.ts"),
      this.#locks(),
    ]);
    const file = new JsonFile<SessionFile>(this.#path(nameOf(key)), locks, {
      problemWith,
      fsync: false, // the file survives a kill; sessions do not survive a power cut anyway
      kind: "state",
    });
    return await file.update("hook", (file = emptyFile(key)) => {
      change(file);
      file.heard = file.heard.slice(-MAX_HEARD);
      file.deliveries = file.deliveries.slice(-MAX_DELIVERIES);
      return file;
    });
  }

  #path(name: string): string {
    return `${this.#folder}/${name}.json`;
  }
}

/** Whether the host last reported the end of the session. */
export function hasEnded(file: SessionFile | undefined): boolean {
  return file?.heard.at(-1)?.event.startsWith("end:") ?? false;
}

function emptyFile(key: SessionKey): SessionFile {
  return { version: 1, ...key, host: null, agent: null, issue: null, heard: [], deliveries: [] };
}

/**
 * Returns the name of a file. Upper and lower case of an id mean the same session. An id that is not usable as a file
 * name is hashed.
 */
function nameOf(key: SessionKey): string {
  if ("tree" in key) return `tree-${hash53(key.tree).toString(36)}`;
  const id = key.session.toLowerCase();
  return /^[a-z0-9][a-z0-9-]{7,63}$/.test(id) && !id.startsWith("tree-") && !id.startsWith("x-")
    ? id
    : `x-${hash53(id).toString(36)}`;
}

function problemWith(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  const { version, agent, issue, cwd, transcript, began, askedAt, permission } = value;
  const { wake, heard, deliveries } = value;
  if (version !== 1) return `version must be 1, not ${JSON.stringify(version)}`;
  if (agent !== null && typeof agent !== "string") return "agent must be a string or null";
  if (issue !== null && !Number.isSafeInteger(issue)) return "issue must be a number or null";
  if (![cwd, transcript].every(isTextOrNothing)) return "cwd and transcript must be paths or null";
  if (![began, askedAt].every(isTextOrNothing)) return "began and askedAt must be times";
  if (!isPermissionOrNothing(permission)) {
    return "permission must be what a session waits for, or null";
  }
  if (!isWakeOrNothing(wake)) return "wake must be a run or null";
  if (!Array.isArray(heard) || !heard.every(isHeard)) return "heard must be a list of events";
  if (!Array.isArray(deliveries) || !deliveries.every(isDelivery)) {
    return "deliveries must be a list of deliveries";
  }
  return undefined;
}

function isTextOrNothing(value: unknown): boolean {
  return (value ?? null) === null || typeof value === "string";
}

function isWakeOrNothing(value: unknown): boolean {
  return (value ?? null) === null ||
    isObject(value) && ["event", "at", "until"].every((key) => typeof value[key] === "string") &&
      Number.isSafeInteger(value.pid);
}

function isPermissionOrNothing(value: unknown): boolean {
  return (value ?? null) === null ||
    isObject(value) && ["what", "since"].every((key) => typeof value[key] === "string");
}

function isHeard(value: unknown): boolean {
  return isObject(value) && typeof value.event === "string" && typeof value.at === "string";
}

function isDelivery(value: unknown): boolean {
  return isObject(value) && typeof value.id === "string" && typeof value.mark === "string" &&
    Array.isArray(value.offers) &&
    value.offers.every((offer) => isObject(offer) && typeof offer.at === "string") &&
    (value.shownAt === null || typeof value.shownAt === "string");
}
