// The record of what agents were allowed to do: `.agentx/state/audit/WRITER.jsonl`, a file per
// session, of lines that each carry the hash of the one before.
//
// Guaranteed: a line that was acknowledged is on the disk; `verify` finds each line that was changed,
// removed or moved by hand. Not guaranteed: `verify` does not detect somebody who rewrites all lines, their
// hashes and the head, since no key belongs to the record alone.

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
  /** The role that wanted to run it; null where nobody said so. */
  agent: string | null;
  issue: number | null;
  /** Redacted. */
  command: string;
  verdict: Verdict;
  rule: string;
  /** The decider: `rules`, a `human` by agentx, or the person at the `prompt` of the host. */
  by: string;
  /** Null while it runs, or where its host does not say it. */
  exitCode: number | null;
  /** Null while it runs, or where no hook is called after it. */
  durationMs: number | null;
}

/** How a command ended. */
export type AuditEnd = Pick<AuditEntry, "exitCode" | "durationMs">;

/** A line as it is on the disk. */
export interface AuditLine extends AuditEntry {
  seq: number;
  /** The session, or another writer. */
  writer: string;
}

/** Where the record is not as it was written. */
export interface AuditProblem {
  path: string;
  /** 1-based; null where it is about the whole file. */
  line: number | null;
  problem: string;
}

/** A larger file is kept beside a new one. */
const MAX_BYTES = 1_000_000;

/** The number of kept files for each session, beside the one that grows. */
const MAX_KEPT = 9;

/** The record of a session that wrote nothing for this long is removed. */
const MAX_AGE_MS = 90 * DAY_MS;

const MAX_COMMAND = 2_000;

/** The part of the end of a file that is looked at for a command that ended. */
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

  /** Adds a line, which is on the disk when it returns. `session` names the file. */
  async add(session: string, entry: Omit<AuditEntry, "time">): Promise<void> {
    const path = this.#pathOf(session);
    const command = await kept(entry.command, () => linesAtEnd(path));
    await this.#addLine(session, () => ({ ...entry, command }));
  }

  /**
   * Adds how a command ended: the last of it that was let run. One that nobody recorded is not added.
   *
   * @param end its duration is null where the host does not say it: then it is the time since it was let run
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

  /** All that was recorded and can be read, by time; how a command ended is with the command. */
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
      // A line without an end was never acknowledged, unless the head knows it.
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

  /** The last whole line; anything behind it was never acknowledged, and is cut off. */
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
      // A line that somebody tampered with stays as it is: a new line behind it shows that.
      if (typeof seq !== "number" || (head?.seq ?? 0) > seq) return head;
      if (end < bytes.length) file.truncate(size - bytes.length + end);
      return { seq, hash };
    } finally {
      file.close();
    }
  }

  /** The line that was written last: one that is missing at the end shows by it. */
  #write(writer: string, { seq, hash }: { seq: number; hash: string }, mode: number): void {
    const path = `${this.#folder}/${writer}.head`;
    const file = sys.openFile(path) ?? sys.createFile(path, mode)!;
    try {
      // Not waited for: after a power failure an older head is still that of a line in the record.
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

  /** All files of a session or none: without its older ones, the others would not be whole. */
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

  /** The files of a writer, the oldest first. */
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

/** What the record has as it is, redaction leaves as it is: a command that came before needs no rules. */
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

/** The last lines of a file. */
function endLines(path: string): string[] {
  const start = Math.max(0, (sys.lstat(path)?.size ?? 0) - END_BYTES);
  return new TextDecoder().decode(sys.readPart(path, start, END_BYTES)?.bytes).split("\n");
}

function linesOf(path: string): string[] {
  return (sys.readTextFile(path) ?? "").split("\n").filter((line) => line !== "");
}

function parsed(line: string): Record<string, unknown> | undefined {
  const value = tryParseJson(line);
  return isObject(value) ? value : undefined; // `verify` says which line
}

function readHead(folder: string, writer: string): { seq: number; hash: string } | undefined {
  const text = sys.readTextFile(`${folder}/${writer}.head`);
  const [, seq, hash] = /^([0-9]{9}) ([0-9a-f]{64})\n$/.exec(text ?? "") ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), hash };
}

async function hashOf(body: string): Promise<string> {
  return await sha256(new TextEncoder().encode(body));
}
