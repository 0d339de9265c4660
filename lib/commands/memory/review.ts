// `agentx memory review`: a person keeps, corrects or retracts observations in doubt, one by one.

import { type Context, defineCommand } from "../../cli/command.ts";
import { issueNumber } from "../../cli/inputs.ts";
import { type Io, viewOf } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { whyNobodyIsAsked } from "../../cli/person.ts";
import { optional } from "../../cli/spec.ts";
import type { MemoryPipeline } from "../../memory/memory_pipeline.ts";
import { renderInDoubt } from "./render.ts";
import type { InDoubt } from "../../memory/anchors/in_doubt.ts";
import { cutting } from "../../redact/border.ts";
import { observationId, wholeId } from "./observation_id.ts";

type Decision = "kept" | "corrected" | "retracted" | "skipped";

export const command = defineCommand({
  kind: "memory.review",
  capturesSessions: true,
  examples: [
    "agentx memory review",
    "agentx memory review --issue 42 --json",
    "agentx memory review --keep obs-engineer-42-1709035200000-a1b2c3",
  ],
  input: {
    issue: optional(issueNumber, "Only observations of this issue"),
    keep: optional(observationId, "Observation that still holds, although the code has changed"),
  },
  conflicts: { keep: ["issue"] },
  async run(context, { issue, keep }) {
    const memory = await (await context.openState()).memory();
    if (keep !== undefined) {
      const { id } = await memory.confirm(await wholeId(memory.store, keep));
      return { output: { inDoubt: [], decided: [{ id, decision: "kept" as Decision }] } };
    }
    const inDoubt = await memory.findInDoubt(issue);
    const isAsked = !context.isJson && inDoubt.length > 0 &&
      whyNobodyIsAsked(context.io) === undefined;
    const decided = isAsked ? await decideEach(context, memory, inDoubt) : [];
    return { output: { inDoubt: isAsked ? [] : inDoubt, decided } };
  },
  render({ inDoubt, decided }, view) {
    if (decided.length > 0) {
      return decided.map(({ id, decision }) => `  ${decision.padEnd(9)}  ${id}`).join("\n");
    }
    if (inDoubt.length === 0) return "  Nothing is in doubt.";
    const entries = inDoubt.map((each) => renderInDoubt(each, view)).join("\n\n");
    const next =
      "Keep one with: agentx memory review --keep ID, correct it with: agentx memory note " +
      "--supersedes ID, or retract it with: agentx memory retract ID";
    return `${entries}\n\n${view.style.dim(`  ${next}`)}`;
  },
});

async function decideEach(
  { io, signal }: Context,
  memory: MemoryPipeline,
  inDoubt: readonly InDoubt[],
): Promise<{ id: string; decision: Decision }[]> {
  const decided: { id: string; decision: Decision }[] = [];
  for (const [index, each] of inDoubt.entries()) {
    const { id } = each.observation;
    const shown = renderInDoubt(each, viewOf(io, "stderr"));
    io.stderr(`\n  ${index + 1} of ${inDoubt.length}\n${shown}\n\n`);
    const decision = await decide(io, memory, each);
    signal.throwIfAborted();
    if (decision === "quit") break;
    decided.push({ id, decision });
  }
  return decided;
}

async function decide(
  io: Io,
  memory: MemoryPipeline,
  { observation, contradictedBy, standing }: InDoubt,
): Promise<Decision | "quit"> {
  const { id, agent, issueNumber, category } = observation;
  const hasChanged = standing.state === "changed" || standing.state === "gone";
  const keys = `${hasChanged ? "[k]eep, " : ""}[c]orrect, [r]etract, [s]kip, [q]uit`;
  for (;;) {
    switch ((await ask(io, `${keys}?`)).toLowerCase()) {
      case "k":
        if (!hasChanged) break;
        await memory.confirm(id);
        return "kept";
      case "c": {
        const content = await ask(io, "What holds instead:");
        if (content === "") break;
        await memory.note({ agent, issueNumber, category, content, supersedes: id });
        return "corrected";
      }
      case "r": {
        const given = await ask(io, "Why is it wrong? (Enter: no longer true)");
        const later = contradictedBy.length > 0 ? `contradicted by ${contradictedBy[0]}` : "";
        const because = given || later || "no longer true";
        const options = { what: id, notify: (text: string) => note(io, text) };
        await memory.store.retract(id, await cutting((cut) => cut("reason", because), options));
        return "retracted";
      }
      case "":
      case "s":
        return "skipped";
      case "q":
        return "quit";
    }
  }
}

async function ask(io: Io, question: string): Promise<string> {
  io.stderr(`  ${question} `);
  return (await io.readLine()).trim();
}
