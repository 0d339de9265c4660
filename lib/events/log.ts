// The log of a workspace: `.agentx/log/YYYY-MM-DD.jsonl`, one line per event or operation.
//
// Other processes follow the work by reading it. The work never depends on it: a line that cannot be
// written is lost. Lines hold ids, codes, durations and counts, never text that users or agents wrote.

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

/** Appends to the log of a workspace; any number of processes may do so at once. */
export class EventLog {
  readonly #folder: string;
  readonly #warn: (message: string) => void;
  #hasWarned = false;

  /** Writes nothing yet; the folder is created with the first line. */
  constructor(folder: string, options: EventLogOptions) {
    const { warn } = options;
    this.#folder = folder;
    this.#warn = warn;
  }

  /** Appends a line to the file of the current day (UTC); what became known late has an earlier `timeMs`. */
  write(operation: string, fields: LogFields, timeMs: number = sys.now()): void {
    const time = new Date(timeMs).toISOString();
    const line = JSON.stringify({ time, operation, ...fields }, [
      "time",
      "operation",
      ...LOG_FIELDS,
    ]);
    const path = `${this.#folder}/${dayOf(sys.now())}.jsonl`;
    try {
      // The mode, which the user may choose in their configuration, is asked for only where it matters.
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

/** A full disk and a kill leave the beginning of a line: nothing may be added to that. */
function endsLine(path: string, size: number): boolean {
  const last = size === 0 ? undefined : sys.readPart(path, size - 1, 1)?.bytes[0];
  return last === undefined || last === NEWLINE;
}

/** Writes a line, as {@linkcode EventLog.write} does. */
export type WriteLog = (operation: string, fields: LogFields) => void;

/**
 * One line for an operation, with its duration and its end, or the code of its failure
 * (SPEC-AgentX section 12.2).
 */
export class LoggedOperation {
  readonly #write: (outcome: LogFields) => void;
  #durationMs = 0;

  /** Writes nothing yet. */
  constructor(write: WriteLog, operation: string, fields: LogFields) {
    this.#write = (outcome) =>
      write(operation, { ...fields, durationMs: this.#durationMs, ...outcome });
  }

  /**
   * Does the work, times it, and logs the code of an error.
   *
   * @throws {unknown} the error of the work; its code is in the log by then
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

  /** Logs the end of the operation and its outcome. Call this after the callers have the result. */
  end(outcome: LogFields): void {
    this.#write(outcome);
  }
}
