// `agentx inbox`: everything that waits for the human.

import { defineCommand } from "../cli/command.ts";
import { noteProblems } from "../cli/note.ts";
import { whyNobodyIsAsked } from "../cli/person.ts";
import { readInbox } from "../inbox/inbox.ts";
import { renderDecision, renderInbox } from "../inbox/render.ts";
import { sys } from "../sys/mod.ts";
import { goThrough } from "./inbox/go_through.ts";

export const command = defineCommand({
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
