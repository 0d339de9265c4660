// `agentx undo`: undoes one command, by default the caller's latest.

import { HUMAN } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { minuteOf } from "../base/time.ts";
import { actingAgent, mayBe } from "../cli/acting_agent.ts";
import { defineCommand } from "../cli/command.ts";
import { asAgent } from "../cli/inputs.ts";
import type { Io } from "../cli/io.ts";
import { note } from "../cli/note.ts";
import { optional, rule } from "../cli/spec.ts";
import type { Operation } from "../events/operations.ts";
import { agentLabel } from "../text/agent_label.ts";
import { terminalLine } from "../text/text.ts";
import { changedBy, hasForgotten } from "../undo/undo.ts";
import type { WorkspaceState } from "../workspace/state.ts";
import { refuseAfterMerge } from "./undo/newer_merge.ts";
import { takeBack } from "./undo/take_back.ts";

const operationId = {
  ...rule(/^[\w~-]{1,128}$/, "be the id of an operation, as agentx log --undoable shows it"),
  description: "Operation to undo (default: your latest)",
  placeholder: "OP",
};

export const command = defineCommand({
  kind: "undo",
  examples: ["agentx undo", "agentx undo 3f9a2b1c0de4"],
  input: { operation: optional(operationId), as: asAgent },
  positional: ["operation"],
  async run(context, { operation: id, as }) {
    const acting = actingAgent(context.io, as);
    const state = await context.openState();
    const all = state.operations.list();
    const operation = id === undefined ? latestOf(all, acting.name()) : named(all, id);
    const { command, time, by } = operation;
    if (id === undefined) await refuseAfterMerge(context, state.tree, operation);
    const changed = await changedBy(state, operation);
    const undo = await takeBack(context, state, operation, { all, acting });
    await noteFallbacks(context.io, state, operation);
    return { output: { operation: { id: operation.id, command, time, by, changed }, undo } };
  },
  render: ({ operation: { id, command, time, by, changed }, undo }, { style, width }) =>
    [
      `  ${style.bold(`Undid ${id}`)}: ${command}, ${agentLabel(by)}, ${minuteOf(time)} UTC`,
      `    ${terminalLine(changed.join(", "), width - 4)}`,
      style.dim(`  Undo that with: agentx undo ${undo}`),
    ].join("\n"),
});

/** Says which fallback counts again: the time of its question is over. */
async function noteFallbacks(io: Io, state: WorkspaceState, { effects }: Operation): Promise<void> {
  const ids = effects.flatMap((effect) => effect.of === "question" ? effect.id : []);
  if (ids.length === 0) return;
  for (const { id, status, request } of await (await state.gate()).list()) {
    if (!ids.includes(id) || status !== "timeout") continue;
    const { fallback: { option }, options } = request;
    const labels = options.map(({ label }) => label).join("|");
    note(
      io,
      `the time of ${id} is over: (${option}) counts until you decide: agentx answer ${id} ${labels}`,
    );
  }
}

/**
 * Returns the caller's latest operation. It skips undos and undone operations. Throws if the latest cannot be undone.
 */
function latestOf(all: readonly Operation[], name: string): Operation {
  const own = all.filter(({ by, undoes, isUndone }) =>
    undoes === null && !isUndone && mayBe(by, name)
  );
  const latest = own.at(-1);
  if (latest === undefined) {
    const who = name === HUMAN ? "you have" : `${name} has`;
    throw noOperation(`${who} done nothing that can be undone`, name);
  }
  if (hasForgotten(latest)) {
    const before = own.findLast((one) => !hasForgotten(one));
    const next = before && `Undo what came before it with: agentx undo ${before.id}`;
    throw forgotten(latest, next);
  }
  return latest;
}

function named(all: readonly Operation[], id: string): Operation {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw noOperation(`there is no operation "${id}"`, id);
  if (found.isUndone) throw noOperation(`${id} was undone already`, id);
  if (hasForgotten(found)) throw forgotten(found);
  return found;
}

function noOperation(why: string, id: string): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot undo: ${why}`, {
    details: { kind: "operation", id },
    next: "List what can be undone with: agentx log --undoable",
  });
}

function forgotten({ id, command }: Operation, next?: string): AgentxError<"INVALID_INPUT"> {
  const why = "what was deleted from memory stays deleted";
  return new AgentxError("INVALID_INPUT", `Cannot undo ${id} (${command}): ${why}`, {
    details: { field: "OP", value: id },
    next,
  });
}
