/**
 * Recordings of sessions that have ended, kept until they are captured: `.agentx/state/spool/`.
 *
 * A host gives the end of a session a second or less, so a hook only copies the recording; what reads
 * memory anyway captures it later. A copy is a line of JSON that says whose session it was, and below it
 * the recording. Hosts write theirs a while after the fact: where the original has grown by then, that is
 * captured, if it begins with what was copied. A copy is complete once it has its name, and removed once what it brought is stored: a kill
 * in between captures it again, which stores nothing twice.
 *
 * @module
 */

import { isAgentName, parseAgentName } from "../../agent_names.ts";
import { isObject } from "../../checks.ts";
import { AgentxError, hasCode } from "../../errors.ts";
import { MAX_FILE_BYTES } from "../../sys/guard.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";

/** Whose session it was. */
export interface SpoolHead {
  version: 1;
  host: string;
  session: string;
  agent: string;
  issue: number;
  /** Where the original is; null where its host keeps no file of it. */
  transcript: string | null;
  /** Whether its host was still writing it: it is captured once it has been left alone for a while. */
  isUnfinished: boolean;
}

/** A session that is captured. */
export interface SpooledSession extends SpoolHead {
  /** The recording. */
  text: string;
}

/** How many sessions were captured, and how many are left. */
export interface SpoolReport {
  captured: number;
  left: number;
}

/** Options of {@linkcode Spool.drain}. */
export interface DrainOptions {
  /** Extracts and stores what is worth remembering. */
  capture: (session: SpooledSession) => Promise<unknown>;
  /** Called with one sentence for each that cannot be captured. */
  notify: (message: string) => void;
  /**
   * No other one is begun after so long.
   *
   * @default {Infinity}
   */
  budgetMs?: number;
  /** Tells whether git tracks a file: such a one came with the repository. */
  isTracked: (path: string) => boolean;
}

/** So long after the last change, a recording is finished. */
const FINISHED_MS = 1_000;

const NAME = /^\d{13}-[a-z0-9]+\.spool$/;

const UNFINISHED = /^\d{13}-[a-z0-9]+\.part$/;

/** A copy that takes longer was given up. */
const UNFINISHED_MS = 60 * 60_000;

/** Owner of the files under `.agentx/state/spool/`. */
export class Spool {
  readonly #folder: string;

  /** @param home `.agentx` */
  constructor(home: string) {
    this.#folder = `${home}/state/spool`;
  }

  /** Whether a session waits to be captured. */
  get isEmpty(): boolean {
    return !sys.readDir(this.#folder).some((name) => NAME.test(name));
  }

  /**
   * Keeps a recording.
   *
   * @param head whose session it was, and where its recording is
   * @param recording what it holds, where that is no file
   * @returns whether there is one
   * @throws {AgentxError} `IO_ERROR`, also where it is too large
   */
  add(head: Omit<SpoolHead, "version">, recording?: string): boolean {
    const text = recording ?? readOriginal(head.transcript);
    if (!text?.trim() && !head.isUnfinished) return false;
    const modes = privateModes();
    sys.makeDir(this.#folder, modes.folder);
    const token = Math.random().toString(36).slice(2, 10);
    const name = `${this.#folder}/${String(sys.now()).padStart(13, "0")}-${token}`;
    const content = `${JSON.stringify({ version: 1, ...head })}\n${text ?? ""}`;
    sys.writeNewFile(`${name}.part`, content, { fsync: false, mode: modes.file });
    sys.rename(`${name}.part`, `${name}.spool`);
    return true;
  }

  /**
   * Captures what waits, the oldest first. What cannot be read is set aside.
   *
   * @param options how
   * @returns how many were captured, and how many are left
   */
  async drain(
    { capture, notify, budgetMs = Infinity, isTracked }: DrainOptions,
  ): Promise<SpoolReport> {
    const names = sys.readDir(this.#folder);
    this.#tidy(names.filter((name) => UNFINISHED.test(name)));
    const waiting = names.filter((name) => NAME.test(name));
    const endMs = performance.now() + budgetMs;
    let captured = 0;
    let left = waiting.length;
    for (const name of waiting) {
      if (performance.now() >= endMs) break;
      const path = `${this.#folder}/${name}`;
      if (isTracked(path)) {
        notify(`"${path}" came with the repository and is not captured`);
        continue;
      }
      try {
        const session = this.#read(path);
        if (session?.isUnfinished && isFresh(session.transcript, Number(name.slice(0, 13)))) {
          continue;
        }
        if (session !== undefined) await capture(session);
        sys.removeFile(path);
        captured++;
        left--;
      } catch (error) {
        if (!(error instanceof AgentxError)) throw error;
        if (error.code !== "INVALID_INPUT" && error.code !== "CORRUPT_STATE") {
          notify(`A session waits to be captured: ${error.oneLine}`);
          break; // the next one would fail like it
        }
        sys.rename(path, path.replace(/\.spool$/, ".failed"));
        left--;
        notify(`A session was not captured and is set aside: ${error.oneLine}`);
      }
    }
    return { captured, left };
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
    // Nothing may have been written yet: then it is the session's own by its path.
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

/** One that is not there yet is waited for. */
function isFresh(transcript: string | null, spooledMs: number): boolean {
  const path = transcript === null ? undefined : sys.realPath(transcript);
  const info = path === undefined ? undefined : sys.lstat(path);
  if (info === undefined) return sys.now() - spooledMs < UNFINISHED_MS;
  return sys.now() - info.modifiedMs < FINISHED_MS;
}

/** It may be gone, and is not needed. */
function originalOf({ transcript }: SpoolHead): string | undefined {
  try {
    return readOriginal(transcript);
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return undefined;
    throw error;
  }
}

function headOf(line: string): SpoolHead | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // told as damaged
  }
  if (!isObject(value) || value.version !== 1 || !isAgentName(value.agent)) return undefined;
  const { host, session, issue, transcript, isUnfinished } = value;
  const fits = typeof host === "string" && typeof session === "string" &&
    (transcript === null || typeof transcript === "string") && Number.isSafeInteger(issue) &&
    (issue as number) >= 1;
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
