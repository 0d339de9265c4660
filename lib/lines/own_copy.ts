// A copy of the lines that this checkout wrote. It is one text file per month in the state folder, which git ignores.
//
// An ordinary `git stash -u`, `clean` or `reset` takes uncommitted files away. A line is in the copy before it is in
// its file, so none of these loses an acknowledged line.

import { privateModes } from "../sys/modes.ts";
import { sys } from "../sys/mod.ts";
import { replaceFile } from "../sys/replace_file.ts";
import { appendLines } from "./append.ts";

export interface CopiedLine {
  /** The file that the line was written to, relative to the folder of the lines. */
  file: string;
  /** The offset of the end of the line in that file, in bytes. */
  end: number;
  /** The line as it was written, without its end. */
  raw: string;
}

const COPY = /^(\S+) (\d+) (\{.*\})$/;

/** The copies of one kind of lines. */
export class OwnCopy {
  readonly #folder: string;
  readonly #kind: string;

  constructor(folder: string, kind: string) {
    this.#folder = folder;
    this.#kind = kind;
  }

  /** Returns the paths of the copies, the oldest first. */
  paths(): string[] {
    return sys.readDir(this.#folder)
      .filter((name) => name.startsWith(`${this.#kind}-`) && name.endsWith(".txt"))
      .sort()
      .map((name) => `${this.#folder}/${name}`);
  }

  /** Rewrites each copy where `edit` changes a line, and updates the offsets of the lines behind it. */
  rewrite(edit: (raw: string) => string[]): void {
    for (const path of this.paths()) {
      const text = sys.readTextFile(path, 512 * 1024 * 1024) ?? "";
      const shorter = new Map<string, number>();
      const left = copiedLines(text).flatMap(({ file, end, raw }) => {
        const edited = edit(raw);
        const length = edited.reduce((sum, each) => sum + bytesOf(each) + 1, 0);
        const less = (shorter.get(file) ?? 0) + bytesOf(raw) + 1 - length;
        shorter.set(file, less);
        return edited.map((raw) => `${file} ${end - less} ${raw}\n`);
      }).join("");
      if (left === text) continue;
      replaceFile(path, left, { mode: privateModes().file });
    }
  }

  /** Adds lines to the copy of a month, such as `2026-11`; when the call returns, they are on the disk. */
  append(month: string, lines: readonly CopiedLine[]): void {
    const text = lines.map(({ file, end, raw }) => `${file} ${end} ${raw}\n`).join("");
    this.#add(`${this.#kind}-${month}.txt`, text);
  }

  /** Keeps a line that cannot be read, for a person who wants to look at it. */
  setAside(raw: string): void {
    this.#add(`${this.#kind}.damaged`, `${raw}\n`);
  }

  #add(name: string, text: string): void {
    sys.makeDir(this.#folder, privateModes().folder);
    const path = `${this.#folder}/${name}`;
    if (appendLines(path, text) !== undefined) return;
    sys.writeNewFile(path, text, { fsync: true, mode: privateModes().file });
  }
}

/** Returns the lines of a copy, in their order. A line that is cut off was never acknowledged, and is skipped. */
export function copiedLines(text: string): CopiedLine[] {
  return text.split("\n").flatMap((line) => {
    const [, file, end, raw] = COPY.exec(line) ?? [];
    return raw === undefined ? [] : [{ file, end: Number(end), raw }];
  });
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
