// The lines that machines share, as files of this one: its own, and a copy of those of each other machine. They only
// grow. At the remote each machine has one ref, which only that machine writes; its tree has the lines in files of
// about 256 KB, so a push sends the last file alone.

import { AgentxError } from "../base/errors.ts";
import { encodeLine, parseLine } from "../lines/line.ts";
import { sys } from "../sys/mod.ts";
import { isListOfTexts, isObject, isTime, tryParseJson } from "../base/checks.ts";
import { isMachine, type Machine } from "./claims.ts";
import { lineProblem, type SharedLine } from "./fold.ts";

/** The line of a commit of a machine's ref. */
export interface MachineHead {
  v: 1;
  machine: Machine;
  /** How many files its tree has. */
  files: number;
  /** ISO-8601, UTC, by its clock: when it wrote the commit. */
  at: string;
  /** It answers questions to these roles. */
  serves: string[];
}

/** The refs of machines, each by its id. */
export const MACHINES = "refs/agentx/machines/";

/** A new file begins here, in characters. */
const FILE_CHARACTERS = 262_144;

/** No file of another machine is read beyond this, in bytes. */
export const MAX_LINE_FILE_BYTES = 4_194_304;

/** No machine has more files. */
const MAX_FILES = 400;

/** No machine says more in one clarification: ordering takes time. */
const MAX_OF_ONE = 200;

const MAX_PROBLEMS = 20;

/** Lines of several machines. */
export class LineFiles {
  readonly #folder: string;
  readonly #own: string;

  constructor(folder: string, own: string) {
    this.#folder = `${folder}/lines`;
    this.#own = own;
  }

  /** The lines of a machine, oldest first, each once. */
  of(machine: string): SharedLine[] {
    const text = sys.readTextFile(this.#path(machine), 512 * 1024 * 1024) ?? "";
    const known = new Set<string>();
    return text.split("\n").flatMap((raw) => {
      const line = raw === "" ? "" : parseLine(raw);
      if (typeof line === "string" || known.has(line.id)) return []; // one that a kill has cut off
      known.add(line.id);
      return [line as SharedLine];
    });
  }

  /** Adds lines; they are on the disk when it returns. One write, so that writers need no lock. */
  add(machine: string, lines: readonly SharedLine[]): void {
    if (lines.length === 0) return;
    sys.makeDir(this.#folder, 0o700);
    const path = this.#path(machine);
    // It begins with a line end, because a kill may have cut off the last line.
    sys.appendTextFile(path, `\n${lines.map(encodeLine).join("")}`, 0o600);
    const file = sys.openFile(path);
    file?.sync();
    file?.close();
  }

  /**
   * Adds the lines that a machine has at the remote and that are not here yet.
   *
   * @returns refusals, one sentence each; lines that are known here stay as they were read first
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

/** Lines as the files of a tree; a file that is full never changes again. */
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

/** Reads the line of a commit; or says in a few words why it is none. */
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

/** Where another machine writes to the ref of this one, as a copy of its user's folder does. */
export function notAlone(remote: string): AgentxError<"SYNC_ERROR"> {
  const reason = "another machine uses the id of this one, such as a copy of its disk";
  return new AgentxError("SYNC_ERROR", `Cannot send questions to ${remote}: ${reason}`, {
    details: { remote, reason },
    next: "Give this machine an id of its own: agentx remote none, then agentx remote git",
  });
}
