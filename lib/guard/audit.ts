// The record of the commands that agents were allowed to run: `.agentx/state/audit/WRITER.jsonl`, one file per
// session. Each line carries the hash of the line before it.
//
// Guaranteed: an acknowledged line is on the disk, and `verify` finds each line that was changed, removed or moved by
// hand. Not guaranteed: if somebody rewrites all lines, their hashes and the head, `verify` does not detect it, since
// the record has no secret key of its own.

import { isObject, tryParseJson } from "../base/checks.ts";
import { sha256 } from "../base/sha256.ts";
import { DAY_MS } from "../base/time.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import { withoutSecrets } from "../redact/border.ts";
import { mayHoldSecret } from "../redact/hint.ts";
import { privateModes } from "../sys/modes.ts";
import { sys } from "../sys/mod.ts";
import type { Verdict } from "./rules/rule.ts";

/** The decision about one command. */
export interface AuditEntry {
  /** ISO-8601, UTC. */
  time: string;
  /** The role that wanted to run the command; null if the role is not known. */
  agent: string | null;
  issue: number | null;
  /** The command, redacted. */
  command: string;
  verdict: Verdict;
  rule: string;
  /** The decider: `rules`, a `human` through agentx, or the person at the host's own `prompt`. */
  by: string;
  /** Null while the command runs, or if its host does not report the exit code. */
  exitCode: number | null;
  /** Null while the command runs, or if the host calls no hook after it. */
  durationMs: number | null;
}

/** How a command ended. */
export type AuditEnd = Pick<AuditEntry, "exitCode" | "durationMs">;

/** A line as it is stored on the disk. */
export interface AuditLine extends AuditEntry {
  seq: number;
  /** The session, or another writer of the record. */
  writer: string;
}

/** A place where the record differs from the text that agentx wrote. */
export interface AuditProblem {
  path: string;
  /** 1-based; null if the problem concerns the whole file. */
  line: number | null;
  problem: string;
}

/** The size at which a file is renamed and kept, and a new file is started. */
const MAX_BYTES = 1_000_000;

/** The number of kept files for each session, besides the current one. */
const MAX_KEPT = 9;

/** A record is removed if its session has written nothing for this long. */
const MAX_AGE_MS = 90 * DAY_MS;

const MAX_COMMAND = 2_000;

/** The number of bytes at the end of a file that are searched for an ended command. */
const END_BYTES = 65_536;

const START = "0".repeat(64);

const LINE = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/;

const OLD = /^(.+)\.([0-9]{9})\.jsonl$/;

export class AuditLog {
  readonly #folder: string;
  readonly #locks: FileLockManager;

  constructor(home: string, locks: FileLockManager) {
    this.#folder = `${home}/state/audit`;
    this.#locks = locks;
  }

  /** Adds a line. The line is on the disk when the method returns. `session` names the file. */
  async add(session: string, entry: Omit<AuditEntry, "time">): Promise<void> {
    const path = this.#pathOf(session);
    const command = await kept(entry.command, () => linesAtEnd(path));
    await this.#addLine(session, () => ({ ...entry, command }));
  }

  /**
   * Records how a command ended, for its last allowed run. Without a record of the command, nothing is added.
   *
   * @param end its duration is null if the host does not report it; then the time since the command was allowed
   *   counts
   */
  async end(session: string, command: string, { exitCode, durationMs }: AuditEnd): Promise<void> {
    const path = this.#pathOf(session);
    if (sys.lstat(path) === undefined) return;
    const text = await kept(command, () => linesAtEnd(path));
    await this.#addLine(session, () => {
      const lines = linesAtEnd(path);
      const ended = new Set(lines.map(({ ends }) => ends));
      const found = lines.findLast((line) =>
        line.command === text && (line.verdict === "allow" || line.by === "prompt") &&
        !ended.has(line.seq)
      );
      if (found === undefined) return undefined;
      const took = durationMs ?? sys.now() - Date.parse(String(found.time));
      return { ends: found.seq, exitCode, durationMs: Math.round(took) };
    });
  }

  #pathOf(session: string): string {
    return `${this.#folder}/${writerOf(session)}.jsonl`;
  }

  async #addLine(session: string, make: () => object | undefined): Promise<void> {
    const writer = writerOf(session);
    const path = `${this.#folder}/${writer}.jsonl`;
    const modes = privateModes();
    sys.makeDir(this.#folder, modes.folder);
    await this.#locks.withSafeLock(path, "guard", async () => {
      const entry = make();
      if (entry === undefined) return;
      if (sys.lstat(path) === undefined) this.#prune();
      const start = { seq: 0, hash: START };
      const head = readHead(this.#folder, writer);
      if (head === undefined) this.#write(writer, start, modes.file);
      const { seq, hash } = this.#end(path, writer) ?? head ?? start;
      const time = new Date(sys.now()).toISOString();
      const line = { seq: seq + 1, prev: hash, writer, time, ...entry };
      const body = JSON.stringify(line).slice(0, -1);
      const next = await hashOf(body);
      this.#append(path, `${body},"hash":"${next}"}\n`, modes.file);
      this.#write(writer, { seq: seq + 1, hash: next }, modes.file);
      if ((sys.lstat(path)?.size ?? 0) > MAX_BYTES) this.#rotate(path, writer, seq + 1);
    });
  }

  /** Returns all readable entries in the order of time. Each command includes how it ended. */
  read(): AuditLine[] {
    return this.#writers().flatMap((writer) => {
      const lines = this.#files(writer).flatMap((name) => linesOf(`${this.#folder}/${name}`))
        .map(parsed).filter((line) =>
          line !== undefined
        ) as unknown as (AuditLine & { ends?: number })[];
      const ends = new Map(lines.map((line) => [line.ends, line]));
      return lines.filter((line) => line.ends === undefined).map((line) => {
        const { exitCode, durationMs } = ends.get(line.seq) ?? line;
        return { ...line, exitCode, durationMs };
      });
    }).sort((one, other) => one.time < other.time ? -1 : one.time > other.time ? 1 : 0);
  }

  /** Finds changed, removed and moved lines. */
  async verify(): Promise<AuditProblem[]> {
    const all = await Promise.all(this.#writers().map((writer) => this.#verify(writer)));
    return all.flat();
  }

  async #verify(writer: string): Promise<AuditProblem[]> {
    const head = readHead(this.#folder, writer);
    const files = this.#files(writer);
    const isCut = files.filter((name) => OLD.test(name)).length >= MAX_KEPT;
    let last: { seq: number; hash: string } | undefined = isCut
      ? undefined
      : { seq: 0, hash: START };
    let isHeadSeen = head?.seq === 0;
    for (const name of files) {
      const path = `${this.#folder}/${name}`;
      const lines = (sys.readTextFile(path) ?? "").split("\n");
      const torn = lines.pop();
      for (const [at, text] of lines.entries()) {
        const found = (problem: string) => [{ path, line: at + 1, problem }];
        const [, body, hash] = LINE.exec(text) ?? [];
        const entry = body === undefined ? undefined : parsed(text);
        if (entry === undefined || await hashOf(body) !== hash) return found("it was changed");
        const follows = last === undefined ||
          entry.prev === last.hash && entry.seq === last.seq + 1;
        if (!follows || entry.writer !== writer) {
          return found("a line before it is missing, or moved");
        }
        last = { seq: Number(entry.seq), hash };
        if (head?.seq === last.seq) {
          if (head.hash !== hash) return found("it is not the line that was written last");
          isHeadSeen = true;
        }
      }
      // An incomplete line was never acknowledged, unless the head names it.
      if (torn !== "" && name !== files.at(-1)) {
        return [{ path, line: lines.length + 1, problem: "it has no end" }];
      }
    }
    if (head !== undefined && isHeadSeen) return [];
    const path = `${this.#folder}/${writer}.jsonl`;
    return [{
      path,
      line: null,
      problem: head ? "lines at its end are missing" : "it has no head",
    }];
  }

  /** Returns the last complete line, and cuts off anything after it, which was never acknowledged. */
  #end(path: string, writer: string): { seq: number; hash: string } | undefined {
    const file = sys.openFile(path);
    if (file === undefined) return undefined;
    try {
      const { size } = file.info();
      const bytes = file.readAt(Math.max(0, size - 16_384), Math.min(size, 16_384));
      const end = bytes.lastIndexOf(10) + 1;
      const text = new TextDecoder().decode(bytes.subarray(0, end)).trimEnd();
      const line = text.slice(text.lastIndexOf("\n") + 1);
      const [, body, hash] = LINE.exec(line) ?? [];
      const seq = body === undefined ? undefined : parsed(line)?.seq;
      const head = readHead(this.#folder, writer);
      // A manipulated line stays as it is. The new line after it makes the manipulation visible.
      if (typeof seq !== "number" || (head?.seq ?? 0) > seq) return head;
      if (end < bytes.length) file.truncate(size - bytes.length + end);
      return { seq, hash };
    } finally {
      file.close();
    }
  }

  /** Writes the number and hash of the last line to the head file, which shows if lines at the end are missing. */
  #write(writer: string, { seq, hash }: { seq: number; hash: string }, mode: number): void {
    const path = `${this.#folder}/${writer}.head`;
    const file = sys.openFile(path) ?? sys.createFile(path, mode)!;
    try {
      // This write is not synced. After a power failure, an older head still matches a line of the record.
      file.writeAt(`${String(seq).padStart(9, "0")} ${hash}\n`, 0);
    } finally {
      file.close();
    }
  }

  #append(path: string, text: string, mode: number): void {
    const file = sys.openFile(path) ?? sys.createFile(path, mode)!;
    try {
      file.writeAt(text, file.info().size);
      file.sync();
    } finally {
      file.close();
    }
  }

  #rotate(path: string, writer: string, seq: number): void {
    sys.rename(path, path.replace(/jsonl$/, `${String(seq).padStart(9, "0")}.jsonl`));
    const old = this.#files(writer).filter((name) => OLD.test(name));
    for (const name of old.slice(0, -MAX_KEPT)) sys.removeFile(`${this.#folder}/${name}`);
  }

  /**
   * Removes old records, always with all files of a session, since the record is incomplete without its older files.
   */
  #prune(): void {
    for (const writer of this.#writers()) {
      const paths = [...this.#files(writer), `${writer}.head`].map((name) =>
        `${this.#folder}/${name}`
      );
      const last = Math.max(...paths.map((path) => sys.lstat(path)?.modifiedMs ?? 0));
      if (last < sys.now() - MAX_AGE_MS) paths.forEach((path) => sys.removeFile(path));
    }
  }

  #writers(): string[] {
    const names = sys.readDir(this.#folder).flatMap((name) =>
      /\.(jsonl|head)$/.test(name) ? [name.replace(/(\.[0-9]{9})?\.jsonl$|\.head$/, "")] : []
    );
    return [...new Set(names)];
  }

  /** Returns the files of a writer, the oldest first. */
  #files(writer: string): string[] {
    const names = sys.readDir(this.#folder);
    return [
      ...names.filter((name) => OLD.exec(name)?.[1] === writer),
      ...names.filter((name) => name === `${writer}.jsonl`),
    ];
  }
}

function writerOf(session: string): string {
  return session.replace(/[^\w@-]/g, "-").slice(0, 80);
}

/**
 * Returns a command as the record keeps it. Redaction does not change a command that the record already contains, so
 * the redaction rules need not run.
 */
async function kept(
  command: string,
  before: () => readonly Record<string, unknown>[],
): Promise<string> {
  if (!mayHoldSecret(command) || before().some((line) => line.command === command)) {
    return command.slice(0, MAX_COMMAND);
  }
  return (await withoutSecrets(command)).slice(0, MAX_COMMAND);
}

function linesAtEnd(path: string): Record<string, unknown>[] {
  return endLines(path).map(parsed).filter((line) => line !== undefined);
}

/** Returns the last lines of a file. */
function endLines(path: string): string[] {
  const start = Math.max(0, (sys.lstat(path)?.size ?? 0) - END_BYTES);
  return new TextDecoder().decode(sys.readPart(path, start, END_BYTES)?.bytes).split("\n");
}

function linesOf(path: string): string[] {
  return (sys.readTextFile(path) ?? "").split("\n").filter((line) => line !== "");
}

function parsed(line: string): Record<string, unknown> | undefined {
  const value = tryParseJson(line);
  return isObject(value) ? value : undefined; // `verify` reports the line
}

function readHead(folder: string, writer: string): { seq: number; hash: string } | undefined {
  const text = sys.readTextFile(`${folder}/${writer}.head`);
  const [, seq, hash] = /^([0-9]{9}) ([0-9a-f]{64})\n$/.exec(text ?? "") ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), hash };
}

async function hashOf(body: string): Promise<string> {
  return await sha256(new TextEncoder().encode(body));
}
