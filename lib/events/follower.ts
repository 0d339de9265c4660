// Follows the log of a workspace while other processes write it, by polling: no watcher, no daemon.
//
// Guaranteed: each complete line is read once, in the order of its file, also across midnight (UTC); a file
// that was removed, emptied or replaced is read from its start. A line that is still being written is read
// once it is complete; one that its writer never finished does not hide the next.
// Not guaranteed: lines that were written and removed again between two polls.

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
  /** Start with lines of this time, in milliseconds since the epoch; by default, only new lines. */
  sinceMs?: number;
  /** Called once for each reason why the log cannot be read. */
  warn?: (message: string) => void;
}

/** How far a file was read. */
interface Position {
  /** How it begins, with the time of its first line: another file, even of the same inode, does not. */
  head: string;
  /** Bytes. */
  offset: number;
}

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** Bytes read at a time; no line of the log is longer. */
const CHUNK_BYTES = 262_144;

/** As far as the time of a line. */
const HEAD_BYTES = '{"time":"2026-02-26T12:00:00.000Z"'.length;

const NEWLINE = 10;

/** Reads the new lines of the log at each {@linkcode LogFollower.poll}. */
export class LogFollower {
  readonly #folder: string;
  readonly #sinceMs: number | undefined;
  readonly #warn: (message: string) => void;
  readonly #positions = new Map<string, Position>();
  readonly #warnings = new Set<string>();
  /** Days before those around today, to start in the past. */
  #earlierDays: string[] = [];

  /** Starts to follow the log in a folder, which need not exist. */
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

  /** Reads the lines that were written since the last call, file by file; others are left out. */
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

  /** The clocks of several hosts may differ, and a line may be written late. */
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
      this.#readChunk(day); // a line that is not complete yet is read later
    }
  }

  /** The next lines of a day; undefined if nothing is left for now. */
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
    const read = whole === 0 && bytes.length === CHUNK_BYTES ? CHUNK_BYTES : whole; // it is none of ours
    this.#positions.set(day, { head: begins, offset: offset + read });
    return read === 0 ? undefined : linesIn(bytes.subarray(0, whole));
  }

  #path(day: string): string {
    return `${this.#folder}/${day}.jsonl`;
  }

  /** Work never depends on the log: what cannot be read is reported once, and tried again. */
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

/** The lines of a chunk that ends at the end of a line. */
function linesIn(chunk: Uint8Array): LogLine[] {
  return new TextDecoder().decode(chunk).split("\n").flatMap((text) => parseLine(text) ?? []);
}

/** A writer that was killed leaves the beginning of a line in front of the next one. */
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
