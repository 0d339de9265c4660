import { defineCommand } from "../../cli/command.ts";
import { noteProblems } from "../../cli/note.ts";
import { optional, rule, type Spec } from "../../cli/spec.ts";
import { AgentxError } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { type IsoWeek, isoWeekOf, parseIsoWeek } from "../../work/digest/iso_week.ts";
import { renderDigest } from "../../work/render/digest.ts";
import type { Workspace } from "../../workspace/open.ts";

const week: Spec<IsoWeek> = {
  ...rule((text) => parseIsoWeek(text) !== undefined, "be a week such as 2026-W09"),
  description: "The week, in UTC (default: this one)",
  placeholder: "2026-W09",
  read: (text) => parseIsoWeek(text)!,
};

/** What is overdue is assumed by now. */
async function settled({ gate }: Workspace): Promise<AgentxError[]> {
  try {
    await gate().list();
    return [];
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    return [error];
  }
}

export const command = defineCommand({
  kind: "digest",
  examples: ["agentx digest", "agentx digest --week 2026-W09"],
  input: { week: optional(week) },
  async run(context, { week = isoWeekOf(sys.now()) }) {
    const workspace = await context.openWorkspace();
    const digests = await workspace.digests();
    const overdue = await settled(workspace);
    const { digest, problems } = digests.collect(week);
    problems.push(...overdue);
    const exitCode = noteProblems(context.io, problems);
    return { output: { digest, path: await digests.write(digest) }, exitCode };
  },
  render: ({ digest, path }, view) => renderDigest(digest, path, view),
});
