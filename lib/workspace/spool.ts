// Recordings of sessions that have ended, kept until they are captured. They are in the user's own state
// folder: each names a file that is read into memory, which no file of a repository may do.
//
// A host gives the end of a session a second or less, so a hook only copies the recording; the next command
// that reads memory captures it. A copy is a line of JSON that describes the session, and the recording below
// it. Hosts write recordings late: if the original has grown since, and begins with the copy, the original is
// captured. A copy is complete once it has its name, and is removed once its observations are stored: after a
// kill in between it is captured again, which stores nothing twice.

import { isAgentName, parseAgentName } from "../base/agent_names.ts";
import { isObject, tryParseJson } from "../base/checks.ts";
import { AgentxError, orElse } from "../base/errors.ts";
import { hash53 } from "../base/hash.ts";
import { MAX_FILE_BYTES } from "../sys/path_guard.ts";
import { sys } from "../sys/mod.ts";

/** The session of a recording. */
export interface SpoolHead {
  version: 1;
  host: string;
  session: string;
  agent: string;
  issue: number;
  /** The path of the original; null if its host keeps no file of it. */
  transcript: string | null;
  /** Whether its host was still writing it: it is captured once it has not changed for a while. */
  isUnfinished: boolean;
}

/** A session that is captured. */
export interface SpooledSession extends SpoolHead {
  text: string;
}

export interface DrainOptions {
  /** Extracts and stores the observations. */
  capture: (session: SpooledSession) => Promise<unknown>;
  /** Called with one sentence for each session that cannot be captured. */
  notify: (message: string) => void;
  /** Time after which no further session is captured. */
  budgetMs?: number;
}

/** A recording is finished this long after its last change. */
const FINISHED_MS = 1_000;

const NAME = /^\d{13}-[a-z0-9]+\.spool$/;

const UNFINISHED = /^\d{13}-[a-z0-9]+\.part$/;

/** A copy that takes longer was abandoned. */
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
   * Keeps a recording, by its content if the host keeps no file of it. Throws `IO_ERROR`, also
   * where it is too large.
   */
  add(head: Omit<SpoolHead, "version">, recording?: string): boolean {
    const token = head.isUnfinished
      ? hash53(head.session).toString(36)
      : Math.random().toString(36).slice(2, 10);
    // A capture reads the original, with all that was added meanwhile.
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

  /** Captures the waiting sessions, the oldest first. A copy that cannot be read is set aside. */
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
          break; // the next one would fail, too
        }
        sys.rename(path, path.replace(/\.spool$/, ".failed"));
        notify(`A session was not captured and is set aside: ${error.oneLine}`);
      }
    }
  }

  #read(path: string): SpooledSession | undefined {
    const content = sys.readTextFile(path, MAX_FILE_BYTES + 4_096);
    if (content === undefined) return undefined; // another process has captured it
    const end = content.indexOf("\n");
    const head = headOf(content.slice(0, end));
    if (head === undefined) {
      throw new AgentxError("CORRUPT_STATE", `Cannot read "${path}": its first line is damaged`, {
        details: { path, line: 1 },
        next: "Remove it, or capture what is below that line with: agentx memory capture",
      });
    }
    const copy = content.slice(end + 1);
    // If nothing was written yet, only its path shows that it belongs to the session.
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
  const path = transcript === null ? undefined : sys.realPath(transcript); // a link is the user's own
  return path === undefined ? undefined : sys.readTextFile(path, MAX_FILE_BYTES);
}

/** A recording that does not exist yet is waited for. */
function isFresh(transcript: string | null, spooledMs: number): boolean {
  const path = transcript === null ? undefined : sys.realPath(transcript);
  const info = path === undefined ? undefined : sys.lstat(path);
  if (info === undefined) return sys.now() - spooledMs < UNFINISHED_MS;
  return sys.now() - info.modifiedMs < FINISHED_MS;
}

/** The original may be gone, and the copy is enough. */
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
