// `agentx undo`: undoes all changes of one command, or lists the later changes that build upon them.

import { AgentxError } from "../base/errors.ts";
import { issueNumberOf } from "../clarify/schema.ts";
import type { Effect, LinesEffect, Operation } from "../events/operations.ts";
import { effectStanding, type RecordEffect, together } from "../events/record_effect.ts";
import { groupBy } from "../base/groups.ts";
import { listed } from "../base/quote.ts";
import { changeIdOf, type Line } from "../lines/line.ts";
import { sys } from "../sys/mod.ts";
import type { WorkspaceState } from "../workspace/state.ts";

/** The changes of an operation, by kind. */
interface Parts {
  issues: Record<string, string[]>;
  memory: Record<string, string[]>;
  clarifications: RecordEffect[];
  questions: RecordEffect[];
  assumptions: RecordEffect[];
  /** The statuses that agents set. */
  statuses: RecordEffect[];
}

/** Maximum number of later changes to name. */
const MAX_NAMED = 5;

/** Returns whether an operation permanently deleted an observation. */
export function hasForgotten({ effects }: Operation): boolean {
  return effects.some(({ of }) => of === "forgotten");
}

/** Returns the ids that an operation changed: `#3`, `CLR-3-001`, `ASK-002`, or ids of observations. */
export async function changedBy(state: WorkspaceState, { effects }: Operation): Promise<string[]> {
  const { issues, memory, statuses: _, ...records } = partsOf(effects);
  const { byUid } = (await state.issueStore()).view();
  return [
    ...Object.keys(issues).map((uid) => byUid.get(uid)?.ref ?? uid),
    ...Object.values(records).flat().map(({ id }) => id),
    ...Object.keys(memory),
  ];
}

/**
 * Undoes an operation. The undo becomes part of the operation of the running command. If an undo was interrupted, it
 * can be repeated.
 *
 * @param all the operations on record, to name those that build upon this one
 * @returns the id of the undo
 * @throws {AgentxError} `NOT_READY` if later changes build upon the operation, or if all its changes are already
 * undone; `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`
 */
export async function undoOperation(
  state: WorkspaceState,
  operation: Operation,
  { all, by }: { all: readonly Operation[]; by: string },
): Promise<string> {
  const parts = partsOf(operation.effects);
  const { issues, memory, clarifications, questions, assumptions, statuses } = parts;
  const later = await builtUpon(state, parts, { operation, all });
  if (later.length > 0) {
    const next = all.findLast(({ id }) => later.some(({ madeBy }) => madeBy === id));
    const texts = [...new Set(later.map(({ text }) => text))];
    const first = next === undefined ? "" : `: agentx undo ${next.id}`;
    throw refused(operation, listed(texts, MAX_NAMED), `Undo that first${first}`);
  }
  const { ledger, status, events } = state.records();
  const inIssues = hasKeys(issues) ? await (await state.issueStore()).takeBack(issues, by) : 0;
  const inMemory = hasKeys(memory) ? await (await state.memory()).store.takeBack(memory) : 0;
  for (const [issue, own] of groupBy(clarifications, ({ id }) => issueNumberOf(id))) {
    await ledger.takeBack(issue, own, by);
  }
  if (questions.length > 0) await (await state.gate()).undo(questions, by);
  if (assumptions.length > 0) {
    await (await state.gate()).assumptions.takeBack(assumptions, by);
  }
  const others = inMemory + clarifications.length + questions.length + assumptions.length;
  if (inIssues + others === 0) {
    throw refused(
      operation,
      "all of it is undone already",
      "List operations that can be undone: agentx log --undoable",
    );
  }
  await status.takeBack(statuses);
  const id = state.operations.finish(operation.id);
  if (others > 0) { // a change of an issue is already an event
    const source = `operation/${operation.id}`;
    events.emit("state-change", { source, newState: "undone", agent: by, timestamp: sys.now() });
  }
  return id;
}

function partsOf(effects: readonly Effect[]): Parts {
  const linesOf = (of: LinesEffect["of"]) => {
    const lines: Record<string, string[]> = {};
    for (const effect of effects) {
      if (effect.of !== of || !("lines" in effect)) continue;
      for (const [uid, ids] of Object.entries(effect.lines)) (lines[uid] ??= []).push(...ids);
    }
    return lines;
  };
  const recordsOf = (of: RecordEffect["of"]) =>
    together(effects.filter((effect): effect is RecordEffect => effect.of === of));
  return {
    issues: linesOf("issues"),
    memory: linesOf("memory"),
    clarifications: recordsOf("clarification"),
    questions: recordsOf("question"),
    assumptions: recordsOf("assumption"),
    statuses: recordsOf("status"),
  };
}

/** A later change or record that builds upon an operation. */
interface Later {
  /** A description for people. */
  text: string;
  /** Id of the operation that made the change, if known. */
  madeBy?: string;
}

/** Returns the later changes and records that build upon an operation. */
async function builtUpon(
  state: WorkspaceState,
  { issues, memory, clarifications, questions, assumptions }: Parts,
  { operation, all }: { operation: Operation; all: readonly Operation[] },
): Promise<Later[]> {
  const store = await state.issueStore();
  const nameOf = (what: string, { id, by }: Pick<Line, "id" | "by">): Later => {
    const made = all.find(({ effects }) =>
      effects.some((effect) =>
        "lines" in effect && Object.values(effect.lines).some((ids) => ids.includes(id))
      )
    );
    const text = `${what} was changed since by ${by}, in ${made?.id ?? changeIdOf(id)}`;
    return { text, madeBy: made?.id };
  };
  const found = store.builtUpon(issues).map(({ ref, lines }) => nameOf(ref, lines.at(-1)!));
  const created = Object.keys(issues).flatMap((uid) => {
    const known = store.view().byUid.get(uid);
    const creation = known?.lines.find(({ op }) => op === "create")?.id ?? "";
    return issues[uid].includes(creation) && !known!.isDeleted ? known!.issue : [];
  });
  if (created.length > 0) {
    found.push(...(await aboutIssues(state, created, operation)).map((text) => ({ text })));
  }
  if (hasKeys(memory)) {
    const lines = (await state.memory()).store.builtUpon(memory);
    found.push(...lines.map((line) => nameOf(line.uid, line)));
  }
  const check = (effects: readonly RecordEffect[], records: readonly { id: string }[]) => {
    const byId = new Map(records.map((record) => [record.id, record]));
    for (const effect of effects) {
      const { id } = effect;
      const record = byId.get(id);
      if (record !== undefined && "shared" in record) found.push({ text: `machines share ${id}` });
      if (effectStanding(effect, record) !== "changed") continue;
      const since = all.findLast((other) =>
        other !== operation && !other.isUndone &&
        other.effects.some((each) => "id" in each && each.id === id)
      );
      const who = since ? ` by ${since.by}, in ${since.id}` : "";
      found.push({ text: `${id} was changed since${who}`, madeBy: since?.id });
    }
  };
  const { ledger } = state.records();
  const byIssue = groupBy(clarifications, ({ id }) => issueNumberOf(id));
  for (const [issue, own] of byIssue) check(own, ledger.getByIssue(issue));
  if (questions.length > 0) check(questions, await (await state.gate()).list());
  if (assumptions.length > 0) check(assumptions, (await state.gate()).assumptions.list());
  return found;
}

/** Describes other records about issues that an operation created. */
async function aboutIssues(
  state: WorkspaceState,
  created: readonly { number: number; uid: string }[],
  { effects }: Operation,
): Promise<string[]> {
  const numbers = new Set(created.map(({ number }) => number));
  const uids = new Set(created.map(({ uid }) => uid));
  const own = new Set(effects.flatMap((effect) => "id" in effect ? effect.id : []));
  const gate = await state.gate();
  const questions = (await gate.list()).filter(({ request }) => numbers.has(request.issue));
  const assumptions = gate.assumptions.list().filter(({ issue }) => numbers.has(issue));
  const clarifications = [...numbers].flatMap((issue) => state.records().ledger.getByIssue(issue));
  const issues = (await state.issueStore()).scan().issues.filter((issue) =>
    !uids.has(issue.uid) &&
    [issue.parent ?? "", ...issue.linkedUids ?? []].some((link) =>
      uids.has(link.slice(link.indexOf(" ") + 1))
    )
  );
  const { store } = await state.memory();
  const noted = [];
  for (const issue of numbers) noted.push(...await store.getByIssue(issue));
  const records = [...clarifications, ...questions, ...assumptions, ...noted];
  return [
    ...records.filter(({ id }) => !own.has(id)).map(({ id }) => `${id} is about what it created`),
    ...issues.map(({ number }) => `#${number} is linked to what it created`),
  ];
}

function hasKeys(object: object): boolean {
  return Object.keys(object).length > 0;
}

function refused(
  { id, command }: Operation,
  why: string,
  next: string,
): AgentxError<"NOT_READY"> {
  return new AgentxError("NOT_READY", `Cannot undo ${id} (${command}): ${why}`, {
    details: { issueNumber: 0, reasons: [why] },
    next,
  });
}
