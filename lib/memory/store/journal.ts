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
import { isObservation } from "../is_observation.ts";
import type { Observation } from "../schema.ts";
import type { StoreChange } from "./change.ts";

/** The file `journal.jsonl`. It is read without a lock, and changed under that of the store. */
export class Journal {
  readonly path: string;
  readonly #tell: (message: string) => void;

  constructor(path: string, tell: (message: string) => void) {
    this.path = path;
    this.#tell = tell;
  }

  isEmpty(): boolean {
    return (sys.lstat(this.path)?.size ?? 0) === 0;
  }

  /** Whether it is there and every line of it can be read, but for what was cut off with its writer. */
  isWhole(): boolean {
    const lines = sys.readTextFile(this.path)?.split("\n").slice(0, -1);
    return lines?.every((line) => parseLine(line) !== undefined) ?? false;
  }

  /** In the order of their arrival; says which lines were left out. */
  read(): Observation[] {
    const lines = (sys.readTextFile(this.path) ?? "").split("\n");
    const tail = lines.pop();
    const skip = (number: number, why: string) =>
      this.#tell(`Skipped line ${number} of "${this.path}": ${why}`);
    const observations = lines.flatMap((line, index) => {
      const observation = parseLine(line);
      if (observation === undefined) skip(index + 1, "it is not an observation");
      return observation ?? [];
    });
    if (tail !== "") skip(lines.length + 1, "it is not finished; its writer was stopped");
    return observations;
  }

  /** Appends and waits for the disk. If that fails, nothing is left of it. */
  append(observations: readonly Observation[]): void {
    const file = sys.openFile(this.path) ?? sys.createFile(this.path, privateModes().file);
    if (file === undefined) {
      throw new TypeError(
        `Cannot open "${this.path}": it was created and removed at the same time`,
      );
    }
    try {
      const { size } = file.info();
      try {
        const lines = encodeJournal(observations);
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

  /** Drops all but some observations: the others are elsewhere, on the disk. */
  keep(observations: readonly Observation[], { verify, replaceFile }: StoreChange): void {
    verify();
    if (observations.length > 0) return replaceFile(this.path, encodeJournal(observations));
    const file = sys.openFile(this.path);
    try {
      file?.truncate(0);
    } finally {
      file?.close();
    }
  }

  #isUnfinished(size: number): boolean {
    if (size === 0) return false;
    const last = sys.readPart(this.path, size - 1, 1)?.bytes[0];
    return last !== "\n".charCodeAt(0);
  }
}

/** If it cannot be cut off, it does no harm: readers step over what is not a whole line. */
function cutOff(file: OpenFile, size: number): void {
  try {
    file.truncate(size);
  } catch {
    // The caller is told of the append that failed.
  }
}

/** As {@linkcode Journal.read} reads them. */
export function encodeJournal(observations: readonly Observation[]): string {
  return observations.map((each) => encodeJson(each) + "\n").join("");
}

function parseLine(line: string): Observation | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObservation(value) ? value : undefined;
  } catch {
    return undefined; // the caller names the line
  }
}
