// `agentx inbox`: what waits for the human, and `agentx answer`.

import { defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { noteProblems } from "../../cli/note.ts";
import { whyNobodyIsAsked } from "../../cli/person.ts";
import { argument, rule, type Spec } from "../../cli/spec.ts";
import { MAX_BODY } from "../../clarify/schema.ts";
import { isConflictId } from "../../inbox/conflict.ts";
import { decideEntry, readInbox } from "../../inbox/inbox.ts";
import { isPlanId } from "../../inbox/plan.ts";
import { isStoppedId } from "../../inbox/stopped.ts";
import { renderDecision, renderInbox } from "../../inbox/render.ts";
import { sys } from "../../sys/mod.ts";
import { checkHuman, isVerifiedFor } from "../gate/input.ts";
import { goThrough } from "./go_through.ts";

const entryId: Spec<string> = {
  ...rule(
    (id) =>
      /^(?:CLR-[1-9]\d{0,8}-\d{3,9}|(?:AS[KM]|GRD)-\d{3,9})$/.test(id) || isConflictId(id) ||
      isPlanId(id) || isStoppedId(id),
    "look like CLR-42-001, ASK-001, ASM-001, GRD-001, ISS-42-title, PLN-42-3f2a9c01 or STP-42-prd",
  ),
  description: "Id of what is decided",
  placeholder: "ID",
};

export const list = defineCommand({
  kind: "inbox",
  runsMonitor: true,
  examples: ["agentx inbox", "agentx inbox --json"],
  input: {},
  async run(context) {
    const { io, isJson } = context;
    const workspace = await context.openWorkspace();
    const { entries, problems } = await readInbox(workspace);
    const exitCode = noteProblems(io, problems);
    if (isJson || entries.length === 0 || whyNobodyIsAsked(io) !== undefined) {
      return { output: { entries, decided: [] }, exitCode };
    }
    const decided = await goThrough(context, workspace, entries);
    const rest = await readInbox(workspace);
    return { output: { entries: rest.entries, decided }, exitCode };
  },
  render: ({ entries, decided }, view) =>
    [
      ...decided.map(renderDecision),
      renderInbox(entries, view, sys.now()),
    ].join("\n"),
});

export const answer = defineCommand({
  kind: "inbox.decision",
  examples: [
    "agentx answer ASK-001 b",
    'agentx answer CLR-42-001 "PostgreSQL, behind a repository."',
    'agentx answer ASM-002 revert "We are leaving JWT"',
  ],
  input: {
    id: entryId,
    answer: argument(text(MAX_BODY), "A letter that it offers, or your own words", {
      placeholder: "a|b|c|TEXT",
    }),
  },
  positional: ["id", "answer"],
  async run(context, { id, answer }) {
    const verified = checkHuman(context.io, id, "answer");
    const decision = await decideEntry(await context.openWorkspace(), id, answer, {
      verified,
      isVerifiedFor: (asked) => isVerifiedFor(context.io, asked),
    });
    return { output: { id, decision } };
  },
  render: renderDecision,
});
