/**
 * `agentx issue create`.
 *
 * @module
 */

import * as z from "zod/mini";
import { actingAgent, asAgent } from "../../cli/acting_agent.ts";
import { argument } from "../../cli/arguments.ts";
import { defineCommand } from "../../cli/command.ts";
import { body, checkType, labels, status, title } from "./input.ts";
import { noteDependencies, renderChange } from "./outcome.ts";

/** Makes an issue under the next free number. */
export const command = defineCommand({
  name: "issue create",
  summary: "Make an issue under the next free number",
  kind: "issue",
  examples: [
    'agentx issue create -t "Crash on start" -l type:bug,p1',
    'agentx issue create -t "Pay by card" -l type:story,p2 -b - <story.md',
  ],
  input: z.object({
    title,
    body: z.optional(body),
    label: z.optional(
      argument(labels, "Such as type:bug, p1, size:small, blocked_by:#12", { short: "l" }),
    ),
    status: z.optional(status),
    as: asAgent,
  }),
  async run(context, { title, body, label = [], status, as }) {
    const by = actingAgent(context.io, as).name();
    const workspace = await context.openWorkspace();
    checkType("issue create", label, workspace);
    const issue = await workspace.issues.create({ title, body, labels: label, status }, by);
    noteDependencies(context.io, workspace, issue);
    return { output: { issue } };
  },
  render: ({ issue }, view) => renderChange("Made", issue, view),
});
