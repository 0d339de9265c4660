// The lines of other machines: read from their refs, and folded into the ledgers of this one.

import { groupBy } from "../base/groups.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import { sys } from "../sys/mod.ts";
import { type Machine, MACHINE_ID } from "./claims.ts";
import { type Folded, foldLines } from "./fold.ts";
import type { GitRemote, Ref } from "./git_remote.ts";
import {
  fileName,
  type LineFiles,
  MACHINES,
  MAX_LINE_FILE_BYTES,
  parseHead,
} from "./line_files.ts";
import { keepFolded, type QuestionParts } from "./questions.ts";
import type { KnownMachine, View, ViewFile } from "./view.ts";

const MAX_TOLD = 500;

/** The local ledgers that receive the lines of other machines. */
export type LocalParts = Omit<QuestionParts, "own"> & {
  /** Called with each clarification that other machines changed, after it was written to its ledger. */
  onChange: (record: ClarificationRecord) => Promise<void>;
};

export interface OtherLinesOptions {
  git: GitRemote;
  lines: LineFiles;
  machine: Machine;
  view: ViewFile;
}

/** Reads the lines of other machines. */
export class OtherLines {
  readonly #git: GitRemote;
  readonly #lines: LineFiles;
  readonly #machine: Machine;
  readonly #view: ViewFile;

  constructor({ git, lines, machine, view }: OtherLinesOptions) {
    this.#git = git;
    this.#lines = lines;
    this.#machine = machine;
    this.#view = view;
  }

  /** Reads the lines of each machine that has written since the last contact; this contact began at `beganAt`. */
  async read(beganAt: string): Promise<void> {
    const { machines, heard } = this.#view.read();
    const refs = await this.#git.refs(MACHINES);
    const read: Record<string, KnownMachine> = {};
    const strange: string[] = [];
    for (const ref of refs) {
      const id = ref.name.slice(MACHINES.length);
      if (!MACHINE_ID.test(id)) {
        strange.push(`The ref ${ref.name} is not read: it names no machine`);
        continue;
      }
      const before = Object.hasOwn(machines, id) ? machines[id] : undefined;
      if (id !== this.#machine.id && before?.read !== ref.id) {
        read[id] = await this.#readMachine(id, ref, before, heard);
      }
    }
    const names = new Set(refs.map(({ name }) => name));
    await this.#view.note((view) => {
      view.heard = beganAt;
      Object.assign(view.machines, read);
      view.problems.push(...strange);
      for (const [id, machine] of Object.entries(view.machines)) {
        if (names.has(`${MACHINES}${id}`)) continue;
        machine.problems = [`The data of ${machine.name} was removed from ${this.#git.name}`];
        machine.read = "";
      }
    });
  }

  /** Folds new lines into the ledgers. */
  async fold({ onChange, ...parts }: LocalParts): Promise<void> {
    const view = this.#view.read();
    const read = Object.entries(view.machines).map(([id, { folded }]) => ({
      id,
      folded,
      lines: this.#lines.of(id),
    }));
    const due = new Set(Object.keys(view.waiting));
    for (const { folded, lines } of read) for (const { uid } of lines.slice(folded)) due.add(uid);
    if (due.size === 0) return;
    const own = { id: this.#machine.id, lines: this.#lines.of(this.#machine.id) };
    const all = [own, ...read].flatMap(({ id: machine, lines }) =>
      lines.map((line) => ({ line, machine }))
    );
    const byUid = groupBy(all, ({ line }) => line.uid);
    const machines = new Map<string, Machine>(Object.entries(view.machines));
    const waiting: View["waiting"] = {};
    const lost: (Folded["lost"][number] & { clr: string })[] = [];
    for (const uid of due) {
      const folded = foldLines(byUid.get(uid) ?? []);
      if (folded === undefined) {
        waiting[uid] = `The question of ${uid} has not come yet`;
        continue;
      }
      const kept = await keepFolded(folded, { ...parts, own: this.#machine, machines });
      if (typeof kept === "string") waiting[uid] = kept;
      else if (kept !== undefined) await onChange(kept);
      lost.push(...folded.lost.map((each) => ({ ...each, clr: folded.asked.clr })));
    }
    const fresh = lost.filter(({ line }) =>
      line.id.startsWith(`${this.#machine.id}.`) && !view.told.includes(line.id)
    );
    await this.#view.note((view) => {
      view.waiting = waiting;
      for (const { id, lines } of read) view.machines[id].folded = lines.length;
      for (const { line, to, clr } of fresh) {
        const winner = machines.get(to.machine)?.name ?? "this machine";
        const what = line.entry!.type;
        view.notices.push(
          `The ${what} of ${line.by} on ${clr} does not count: ${to.line.by} on ${winner} was first`,
        );
      }
      view.told = [...view.told, ...fresh.map(({ line }) => line.id)].slice(-MAX_TOLD);
    });
  }

  async #readMachine(
    id: string,
    { id: commit, subject }: Ref,
    before: KnownMachine | undefined,
    heard: string | null,
  ): Promise<KnownMachine> {
    const head = parseHead(subject, id);
    if (typeof head === "string") {
      const known = before ?? {
        id,
        name: id.slice(0, 40),
        login: "",
        folded: 0,
        clockMs: 0,
        serves: [],
      };
      return {
        ...known,
        read: commit,
        problems: [`The machine ${known.name} is not read: ${head}`],
      };
    }
    const { machine, files, at, serves } = head;
    const problems: string[] = [];
    const texts: string[] = [];
    for (let index = 0; index < files; index++) {
      const text = await this.#git.file(commit, fileName(index), MAX_LINE_FILE_BYTES);
      if (typeof text === "string") texts.push(text);
      else {
        const why = text === undefined ? "it is not there" : `it has ${text} bytes`;
        problems.push(`File ${index + 1} of ${machine.name} is not read: ${why}`);
      }
    }
    problems.push(...this.#lines.take(machine, texts));
    // The lines were written between the last contact, when they did not exist yet, and now. A time outside of that
    // range means that a clock is wrong.
    const aheadMs = Date.parse(at) - sys.now();
    const behindMs = heard === null ? 0 : Date.parse(at) - Date.parse(heard);
    const clockMs = aheadMs > 0 ? aheadMs : Math.min(0, behindMs);
    const folded = before?.folded ?? 0;
    return { ...machine, read: commit, folded, clockMs, serves, problems };
  }
}
