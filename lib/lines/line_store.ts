// Stores lines in files that two branches may write, such as `.agentx/issues/2026-11/k3f9a2b1.jsonl`.
//
// No two writers append to one file: a checkout begins a new file once git tracks the old one or the checkout has
// moved, and the names of files are random. So a merge of branches only adds files and needs no rule. Reading returns
// the union of all files and of this checkout's copy, each line once.
//
// A change is acknowledged once it is in the copy and in a file, both on the disk. If git takes our lines away before
// a commit (`git stash -u`, `clean`, `reset`), they come back with the next change. Reading writes nothing.

import { isObject, type JsonObject } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import { gitFolderMode } from "../sys/modes.ts";
import { replaceFile } from "../sys/replace_file.ts";
import { noteWritten } from "../sys/written.ts";
import { DAY_MS, isoTime } from "../base/time.ts";
import { appendLines } from "./append.ts";
import { committedSizes } from "../git/reflog.ts";
import { type GitView, viewOfGit } from "./checkout.ts";
import {
  checkLength,
  CUT_OFF,
  encodeLine,
  type Line,
  type LineProblem,
  parseLine,
  randomId,
} from "./line.ts";
import { mayHold } from "./raw_text.ts";
import { type CopiedLine, copiedLines, OwnCopy } from "./own_copy.ts";

export interface LineStoreOptions {
  kind: "issues" | "memory";
  /** The folder of the line files. */
  folder: string;
  /** The same folder in the caller's own worktree; its lines are read, too. */
  inTree?: string;
  /** The folder of the copy and of the record of the files. */
  state: string;
  locks: FileLockManager;
  /** Called with one sentence when lines that git took away are written again. */
  notify?: (message: string) => void;
}

export interface LinesRead {
  /** Each line once, in no particular order. */
  lines: Line[];
  /** The file of each line, such as `2026-11/k3f9a2b1.jsonl`. A line that exists only in the copy has no entry. */
  fileOf: ReadonlyMap<string, string>;
  /** The ids of the lines in the copy, which this checkout wrote not long ago. */
  own: ReadonlySet<string>;
  problems: LineProblem[];
}

/** This checkout's record of the files that it wrote. Its lock is held while lines are added. */
interface Book {
  /** The file to append to; null if the next change begins a new file. */
  current: { file: string; moved: string; user: number | null } | null;
  /**
   * Each file that is not known to be committed, by name: the commit at which git did not track it, how many bytes were
   * committed since, and its size after the last append.
   */
  files: Record<string, { head: string | null; committed: number; size?: number }>;
  /** Notes that the owner of the lines keeps with them, on this machine alone. */
  notes: JsonObject;
}

export interface Addition<T> {
  /** The lines to add; if there are none, the files do not change. */
  lines: Line[];
  /** Data to keep with the lines on this machine. */
  notes?: JsonObject;
  result: T;
}

/** The lines of one version of a file. */
interface ParsedFile {
  version: string;
  lines: Line[];
  problems: LineProblem[];
}

/** A file by its path in the folder, with its lines. */
interface FileRead {
  file: string;
  parsed: ParsedFile | undefined;
}

const EMPTY: Book = { current: null, files: {}, notes: {} };
const MAX_FILE = 1_048_576;
const FILE_NAME = /^[\w.-]+\.jsonl$/;
const MONTH = /^\d{4}-\d{2}$/;
const MAX_BYTES = 512 * 1024 * 1024;

/** Number of days that committed lines stay in the copy. */
const KEPT_DAYS = 90;

/** Owner of one kind of lines in a workspace. */
export class LineStore {
  readonly #options: Required<LineStoreOptions>;
  readonly #copy: OwnCopy;
  readonly #book: JsonFile<Book>;
  readonly #parsed = new Map<string, ParsedFile>();
  #last: { stamp: string; read: LinesRead } | undefined;

  /** Connects the parts; the folder need not exist. */
  constructor(options: LineStoreOptions) {
    const { kind, folder, inTree = folder, state, locks, notify = () => {} } = options;
    this.#options = { ...options, inTree, notify };
    this.#copy = new OwnCopy(state, kind);
    this.#book = new JsonFile<Book>(`${state}/${kind}.json`, locks, {
      kind: "state",
      problemWith: bookProblem,
    });
  }

  /** Returns the current lines; the same object while nothing changes. */
  read(): LinesRead {
    const files = this.#folders().flatMap((folder) =>
      monthsIn(folder).flatMap((month) => this.#filesOf(folder, month))
    );
    const copies = this.#copy.paths().map((path) => this.#parse(path, rawsIn));
    const versions = [...files.map(({ parsed }) => parsed), ...copies];
    const stamp = versions.map((parsed) => parsed?.version).join("\n");
    if (this.#last?.stamp === stamp) return this.#last.read;
    const read = unite(files, copies);
    this.#last = { stamp, read };
    return read;
  }

  /**
   * Finds raw lines that may fit, and parses all lines about the same records (`raw_text.ts`). It may return more lines
   * than fit, and reports no problems.
   */
  readOf(mayFit: (raw: string) => boolean): LinesRead {
    const texts = [
      ...this.#folders().flatMap((folder) =>
        monthsIn(folder).flatMap((month) =>
          sys.readDir(`${folder}/${month}`).filter((name) => FILE_NAME.test(name)).map((name) => ({
            file: `${month}/${name}`,
            texts: linesIn(sys.readTextFile(`${folder}/${month}/${name}`, MAX_BYTES) ?? ""),
          }))
        )
      ),
      ...this.#copy.paths().map((path) => ({
        file: undefined,
        texts: rawsIn(sys.readTextFile(path, MAX_BYTES) ?? ""),
      })),
    ];
    const fitting = parsedFrom(
      texts.flatMap(({ texts }) => texts.filter(mayFit)),
    );
    const uids = [...new Set(fitting.lines.map(({ uid }) => uid))];
    const parts = texts.map(({ file, texts }) => {
      const own = texts.filter((raw) => uids.some((uid) => mayHold(raw, uid)));
      return { file, parsed: parsedFrom(own) };
    });
    return unite(
      parts.flatMap(({ file, parsed }) => file === undefined ? [] : [{ file, parsed }]),
      parts.flatMap(({ file, parsed }) => file === undefined ? [parsed] : []),
    );
  }

  /** Returns the data kept with the lines on this machine. */
  notes(): JsonObject {
    return this.#book.read()?.notes ?? {};
  }

  /** Returns the files of this folder that git tracks, such as `2026-11/k3f9a2b1.jsonl`. */
  trackedFiles(): ReadonlySet<string> {
    return new Set(this.#git().indexed?.keys());
  }

  /**
   * Adds the lines that `make` returns for the present lines; `make` must not await anything. Throws `INVALID_INPUT` if
   * a line is too long, `LOCK_TIMEOUT`, `IO_ERROR`, and whatever `make` throws.
   */
  async add<T>(by: string, make: (read: LinesRead, notes: JsonObject) => Addition<T>): Promise<T> {
    return await this.#book.updateReturning(by, (book = EMPTY) => {
      const read = this.read();
      const { lines, notes = book.notes, result } = make(read, book.notes);
      const written = lines.length === 0 ? book : this.#write(lines, book, () => read);
      return { value: { ...written, notes }, result };
    });
  }

  /**
   * Adds lines that do not depend on the present ones. It reads only enough to see that git took nothing away. Without
   * `notes`, the present notes stay. Throws the errors of `add`.
   */
  async append(by: string, lines: Line[], notes?: JsonObject): Promise<void> {
    await this.#book.updateReturning(by, (book = EMPTY) => {
      const written = lines.length === 0 ? book : this.#write(lines, book, () => this.read());
      return { value: { ...written, notes: notes ?? book.notes }, result: undefined };
    });
  }

  /**
   * Removes forgotten text from the files and the copy. `edit` returns the line without that text, or undefined to drop
   * the line. Throws `LOCK_TIMEOUT`, `IO_ERROR`.
   */
  async erase(by: string, edit: (line: Line) => Line | undefined): Promise<number> {
    return await this.#rewrite(by, (raw) => {
      const line = parseLine(raw);
      if (typeof line === "string") return raw;
      const left = edit(line);
      return left === line ? raw : left && JSON.stringify(left);
    });
  }

  /**
   * Moves lines that are no JSON out of the files, into a file of the state, and returns their number. Throws
   * `LOCK_TIMEOUT`, `IO_ERROR`.
   */
  async setAside(by: string): Promise<number> {
    if (!this.read().problems.some(({ why }) => why === CUT_OFF)) return 0;
    return await this.#rewrite(by, (raw) => {
      if (raw === "" || parseLine(raw) !== CUT_OFF) return raw;
      this.#copy.setAside(raw);
    });
  }

  /** Replaces each line by the result of `edit`, or drops it if there is none; returns the number of changed lines. */
  async #rewrite(by: string, edit: (raw: string) => string | undefined): Promise<number> {
    return await this.#book.updateReturning(by, (book = EMPTY) => {
      let count = 0;
      const edited = (raw: string): string[] => {
        const left = edit(raw);
        if (left !== raw) count++;
        return left === undefined ? [] : [left];
      };
      const sizes = new Map<string, number>();
      for (const month of monthsIn(this.#folder)) {
        for (const name of sys.readDir(`${this.#folder}/${month}`)) {
          if (!FILE_NAME.test(name)) continue;
          const path = `${this.#folder}/${month}/${name}`;
          const text = sys.readTextFile(path, MAX_BYTES) ?? "";
          const left = linesIn(text).flatMap((raw) => raw === "" ? [raw] : edited(raw)).join("\n");
          if (left === text) continue;
          replaceFile(path, left);
          sizes.set(`${month}/${name}`, new TextEncoder().encode(left).length);
        }
      }
      this.#copy.rewrite(edited);
      const files = Object.fromEntries(
        Object.entries(book.files).map(([file, known]) => {
          const size = sizes.get(file);
          return [file, size === undefined ? known : { ...known, committed: 0, size }];
        }),
      );
      const current = sizes.has(book.current?.file ?? "") ? null : book.current;
      return { value: { ...book, current, files }, result: count };
    });
  }

  /** Finds lines of the copy that no file here has: they are on another branch, or were lost with one. */
  missing(): Line[] {
    const { lines, fileOf } = this.read();
    return lines.filter(({ id }) => !fileOf.has(id));
  }

  /**
   * Writes the lines of the copy that no file here has, and drops copies that are not needed any more. Throws
   * `LOCK_TIMEOUT`, `IO_ERROR`.
   */
  async restore(by: string): Promise<number> {
    if (this.missing().length === 0) return 0;
    return await this.#book.updateReturning(by, (book = EMPTY) => {
      const read = this.read();
      const missing = read.lines.filter(({ id }) => !read.fileOf.has(id));
      this.#dropOldCopies(read);
      const value = missing.length === 0 ? book : this.#append(missing, book, this.#git());
      return { value, result: missing.length };
    });
  }

  #write(lines: Line[], book: Book, read: () => LinesRead): Book {
    lines.forEach(checkLength);
    const git = this.#git();
    const sizeOf = (file: string) => sys.lstat(`${this.#folder}/${file}`)?.size;
    const short = ({ files }: Book) =>
      Object.entries(files).filter(([file, { size = Infinity, committed }]) =>
        Math.max(committed, sizeOf(file) ?? 0) < size
      ).map(([file]) => file);
    const known = this.#noteCommits(noteCommitted(book, git, sizeOf), short);
    const taken = short(known).length === 0 ? [] : this.#takenAway(known, read());
    const next = this.#append([...taken, ...lines], known, git);
    if (taken.length > 0) {
      this.#options.notify(
        `${taken.length} of your changes were in no file of this checkout any more; written again into .agentx/${this.#options.kind}`,
      );
    }
    return next;
  }

  /**
   * Notes how much of the files that lack lines here is committed: one may be whole in the commit of another branch.
   */
  #noteCommits(book: Book, short: (book: Book) => string[]): Book {
    const files = short(book);
    if (files.length === 0) return book;
    const { kind } = this.#options;
    const sizes = committedSizes(this.#place(), files.map((file) => `${kind}/${file}`));
    const noted = files.map((file) => {
      const committed = Math.max(book.files[file].committed, sizes.get(`${kind}/${file}`) ?? 0);
      return [file, { ...book.files[file], committed }] as const;
    });
    return { ...book, files: { ...book.files, ...Object.fromEntries(noted) } };
  }

  /** Returns lines of the copy that were not committed, and that no file has any more. */
  #takenAway(book: Book, { lines, fileOf }: LinesRead): Line[] {
    const places = new Map<string, CopiedLine>();
    for (const path of this.#copy.paths()) {
      const text = sys.readTextFile(path, MAX_BYTES) ?? "";
      for (const copied of copiedLines(text)) places.set(copied.raw, copied);
    }
    return lines.filter((line) => {
      if (fileOf.has(line.id)) return false;
      const place = places.get(JSON.stringify(line));
      return place !== undefined && place.end > (book.files[place.file]?.committed ?? Infinity);
    });
  }

  /** Appends lines to the copy, then to a file. Once they are in the copy, git cannot take them away. */
  #append(lines: readonly Line[], book: Book, git: GitView): Book {
    const text = lines.map(encodeLine);
    const month = isoTime(sys.now()).slice(0, 7);
    const bytes = text.map((line) => new TextEncoder().encode(line).length);
    const total = bytes.reduce((sum, length) => sum + length, 0);
    const { file, size } = this.#fileFor(total, book, { git, month });
    let end = size;
    this.#copy.append(
      month,
      text.map((line, index) => {
        end += bytes[index];
        return { file, end, raw: line.slice(0, -1) };
      }),
    );
    const path = `${this.#folder}/${file}`;
    noteWritten(path); // the lines in the copy count even if the write to the file fails
    if (appendLines(path, text.join("")) === undefined) {
      sys.makeDir(path.slice(0, path.lastIndexOf("/")), gitFolderMode());
      sys.writeNewFile(path, text.join(""), { fsync: true });
    }
    const known = { ...book.files[file] ?? { head: git.head, committed: 0 }, size: end };
    return {
      ...book,
      current: { file, moved: git.moved, user: sys.uid() },
      files: { ...book.files, [file]: known },
    };
  }

  /**
   * Returns the file to append to: the current one, or a new one if the current one may belong to another writer now.
   */
  #fileFor(
    bytes: number,
    { current }: Book,
    { git, month }: { git: GitView; month: string },
  ): { file: string; size: number } {
    if (
      current !== null && current.moved === git.moved && current.user === sys.uid() &&
      git.indexed?.has(current.file) === false
    ) {
      const size = sys.lstat(`${this.#folder}/${current.file}`)?.size;
      if (size !== undefined && size + bytes <= MAX_FILE) return { file: current.file, size };
    }
    return { file: `${month}/${randomId()}.jsonl`, size: 0 };
  }

  /** Removes copies of months long past, if files that git tracks have all their lines. */
  #dropOldCopies({ fileOf }: LinesRead): void {
    const { indexed } = this.#git();
    const oldest = isoTime(sys.now() - KEPT_DAYS * DAY_MS).slice(0, 7);
    for (const path of this.#copy.paths()) {
      if (path.slice(-"2026-11.txt".length, -".txt".length) >= oldest) continue;
      const lines = copiedLines(sys.readTextFile(path, MAX_BYTES) ?? "");
      const isKept = lines.every(({ raw }) => {
        const line = parseLine(raw);
        return typeof line === "string" || indexed?.has(fileOf.get(line.id) ?? "") === true;
      });
      if (isKept) sys.removeFile(path);
    }
  }

  #filesOf(folder: string, month: string): FileRead[] {
    try {
      const names = sys.readDir(`${folder}/${month}`).filter((name) => FILE_NAME.test(name)).sort();
      return names.map((name) => {
        const file = `${month}/${name}`;
        return { file, parsed: this.#parse(`${folder}/${file}`, linesIn) };
      });
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      const problems = [{ path: `${folder}/${month}`, line: null, why: error.summary }];
      return [{ file: month, parsed: { version: "", lines: [], problems } }];
    }
  }

  #parse(path: string, split: (text: string) => string[]): ParsedFile | undefined {
    const info = sys.lstat(path);
    if (info === undefined) return undefined;
    const version = `${info.id} ${info.size} ${info.modifiedMs}`;
    const known = this.#parsed.get(path);
    if (known?.version === version) return known;
    const parsed: ParsedFile = { version, lines: [], problems: [] };
    this.#parsed.set(path, parsed);
    let text: string | undefined;
    try {
      text = sys.readTextFile(path, MAX_BYTES);
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      parsed.problems.push({ path, line: null, why: error.summary });
    }
    takeLines(split(text ?? ""), parsed, path);
    return parsed;
  }

  #git(): GitView {
    return viewOfGit(this.#place(), this.#options.kind);
  }

  /** Returns the folder around the folder of the lines, without links. */
  #place(): string {
    const { folder } = this.#options;
    const parent = folder.slice(0, folder.lastIndexOf("/"));
    return sys.realPath(parent) ?? parent;
  }

  get #folder(): string {
    return this.#options.folder;
  }

  #folders(): string[] {
    return [...new Set([this.#folder, this.#options.inTree])];
  }
}

/**
 * Updates the sizes of committed files. If another commit is checked out now, a file counts as committed up to its size
 * in the index. A file that is committed whole is dropped from the book.
 */
function noteCommitted(
  book: Book,
  { head, indexed }: GitView,
  sizeOf: (file: string) => number | undefined,
): Book {
  if (indexed === null) return book;
  const files = Object.entries(book.files).flatMap(
    ([file, known]): Array<[string, typeof known]> => {
      const size = indexed.get(file);
      if (size === undefined) return [[file, { ...known, head }]];
      if (known.head === head) return [[file, known]]; // staged, and not committed
      return size >= (sizeOf(file) ?? Infinity) ? [] : [[file, { ...known, committed: size }]];
    },
  );
  return { ...book, files: Object.fromEntries(files) };
}

function parsedFrom(texts: readonly string[]): ParsedFile {
  const parsed: ParsedFile = { version: "", lines: [], problems: [] };
  takeLines(texts, parsed, "");
  return parsed;
}

/** Parses texts as lines, and adds the lines and their problems. */
function takeLines(
  texts: readonly string[],
  { lines, problems }: Pick<ParsedFile, "lines" | "problems">,
  path: string,
): void {
  texts.forEach((each, index) => {
    const raw = each.endsWith("\r") ? each.slice(0, -1) : each;
    if (raw === "") return;
    const line = parseLine(raw);
    if (typeof line === "string") problems.push({ path, line: index + 1, why: line });
    else lines.push(line);
  });
}

function unite(
  files: readonly FileRead[],
  copies: ReadonlyArray<ParsedFile | undefined>,
): LinesRead {
  const byId = new Map<string, Line>();
  const fileOf = new Map<string, string>();
  const own = new Set<string>();
  const take = ({ lines }: ParsedFile, note: (id: string) => void) => {
    for (const line of lines) {
      note(line.id);
      const known = byId.get(line.id);
      if (known === undefined || encodeLine(line) < encodeLine(known)) byId.set(line.id, line);
    }
  };
  const problems: LineProblem[] = [];
  for (const { file, parsed } of files) {
    if (parsed === undefined) continue;
    take(parsed, (id) => fileOf.has(id) || fileOf.set(id, file));
    problems.push(...parsed.problems);
  }
  for (const parsed of copies) if (parsed !== undefined) take(parsed, (id) => own.add(id));
  return { lines: [...byId.values()], fileOf, own, problems };
}

function linesIn(text: string): string[] {
  return text.split("\n");
}

function rawsIn(text: string): string[] {
  return copiedLines(text).map(({ raw }) => raw);
}

/** Returns the folders of the months, the oldest first. */
function monthsIn(folder: string): string[] {
  return sys.readDir(folder).filter((name) => MONTH.test(name)).sort();
}

function bookProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  const { current, files, notes } = value;
  if (!isObject(files) || !isObject(notes)) return "files and notes must be objects";
  if (current !== null && !isObject(current)) return "current must be an object or null";
  return undefined;
}
