import { defineCommand } from "../cli/command.ts";
import { noteProblems } from "../cli/note.ts";
import { optional, rule, type Spec } from "../cli/spec.ts";
import { sys } from "../sys/mod.ts";
import { type IsoWeek, isoWeekOf, parseIsoWeek } from "../work/figures/iso_week.ts";
import { renderDigest } from "./digest/render.ts";
import { digestsOf } from "../workspace/figures.ts";

const week: Spec<IsoWeek> = {
  ...rule((text) => parseIsoWeek(text) !== undefined, "be a week such as 2026-W09"),
  description: "The week, in UTC (default: this one)",
  placeholder: "2026-W09",
  read: (text) => parseIsoWeek(text)!,
};

export const command = defineCommand({
  kind: "digest",
  examples: ["agentx digest", "agentx digest --week 2026-W09"],
  input: { week: optional(week) },
  async run(context, { week = isoWeekOf(sys.now()) }) {
    const digests = digestsOf(await context.openWorkspace());
    const { digest, problems } = await digests.collect(week);
    const exitCode = noteProblems(context.io, problems);
    return { output: { digest, path: await digests.write(digest) }, exitCode };
  },
  render: ({ digest, path }, view) => renderDigest(digest, path, view),
});
