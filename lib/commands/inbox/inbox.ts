/**
 * `agentx inbox`: what waits for the human, and `agentx inbox answer`.
 *
 * @module
 */

import { defineCommand } from "../../cli/command.ts";
import { text } from "../../cli/inputs.ts";
import { noteProblems } from "../../cli/note.ts";
import { whyNobodyIsAsked } from "../../cli/person.ts";
import { argument, rule, type Spec } from "../../cli/spec.ts";
import { MAX_BODY } from "../../clarify/schema.ts";
import { decideEntry, readInbox } from "../../inbox/inbox.ts";
import { renderDecision, renderInbox } from "../../inbox/render.ts";
import { sys } from "../../sys/mod.ts";
import { checkHuman } from "../gate/input.ts";

const entryId: Spec<string> = {
  ...rule(
    /^(?:CLR-[1-9]\d{0,8}-\d{3,9}|AS[KM]-\d{3,9})$/,
    "look like CLR-42-001, ASK-001 or ASM-001",
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
    const { goThrough } = await import("./go_through.ts");
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
    "agentx inbox answer ASK-001 b",
    'agentx inbox answer CLR-42-001 "PostgreSQL, behind a repository."',
    'agentx inbox answer ASM-002 revert "We are leaving JWT"',
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
    const decision = await decideEntry(await context.openWorkspace(), id, answer, { verified });
    return { output: { id, decision } };
  },
  render: renderDecision,
});
