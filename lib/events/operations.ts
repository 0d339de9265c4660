// The operations of a workspace, which `agentx undo` takes back: `.agentx/state/operations/YYYY-MM.jsonl`.
//
// A store notes the effects of a change under its own lock, before it writes the change. So a change never lacks its
// note, and undoing a note without a written change does nothing. Issues and memory keep all their lines, so their note
// names the lines. For a file that is replaced as a whole, the note keeps the previous record.

import { HUB, HUMAN } from "../base/agent_names.ts";
import { isListOfTexts, isObject, isText, type JsonObject, tryParseJson } from "../base/checks.ts";
import type { Origin } from "../base/origin.ts";
import { DAY_MS, isoTime } from "../base/time.ts";
import { privateModes } from "../sys/modes.ts";
import { sys } from "../sys/mod.ts";
import type { RecordEffect } from "./record_effect.ts";

/** Lines that a change added, by their subject. */
export interface LinesEffect {
  of: "issues" | "memory" | "forgotten";
  /** The ids of the lines, by the `uid` of an issue or the id of an observation. */
  lines: Record<string, string[]>;
}

/** The effect of a change. */
export type Effect = LinesEffect | RecordEffect;

/** Notes the author and the effects of a change before the change is written. */
export type NoteChange = (by: string, effects: readonly Effect[]) => void;

/** The effects of one command. */
export interface Operation {
  id: string;
  /** Start of the operation, ISO-8601, UTC. */
  time: string;
  /** `human` if a person took part in the operation, else the agent that began it. */
  by: string;
  /** Such as `issue close`. */
  command: string;
  effects: Effect[];
  /** The id of the operation that this one took back, if this is a finished undo. */
  undoes: string | null;
  /** Whether an undo took this operation back, and that undo was not taken back itself. */
  isUndone: boolean;
}

/** The running command. */
export interface Running {
  command: string;
  /**
   * Receives the id of the operation with its first change, because a command may open the workspace twice. If absent,
   * each change is an operation of its own.
   */
  operation?: { id?: string };
  /** Returns the actor. */
  by(): string;
}

/** Actors that act only because time has passed. Their changes join a running operation, but never begin one. */
const NOBODY: readonly string[] = [HUB, "gate"];

/** The author of changes of memory, which does not know its caller. */
const MEMORY = "memory";

const KEPT_DAYS = 90;
const MAX_BYTES = 256 * 1024 * 1024;

/** Records and lists the operations of a workspace. */
export class OperationLog {
  readonly #folder: string;
  readonly #origin: Origin;
  #running: Running | "unnoted" | undefined;

  /**
   * @param folder `.agentx/state/operations`
   * @param origin tells which operations came from elsewhere; these cannot be undone
   */
  constructor(folder: string, origin: Origin) {
    this.#folder = folder;
    this.#origin = origin;
  }

  /** Attributes all later changes to a command, or records none of them. */
  begin(running: Running | "unnoted"): void {
    this.#running = running;
  }

  /** Notes a change that is about to be written. Without a running command, the change is an operation of its own. */
  readonly note: NoteChange = (by, effects) => {
    if (effects.length === 0) return;
    const running = this.#running;
    if (running === "unnoted" || NOBODY.includes(by) && !running?.operation?.id) return;
    const { operation = {}, command = "a program" } = running ?? {};
    operation.id ??= newId();
    const who = by === MEMORY && running?.operation ? running.by() : by;
    this.#append({ op: operation.id, by: who, command, effects });
  };

  /** Notes that the running operation took another one back; returns its id. */
  finish(undoes: string): string {
    const { operation = {}, command, by } = this.#running as Running;
    operation.id ??= newId();
    this.#append({ op: operation.id, by: by(), command, undoes });
    return operation.id;
  }

  /** Returns all operations, the earliest first; skips lines that cannot be read. */
  list(): Operation[] {
    const isForeign = this.#origin.now();
    const all = new Map<string, Operation>();
    for (const name of sys.readDir(this.#folder).sort()) {
      const path = `${this.#folder}/${name}`;
      const text = isForeign(path) ? "" : sys.readTextFile(path, MAX_BYTES) ?? "";
      for (const raw of text.split("\n")) {
        const line = tryParseJson(raw);
        if (!isObject(line) || ![line.op, line.time, line.by, line.command].every(isText)) continue;
        const { op: id, time, by, command } = line as Record<string, string>;
        const known = all.get(id) ??
          { id, time, by, command, effects: [], undoes: null, isUndone: false };
        if (by === HUMAN) known.by = HUMAN;
        if (Array.isArray(line.effects)) known.effects.push(...line.effects.filter(isEffect));
        if (isText(line.undoes)) known.undoes = line.undoes;
        all.set(id, known);
      }
    }
    const list = [...all.values()];
    for (const { undoes, isUndone } of list.toReversed()) {
      const target = undoes === null || isUndone ? undefined : all.get(undoes);
      if (target !== undefined) target.isUndone = true;
    }
    return list;
  }

  #append(fields: JsonObject): void {
    const time = isoTime(sys.now());
    const path = `${this.#folder}/${time.slice(0, 7)}.jsonl`;
    const isNew = sys.lstat(path) === undefined;
    const modes = isNew ? privateModes() : undefined;
    if (modes !== undefined) {
      sys.makeDir(this.#folder, modes.folder);
      this.#dropOld();
    }
    const line = JSON.stringify({ v: 1, time, ...fields });
    sys.appendTextFile(path, `\n${line}\n`, modes?.file); // a kill may have cut off the last line
  }

  #dropOld(): void {
    const oldest = isoTime(sys.now() - KEPT_DAYS * DAY_MS).slice(0, 7);
    for (const name of sys.readDir(this.#folder)) {
      if (name < oldest) sys.removeFile(`${this.#folder}/${name}`);
    }
  }
}

function isEffect(value: unknown): value is Effect {
  if (!isObject(value)) return false;
  const { of, lines, id, before, after } = value;
  if (of === "issues" || of === "memory" || of === "forgotten") {
    return isObject(lines) && Object.values(lines).every(isListOfTexts);
  }
  return isText(of) && isText(id) && (before === null || isObject(before)) &&
    (after === null || isText(after));
}

function newId(): string {
  return crypto.randomUUID().slice(-12);
}
