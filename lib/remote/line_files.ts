// The lines that machines share, as local files: one with the lines of this machine, and a copy for each other machine.
// Files only grow. At the remote, each machine has one ref that only it writes. The tree of that ref has the lines in
// files of about 256 KB, so a push sends only the last file.

import { AgentxError } from "../base/errors.ts";
import { encodeLine, parseLine } from "../lines/line.ts";
import { sys } from "../sys/mod.ts";
import { isListOfTexts, isObject, isTime, tryParseJson } from "../base/checks.ts";
import { isMachine, type Machine } from "./claims.ts";
import { lineProblem, type SharedLine } from "./fold.ts";

/** The message of a commit on a machine's ref. */
export interface MachineHead {
  v: 1;
  machine: Machine;
  /** Number of files in the tree of the commit. */
  files: number;
  /** Time of the commit, ISO-8601, UTC, by the clock of that machine. */
  at: string;
  /** The machine answers questions to these roles. */
  serves: string[];
}

/** Prefix of the refs of machines; the id of the machine follows. */
export const MACHINES = "refs/agentx/machines/";

/** Length in characters beyond which a new file begins. */
const FILE_CHARACTERS = 262_144;

/** Maximum size of a file of another machine that is read, in bytes. */
export const MAX_LINE_FILE_BYTES = 4_194_304;

/** Maximum number of files of one machine. */
const MAX_FILES = 400;

/** Maximum lines of one machine in one clarification, because ordering lines takes time. */
const MAX_OF_ONE = 200;

const MAX_PROBLEMS = 20;

/** The local files with the lines of each machine. */
export class LineFiles {
  readonly #folder: string;
  readonly #own: string;

  constructor(folder: string, own: string) {
    this.#folder = `${folder}/lines`;
    this.#own = own;
  }

  /** Returns the lines of a machine, oldest first, without duplicates. */
  of(machine: string): SharedLine[] {
    const text = sys.readTextFile(this.#path(machine), 512 * 1024 * 1024) ?? "";
    const known = new Set<string>();
    return text.split("\n").flatMap((raw) => {
      const line = raw === "" ? "" : parseLine(raw);
      if (typeof line === "string" || known.has(line.id)) return []; // also skips a line that a kill cut off
      known.add(line.id);
      return [line as SharedLine];
    });
  }

  /** Adds lines; they are on disk when it returns. It makes a single write, so writers need no lock. */
  add(machine: string, lines: readonly SharedLine[]): void {
    if (lines.length === 0) return;
    sys.makeDir(this.#folder, 0o700);
    const path = this.#path(machine);
    // The text begins with a line end, because a kill may have cut off the last line.
    sys.appendTextFile(path, `\n${lines.map(encodeLine).join("")}`, 0o600);
    const file = sys.openFile(path);
    file?.sync();
    file?.close();
  }

  /**
   * Adds the lines of a machine at the remote that are missing locally. Known lines stay as they were first read.
   *
   * @returns one sentence for each refusal
   */
  take(machine: Machine, texts: readonly string[]): string[] {
    const problems: string[] = [];
    const known = new Map(this.of(machine.id).map((line) => [line.id, line]));
    const counts = new Map<string, number>();
    for (const { uid } of known.values()) counts.set(uid, (counts.get(uid) ?? 0) + 1);
    const seen = new Set<string>();
    const added: SharedLine[] = [];
    const raws = texts.flatMap((text) => text.split("\n")).filter((raw) => raw !== "");
    for (const [index, raw] of raws.entries()) {
      const line = parseLine(raw);
      const why = typeof line === "string" ? line : lineProblem(line, machine.id);
      if (typeof line === "string" || why !== undefined) {
        problems.push(`Line ${index + 1} of ${machine.name} is refused: ${why}`);
        continue;
      }
      seen.add(line.id);
      const before = known.get(line.id);
      if (before !== undefined) {
        if (encodeLine(before) !== encodeLine(line)) {
          problems.push(`Line ${index + 1} of ${machine.name} was changed since it was read`);
        }
        continue;
      }
      const count = (counts.get(line.uid) ?? 0) + 1;
      counts.set(line.uid, count);
      if (count > MAX_OF_ONE) {
        problems.push(`${machine.name} says more than ${MAX_OF_ONE} things on ${line.uid}`);
        continue;
      }
      known.set(line.id, line as SharedLine);
      added.push(line as SharedLine);
    }
    const gone = [...known.keys()].filter((id) => !seen.has(id)).length;
    if (gone > 0) problems.push(`${gone} lines of ${machine.name} that were read are gone there`);
    this.add(machine.id, added);
    const more = problems.length - MAX_PROBLEMS;
    return more <= 0 ? problems : [
      ...problems.slice(0, MAX_PROBLEMS),
      `${more} more problems in the lines of ${machine.name}`,
    ];
  }

  #path(machine: string): string {
    return `${this.#folder}/${machine}.jsonl`;
  }
}

/** Returns lines as the files of a tree; a full file never changes again. */
export function lineFilesOf(lines: readonly SharedLine[]): { name: string; text: string }[] {
  const files: string[] = [""];
  for (const line of lines) {
    if (files.at(-1)!.length > FILE_CHARACTERS) files.push("");
    files[files.length - 1] += encodeLine(line);
  }
  return files.map((text, index) => ({ name: fileName(index), text }));
}

export function fileName(index: number): string {
  return `${String(index + 1).padStart(4, "0")}.jsonl`;
}

/** Reads the message of a commit; if it is not that of a machine, returns the reason in a few words. */
export function parseHead(subject: string | undefined, id: string): MachineHead | string {
  const value = subject === undefined ? undefined : tryParseJson(subject);
  if (!isObject(value)) return "its commit is not that of a machine";
  if (value.v !== 1) return `a newer agentx wrote it (version ${String(value.v).slice(0, 20)})`;
  const { machine, files, at, serves } = value;
  if (!isMachine(machine) || machine.id !== id) return "it names another machine than its ref";
  const isCount = Number.isSafeInteger(files) && (files as number) >= 0;
  if (!isCount || (files as number) > MAX_FILES || !isTime(at) || !isListOfTexts(serves)) {
    return "its commit is incomplete";
  }
  return value as unknown as MachineHead;
}

/** Returns the error for another machine that writes to the ref of this one, such as a copy of its user's folder. */
export function notAlone(remote: string): AgentxError<"SYNC_ERROR"> {
  const reason = "another machine uses the id of this one, such as a copy of its disk";
  return new AgentxError("SYNC_ERROR", `Cannot send questions to ${remote}: ${reason}`, {
    details: { remote, reason },
    next: "Give this machine an id of its own: agentx remote none, then agentx remote git",
  });
}
