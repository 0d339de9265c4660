/**
 * The newest observations, one JSON per line: all that a capture has to write.
 *
 * An append that was acknowledged is on the disk. A line that was not finished, because its writer
 * was killed, is stepped over: the next one begins on a line of its own.
 *
 * @module
 */

import { type OpenFile, sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import { encodeJson } from "../../text/text.ts";
import type { Observation } from "../schema.ts";
import { isObservation } from "./memory_file.ts";

/** What is in the journal. */
export interface JournalContent {
  /** In the order of their arrival. */
  observations: Observation[];
  /** One sentence for each line that could not be read. */
  problems: string[];
}

/**
 * @param observations in the order of their arrival
 * @returns their lines
 */
export function encodeJournal(observations: readonly Observation[]): string {
  return observations.map((each) => encodeJson(each) + "\n").join("");
}

/** The file `journal.jsonl`. Whoever changes it holds the lock of the store. */
export class Journal {
  /** Where it is. */
  readonly path: string;

  /** @param path `.agentx/memory/journal.jsonl` */
  constructor(path: string) {
    this.path = path;
  }

  /**
   * Reads it as it is now, without a lock.
   *
   * @returns its observations, and what could not be read
   */
  read(): JournalContent {
    const content: JournalContent = { observations: [], problems: [] };
    const text = sys.readTextFile(this.path) ?? "";
    if (text === "") return content;
    const lines = text.split("\n");
    const tail = lines.pop() as string;
    const problem = (number: number, why: string) =>
      content.problems.push(`Skipped line ${number} of "${this.path}": ${why}`);
    for (const [index, line] of lines.entries()) {
      const observation = parseLine(line);
      if (observation !== undefined) content.observations.push(observation);
      else problem(index + 1, "it is no observation");
    }
    if (tail !== "") problem(lines.length + 1, "it is not finished; its writer was stopped");
    return content;
  }

  /**
   * Appends and waits for the disk. If that fails, nothing is left of it.
   *
   * @param observations what to append
   * @throws {AgentxError} `IO_ERROR`
   */
  append(observations: readonly Observation[]): void {
    const lines = encodeJournal(observations);
    const file = sys.openFile(this.path) ?? sys.createFile(this.path, privateModes().file);
    if (file === undefined) {
      throw new TypeError(`Cannot open "${this.path}": it is in no one's way`);
    }
    try {
      const { size } = file.info();
      try {
        file.writeAt(this.#isUnfinished(size) ? `\n${lines}` : lines, "end");
        file.sync();
      } catch (error) {
        cutOff(file, size);
        throw error;
      }
    } finally {
      file.close();
    }
  }

  /** Empties it: what was in it is elsewhere, on the disk. */
  clear(): void {
    const file = sys.openFile(this.path);
    if (file === undefined) return;
    try {
      file.truncate(0);
    } finally {
      file.close();
    }
  }

  #isUnfinished(size: number): boolean {
    if (size === 0) return false;
    const last = sys.readPart(this.path, size - 1, 1)?.bytes[0];
    return last !== "\n".charCodeAt(0);
  }
}

/** Nobody was told that the rest is there; a reader steps over what is not a whole line. */
function cutOff(file: OpenFile, size: number): void {
  try {
    file.truncate(size);
  } catch {
    // The disk refused the append, and the caller is told of that.
  }
}

function parseLine(line: string): Observation | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObservation(value) ? value : undefined;
  } catch {
    return undefined; // the caller names the line
  }
}
