/**
 * The log of a workspace: `.agentx/log/YYYY-MM-DD.jsonl`, one line per event or operation.
 *
 * Other processes follow along by reading it, and the work never depends on it: a line that cannot
 * be written is lost. Lines hold ids, codes, durations and counts, never text that users or agents
 * wrote.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import { sys } from "../sys/mod.ts";
import { privateModes } from "../sys/modes.ts";

/** What a line may hold besides its time and operation; a field with any other name is left out. */
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

/** Options of {@linkcode EventLog}. */
export interface EventLogOptions {
  /** Called once if the log cannot be written. */
  warn: (message: string) => void;
}

/** Appends to the log of a workspace; any number of processes may do so at once. */
export class EventLog {
  readonly #folder: string;
  readonly #warn: (message: string) => void;
  #hasFolder = false;
  #hasWarned = false;

  /**
   * Makes a log; nothing is written yet.
   *
   * @param folder `.agentx/log`, which is made with the first line
   * @param options where warnings go
   */
  constructor(folder: string, options: EventLogOptions) {
    const { warn } = options;
    this.#folder = folder;
    this.#warn = warn;
  }

  /**
   * Appends a line to the file of the day, which changes at midnight UTC.
   *
   * @param operation the name of an event, or of an operation such as `lock-waited`
   * @param fields what it was about; a payload of an event will do
   */
  write(operation: string, fields: LogFields): void {
    const time = new Date(sys.now()).toISOString();
    const line = JSON.stringify({ time, operation, ...fields }, [
      "time",
      "operation",
      ...LOG_FIELDS,
    ]);
    try {
      const modes = privateModes();
      if (!this.#hasFolder) sys.makeDir(this.#folder, modes.folder);
      this.#hasFolder = true;
      sys.appendTextFile(`${this.#folder}/${time.slice(0, 10)}.jsonl`, `${line}\n`, modes.file);
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error;
      this.#hasFolder = false;
      if (!this.#hasWarned) {
        this.#warn(`The log is incomplete: ${error.oneLine}`);
      }
      this.#hasWarned = true;
    }
  }
}
