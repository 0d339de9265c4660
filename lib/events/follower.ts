// Follows the log of a workspace while other processes write it, by polling: no watcher, no daemon.
//
// Guaranteed: each complete line is read once, in the order of its file, also across midnight (UTC),
// after a file was removed, and after it was truncated or replaced by a shorter one. A line that is still
// being written is read once it is complete; one that its writer never finished does not hide the next.
// Not guaranteed: lines that were written and removed again between two polls.

import { objectOf, tryParseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
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
  /** Identity of the file; empty if there was none. */
  id: string;
  /** Bytes; right after the end of a line. */
  offset: number;
  /** Within a line that is too long to be one of ours, and is skipped. */
  isInLongLine: boolean;
  newest: LogLine | undefined;
  /** The newest line of the file that this one replaced: this one may hold older lines. */
  known: LogLine | undefined;
}

const START: Position = {
  id: "",
  offset: 0,
  isInLongLine: false,
  newest: undefined,
  known: undefined,
};

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** Bytes read at a time; no line of the log is longer. */
const CHUNK_BYTES = 262_144;

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
      const size = sys.readPart(this.#path(day), 0, 0)?.info.size ?? 0;
      const start = Math.max(0, size - CHUNK_BYTES);
      const part = sys.readPart(this.#path(day), start, CHUNK_BYTES);
      if (part === undefined) continue;
      // A line that is not complete yet is read later.
      const end = part.bytes.lastIndexOf(NEWLINE) + 1;
      const newest = linesIn(part.bytes.subarray(0, end), START).reduce(newerOf, undefined);
      const isInLongLine = end === 0 && start > 0;
      const { id } = part.info;
      this.#positions.set(day, { ...START, id, offset: start + end, isInLongLine, newest });
    }
  }

  /** The next lines of a day; undefined if nothing is left for now. */
  #readChunk(day: string): LogLine[] | undefined {
    const position = this.#positions.get(day) ?? START;
    const { id, offset, isInLongLine } = position;
    // Including the byte before, to see whether a line still ends there.
    const start = Math.max(0, offset - 1);
    const part = sys.readPart(this.#path(day), start, CHUNK_BYTES);
    const isSame = part !== undefined && id === part.info.id && part.info.size >= offset &&
      (offset === 0 || isInLongLine || part.bytes[0] === NEWLINE);
    if (!isSame && id !== "") {
      const { newest } = position;
      this.#positions.set(day, { ...START, newest, known: newest });
      return [];
    }
    if (part === undefined) return undefined;
    const fresh = part.bytes.subarray(offset - start);
    const end = fresh.lastIndexOf(NEWLINE) + 1;
    const isTooLong = end === 0 && part.bytes.length === CHUNK_BYTES;
    const next = { ...position, id: part.info.id };
    if (end > 0) {
      const lines = linesIn(fresh.subarray(0, end), position);
      const newest = lines.reduce(newerOf, position.newest);
      this.#positions.set(day, { ...next, offset: offset + end, isInLongLine: false, newest });
      return lines;
    }
    if (isTooLong) next.offset += fresh.length;
    this.#positions.set(day, { ...next, isInLongLine: isInLongLine || isTooLong });
    return isTooLong ? [] : undefined;
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

/** The lines of a chunk that ends at the end of a line, without those that were read before. */
function linesIn(chunk: Uint8Array, { isInLongLine, known }: Position): LogLine[] {
  const texts = new TextDecoder().decode(chunk).split("\n").slice(isInLongLine ? 1 : 0, -1);
  const lines = texts.flatMap((text) => parseLine(text) ?? []);
  if (known === undefined) return lines;
  const isKnown = (line: LogLine) =>
    line.time < known.time || JSON.stringify(line) === JSON.stringify(known);
  return lines.filter((line) => !isKnown(line));
}

function newerOf(newest: LogLine | undefined, line: LogLine): LogLine | undefined {
  return newest === undefined || line.time >= newest.time ? line : newest;
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
