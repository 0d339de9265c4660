// The operations of a workspace, which `agentx undo` takes back: `.agentx/state/operations/YYYY-MM.jsonl`.
//
// A store notes the effects of a change under its own lock, before it writes the change. A change never lacks its note.
// A note without a written change undoes to nothing. Issues and memory keep their lines, so a note names them. Of a file
// that is replaced as a whole, a note keeps the former record.

import { HUB, HUMAN } from "../base/agent_names.ts";
import { isListOfTexts, isObject, isText, type JsonObject, tryParseJson } from "../base/checks.ts";
import type { Origin } from "../base/origin.ts";
import { DAY_MS, isoTime } from "../base/time.ts";
import { privateModes } from "../sys/modes.ts";
import { sys } from "../sys/mod.ts";
import type { RecordEffect } from "./record_effect.ts";

/** Added lines, by their subject. */
export interface LinesEffect {
  of: "issues" | "memory" | "forgotten";
  /** The ids of the lines, by the `uid` of an issue or the id of an observation. */
  lines: Record<string, string[]>;
}

/** The effect of a change. */
export type Effect = LinesEffect | RecordEffect;

/** Notes the author and the effects of a change before the write. */
export type NoteChange = (by: string, effects: readonly Effect[]) => void;

/** The effects of one command. */
export interface Operation {
  id: string;
  /** ISO-8601, UTC: when it began. */
  time: string;
  /** `human` if a person had a part in it, else the agent that began it. */
  by: string;
  /** Such as `issue close`. */
  command: string;
  effects: Effect[];
  /** The operation that a finished undo took back. */
  undoes: string | null;
  /** Whether an undo that still holds took it back. */
  isUndone: boolean;
}

/** The command that runs now. */
export interface Running {
  command: string;
  /**
   * Where its operation gets an id, with the first change: a command may open the workspace twice. Left out, each change
   * is an operation.
   */
  operation?: { id?: string };
  /** The actor. */
  by(): string;
}

/** They join an operation and begin none: time alone makes them act. */
const NOBODY: readonly string[] = [HUB, "gate"];

/** Memory does not know its caller. */
const MEMORY = "memory";

const KEPT_DAYS = 90;
const MAX_BYTES = 256 * 1024 * 1024;

/** Owner of the operations of a workspace. */
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

  /** All that follows belongs to a command, or to nobody who could want it undone. */
  begin(running: Running | "unnoted"): void {
    this.#running = running;
  }

  /** Notes a change that is about to be written. Without a command that runs, it is an operation of its own. */
  readonly note: NoteChange = (by, effects) => {
    if (effects.length === 0) return;
    const running = this.#running;
    if (running === "unnoted" || NOBODY.includes(by) && !running?.operation?.id) return;
    const { operation = {}, command = "a program" } = running ?? {};
    operation.id ??= newId();
    const who = by === MEMORY && running?.operation ? running.by() : by;
    this.#append({ op: operation.id, by: who, command, effects });
  };

  /** Notes that the operation that runs took another one back. */
  finish(undoes: string): string {
    const { operation = {}, command, by } = this.#running as Running;
    operation.id ??= newId();
    this.#append({ op: operation.id, by: by(), command, undoes });
    return operation.id;
  }

  /** All operations, the earliest first; of a line that cannot be read, nothing. */
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
    sys.appendTextFile(path, `\n${line}\n`, modes?.file); // a kill may have left the beginning of a line
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
