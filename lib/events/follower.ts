// Follows the log of a workspace by polling while other processes write it: no watcher, no daemon.
//
// Guaranteed: each complete line is read once, in the order of its file, also across midnight (UTC); a file that was
// removed, emptied or replaced is read from its start. A line that is still being written is read once it is complete;
// a line that its writer never finished does not hide the next one. Not guaranteed: lines that were written and removed
// again between two polls.

import { objectOf, tryParseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { type FilePart, sys } from "../sys/mod.ts";
import { DAY_MS, dayOf } from "../base/time.ts";
import { LOG_FIELDS } from "./log.ts";

/** A line of the log (SPEC-1 section 12.3). */
export interface LogLine {
  /** ISO-8601, UTC. */
  time: string;
  /** The name of an event, or of an operation such as `lock-waited`. */
  operation: string;
  /** Details, such as `clarificationId`, `fromAgent` or `durationMs`. */
  [field: string]: string | number | boolean | null | undefined;
}

export interface LogFollowerOptions {
  /** Start with lines of this time, in milliseconds since the epoch. If absent, only new lines are read. */
  sinceMs?: number;
  /** Called once for each reason why the log cannot be read. */
  warn?: (message: string) => void;
}

/** The end of the part of a file that was read. */
interface Position {
  /**
   * The beginning of the file, with the time of its first line. It shows if another file took its place, even with the
   * same inode.
   */
  head: string;
  /** Offset in bytes. */
  offset: number;
}

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** Bytes read at a time; longer than any line of the log. */
const CHUNK_BYTES = 262_144;

/** Length of a line's beginning, including its time. */
const HEAD_BYTES = '{"time":"2026-02-26T12:00:00.000Z"'.length;

const NEWLINE = 10;

/** Reads the new lines of the log at each {@linkcode LogFollower.poll}. */
export class LogFollower {
  readonly #folder: string;
  readonly #sinceMs: number | undefined;
  readonly #warn: (message: string) => void;
  readonly #positions = new Map<string, Position>();
  readonly #warnings = new Set<string>();
  /** Days to read before those around today, if reading starts in the past. */
  #earlierDays: string[] = [];

  /** Starts to follow the log in a folder that need not exist yet. */
  constructor(folder: string, options: LogFollowerOptions = {}) {
    const { sinceMs, warn = () => {} } = options;
    this.#folder = folder;
    this.#sinceMs = sinceMs;
    this.#warn = warn;
    this.#attempt(() => {
      if (sinceMs === undefined) this.#skipToEnd();
      else this.#earlierDays = this.#daysFrom(dayOf(sinceMs));
    });
  }

  /** Yields the lines that were written since the last call, file by file. Invalid lines are left out. */
  *poll(): Generator<LogLine> {
    const days = new Set([...this.#earlierDays.splice(0), ...this.#daysAround()]);
    for (const day of days) {
      while (true) {
        const lines = this.#attempt(() => this.#readChunk(day));
        if (lines === undefined) break;
        yield* lines.filter(({ time }) => Date.parse(time) >= (this.#sinceMs ?? -Infinity));
      }
    }
  }

  /** Returns yesterday, today and tomorrow, because the clocks of hosts may differ, and a line may be written late. */
  #daysAround(): string[] {
    return [-DAY_MS, 0, DAY_MS].map((ms) => dayOf(sys.now() + ms));
  }

  #daysFrom(first: string): string[] {
    return sys.readDir(this.#folder)
      .flatMap((name) => DAY_FILE.exec(name)?.[1] ?? [])
      .filter((day) => day >= first && day <= dayOf(sys.now()));
  }

  #skipToEnd(): void {
    for (const day of this.#daysAround()) {
      const part = sys.readPart(this.#path(day), 0, HEAD_BYTES);
      const offset = Math.max(0, (part?.info.size ?? 0) - CHUNK_BYTES);
      this.#positions.set(day, { head: textOf(part), offset });
      this.#readChunk(day); // reads past complete lines; an incomplete line is read later
    }
  }

  /** Returns the next lines of a day; undefined if nothing is left for now. */
  #readChunk(day: string): LogLine[] | undefined {
    const { head, offset } = this.#positions.get(day) ?? { head: "", offset: 0 };
    const begins = textOf(sys.readPart(this.#path(day), 0, HEAD_BYTES));
    const part = sys.readPart(this.#path(day), offset, CHUNK_BYTES);
    if (!begins.startsWith(head) || (part?.info.size ?? 0) < offset) {
      this.#positions.delete(day);
      return [];
    }
    const { bytes } = part ?? { bytes: new Uint8Array() };
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    const read = whole === 0 && bytes.length === CHUNK_BYTES ? CHUNK_BYTES : whole; // no line of agentx is that long
    this.#positions.set(day, { head: begins, offset: offset + read });
    return read === 0 ? undefined : linesIn(bytes.subarray(0, whole));
  }

  #path(day: string): string {
    return `${this.#folder}/${day}.jsonl`;
  }

  /** Runs an action. If it fails, reports the reason once and returns undefined: the work never depends on the log. */
  #attempt<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      const { summary } = error;
      if (!this.#warnings.has(summary)) this.#warn(`Cannot follow the log: ${summary}`);
      this.#warnings.add(summary);
      return undefined;
    }
  }
}

function textOf(part: FilePart | undefined): string {
  return new TextDecoder().decode(part?.bytes);
}

/** Parses the lines of a chunk that ends with a line end. */
function linesIn(chunk: Uint8Array): LogLine[] {
  return new TextDecoder().decode(chunk).split("\n").flatMap((text) => parseLine(text) ?? []);
}

/** Parses a line. A killed writer may have left the beginning of another line in front of it, which is skipped. */
function parseLine(text: string): LogLine | undefined {
  const value = objectOf(
    tryParseJson(text) ?? tryParseJson(text.slice(text.lastIndexOf('{"time":'))),
  );
  const { time, operation } = value;
  if (typeof time !== "string" || typeof operation !== "string") return undefined;
  if (Number.isNaN(Date.parse(time))) return undefined;
  const fields = LOG_FIELDS.flatMap((field) => {
    const content = value[field];
    return content === undefined || typeof content === "object" ? [] : [[field, content]];
  });
  return { time, operation, ...Object.fromEntries(fields) };
}
