// Recordings of ended sessions, kept until they are captured. They are in the user's own state folder, because each
// names a file to read into memory, and no file of a repository may do that.
//
// A host gives the end of a session at most a second, so a hook only copies the recording. The next command that
// reads memory captures it. A copy is a line of JSON that describes the session, followed by the recording. Hosts
// write recordings late: if the original has grown since, and still begins with the copy, the original is captured
// instead.
//
// A copy is complete once it has its final name, and is removed once its observations are stored. If the process is
// killed in between, the copy is captured again, which stores nothing twice.

import { isAgentName, parseAgentName } from "../base/agent_names.ts";
import { isObject, tryParseJson } from "../base/checks.ts";
import { AgentxError, orElse } from "../base/errors.ts";
import { hash53 } from "../base/hash.ts";
import { MAX_FILE_BYTES } from "../sys/path_guard.ts";
import { sys } from "../sys/mod.ts";

/** The session of a recording, as the first line of a copy describes it. */
export interface SpoolHead {
  version: 1;
  host: string;
  session: string;
  agent: string;
  issue: number;
  /** Path of the original recording; null if the host keeps no file. */
  transcript: string | null;
  /** Whether the host was still writing the recording. If so, it is captured once it has not changed for a while. */
  isUnfinished: boolean;
}

/** A session to capture, with the text of its recording. */
export interface SpooledSession extends SpoolHead {
  text: string;
}

export interface DrainOptions {
  /** Extracts and stores the observations. */
  capture: (session: SpooledSession) => Promise<unknown>;
  /** Called with a message for each session that cannot be captured. */
  notify: (message: string) => void;
  /** Time in milliseconds after which no further capture is started. */
  budgetMs?: number;
}

/** A recording counts as finished this long after its last change. */
const FINISHED_MS = 1_000;

const NAME = /^\d{13}-[a-z0-9]+\.spool$/;

const UNFINISHED = /^\d{13}-[a-z0-9]+\.part$/;

/** Time after which an unfinished copy counts as abandoned. */
const UNFINISHED_MS = 60 * 60_000;

/** Owner of the files of a spool. */
export class Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether no session waits to be captured. */
  get isEmpty(): boolean {
    return !sys.readDir(this.#folder).some((name) => NAME.test(name));
  }

  /**
   * Stores the recording of a session. If the host keeps no file of it, `recording` is stored. Returns false if
   * there is nothing to store. Throws `IO_ERROR`, also if the recording is too large.
   */
  add(head: Omit<SpoolHead, "version">, recording?: string): boolean {
    const token = head.isUnfinished
      ? hash53(head.session).toString(36)
      : Math.random().toString(36).slice(2, 10);
    // One copy is enough: a capture reads the original, with everything that was added meanwhile.
    if (sys.readDir(this.#folder).some((name) => name.endsWith(`-${token}.spool`))) return true;
    const text = recording ?? readOriginal(head.transcript);
    if (!text?.trim() && !head.isUnfinished) return false;
    sys.makeDir(this.#folder.slice(0, this.#folder.lastIndexOf("/")), 0o700);
    sys.makeDir(this.#folder, 0o700);
    const name = `${this.#folder}/${String(sys.now()).padStart(13, "0")}-${token}`;
    const content = `${JSON.stringify({ version: 1, ...head })}\n${text ?? ""}`;
    sys.writeNewFile(`${name}.part`, content, { fsync: false, mode: 0o600 });
    sys.rename(`${name}.part`, `${name}.spool`);
    return true;
  }

  /** Captures the waiting sessions, oldest first. An unreadable copy is set aside. */
  async drain({ capture, notify, budgetMs = Infinity }: DrainOptions): Promise<void> {
    const names = sys.readDir(this.#folder);
    this.#tidy(names.filter((name) => UNFINISHED.test(name)));
    const endMs = performance.now() + budgetMs;
    for (const name of names.filter((name) => NAME.test(name))) {
      if (performance.now() >= endMs) break;
      const path = `${this.#folder}/${name}`;
      try {
        const session = this.#read(path);
        if (session?.isUnfinished && isFresh(session.transcript, Number(name.slice(0, 13)))) {
          continue;
        }
        if (session !== undefined) await capture(session);
        sys.removeFile(path);
      } catch (error) {
        if (!(error instanceof AgentxError)) throw error;
        if (error.code !== "INVALID_INPUT" && error.code !== "CORRUPT_STATE") {
          notify(`A session waits to be captured: ${error.oneLine}`);
          break; // the next session would fail, too
        }
        sys.rename(path, path.replace(/\.spool$/, ".failed"));
        notify(`A session was not captured and is set aside: ${error.oneLine}`);
      }
    }
  }

  #read(path: string): SpooledSession | undefined {
    const content = sys.readTextFile(path, MAX_FILE_BYTES + 4_096);
    if (content === undefined) return undefined; // another process has captured the session
    const end = content.indexOf("\n");
    const head = headOf(content.slice(0, end));
    if (head === undefined) {
      throw new AgentxError("CORRUPT_STATE", `Cannot read "${path}": its first line is damaged`, {
        details: { path, line: 1 },
        next: "Remove it, or capture what is below that line with: agentx memory capture",
      });
    }
    const copy = content.slice(end + 1);
    // If the copy is empty, only a path with the session id shows that the original belongs to this session.
    const isKnown = copy !== "" || head.transcript?.includes(`/${head.session}/`);
    const now = isKnown ? originalOf(head) : undefined;
    return { ...head, text: now?.startsWith(copy) ? now : copy };
  }

  #tidy(names: readonly string[]): void {
    for (const name of names) {
      const startedMs = Number(name.slice(0, 13));
      if (sys.now() - startedMs > UNFINISHED_MS) sys.removeFile(`${this.#folder}/${name}`);
    }
  }
}

function readOriginal(transcript: string | null): string | undefined {
  const path = transcript === null ? undefined : sys.realPath(transcript); // a link at this path is the user's own
  return path === undefined ? undefined : sys.readTextFile(path, MAX_FILE_BYTES);
}

/**
 * Returns whether a recording may still be written. A recording that does not exist yet counts as fresh for an hour.
 */
function isFresh(transcript: string | null, spooledMs: number): boolean {
  const path = transcript === null ? undefined : sys.realPath(transcript);
  const info = path === undefined ? undefined : sys.lstat(path);
  if (info === undefined) return sys.now() - spooledMs < UNFINISHED_MS;
  return sys.now() - info.modifiedMs < FINISHED_MS;
}

/** Reads the original recording. If it is gone, the copy is used. */
function originalOf({ transcript }: SpoolHead): string | undefined {
  return orElse(undefined, () => readOriginal(transcript), "IO_ERROR");
}

function headOf(line: string): SpoolHead | undefined {
  const value = tryParseJson(line);
  if (!isObject(value) || value.version !== 1 || !isAgentName(value.agent)) return undefined;
  const { host, session, issue, transcript, isUnfinished } = value;
  const fits = typeof host === "string" && typeof session === "string" &&
    (transcript === null || typeof transcript === "string") && Number.isSafeInteger(issue) &&
    (issue as number) >= 0;
  return fits
    ? {
      version: 1,
      host,
      session,
      transcript,
      agent: parseAgentName(value.agent),
      issue: issue as number,
      isUnfinished: isUnfinished === true,
    }
    : undefined;
}
