// The log of a workspace: `.agentx/log/YYYY-MM-DD.jsonl`, one line per event or operation.
//
// Other processes read the log to follow the work. The work never depends on the log: a line that cannot be written is
// lost. Lines hold ids, codes, durations and counts, never text that users or agents wrote.

import { AgentxError, hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { privateModes } from "../sys/modes.ts";
import { dayOf } from "../base/time.ts";

const NEWLINE = "\n".charCodeAt(0);

/** The fields of a line besides its time and operation; any other field is dropped. */
export const LOG_FIELDS = [
  "clarificationId",
  "issueNumber",
  "sessionId",
  "agent",
  "fromAgent",
  "toAgent",
  "blocking",
  "round",
  "status",
  "code",
  "kind",
  "filePath",
  "waitedMs",
  "durationMs",
  "exitCode",
  "passed",
  "tool",
  "taskId",
  "channelId",
  "direction",
  "source",
  "oldState",
  "newState",
  "count",
  "before",
  "after",
  "staleCount",
  "stuckCount",
  "deadlockedCount",
  "abandonedCount",
  "originalTokens",
  "compactedTokens",
  "totalTokens",
] as const;

/** The fields of a line (SPEC-1 section 12.3). */
export type LogFields = {
  [Field in typeof LOG_FIELDS[number]]?: string | number | boolean | null;
};

export interface EventLogOptions {
  /** Called once if the log cannot be written. */
  warn: (message: string) => void;
}

/** Appends to the log of a workspace. Any number of processes may do so at the same time. */
export class EventLog {
  readonly #folder: string;
  readonly #warn: (message: string) => void;
  #hasWarned = false;

  /** Makes a log without writing; the first line creates the folder. */
  constructor(folder: string, options: EventLogOptions) {
    const { warn } = options;
    this.#folder = folder;
    this.#warn = warn;
  }

  /** Appends a line to the file of the current day (UTC). For an event that became known late, `timeMs` is earlier. */
  write(operation: string, fields: LogFields, timeMs: number = sys.now()): void {
    const time = new Date(timeMs).toISOString();
    const line = JSON.stringify({ time, operation, ...fields }, [
      "time",
      "operation",
      ...LOG_FIELDS,
    ]);
    const path = `${this.#folder}/${dayOf(sys.now())}.jsonl`;
    try {
      // The user may configure the modes. They are read only if the file is new.
      const info = sys.lstat(path);
      const modes = info === undefined ? privateModes() : undefined;
      if (modes !== undefined) sys.makeDir(this.#folder, modes.folder);
      const before = info === undefined || endsLine(path, info.size) ? "" : "\n";
      sys.appendTextFile(path, `${before}${line}\n`, modes?.file);
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error;
      if (!this.#hasWarned) {
        this.#warn(`The log is incomplete: ${error.oneLine}`);
      }
      this.#hasWarned = true;
    }
  }
}

/**
 * Whether a file ends with a complete line. A full disk or a kill may leave the beginning of a line, and nothing may be
 * appended to that.
 */
function endsLine(path: string, size: number): boolean {
  const last = size === 0 ? undefined : sys.readPart(path, size - 1, 1)?.bytes[0];
  return last === undefined || last === NEWLINE;
}

/** Writes a line like {@linkcode EventLog.write}. */
export type WriteLog = (operation: string, fields: LogFields) => void;

/**
 * Writes one line for an operation, with its duration and its outcome, or the code of its error (SPEC-AgentX section
 * 12.2).
 */
export class LoggedOperation {
  readonly #write: (outcome: LogFields) => void;
  #durationMs = 0;

  /** Makes an operation without writing a line. */
  constructor(write: WriteLog, operation: string, fields: LogFields) {
    this.#write = (outcome) =>
      write(operation, { ...fields, durationMs: this.#durationMs, ...outcome });
  }

  /**
   * Runs the work, measures its duration, and logs the code of an error.
   *
   * @throws {unknown} the error of the work; its code is already in the log
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const startMs = performance.now();
    const note = () => this.#durationMs = Math.round(performance.now() - startMs);
    try {
      const result = await work();
      note();
      return result;
    } catch (error) {
      note();
      this.#write({ code: error instanceof AgentxError ? error.code : "UNEXPECTED" });
      throw error;
    }
  }

  /** Logs the outcome of the operation. Call this after the callers have the result. */
  end(outcome: LogFields): void {
    this.#write(outcome);
  }
}
