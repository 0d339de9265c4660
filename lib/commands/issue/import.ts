import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { readSource } from "../../cli/read_source.ts";
import { argument, flag, word } from "../../cli/spec.ts";
import { EXIT_CODES } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { type Export, readBacklog, readExport } from "../../work/issue/imports/read.ts";
import { ISSUE_TYPES } from "../../work/issue/labels.ts";
import { listed } from "../../base/quote.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { ImportPlan } from "../../work/issue/imports/plan.ts";

/** Names at most this many problems one by one. */
const MAX_PROBLEMS = 20;

/** Imports the export of another tool, or of agentx. */
export const command = defineCommand({
  kind: "issue.import",
  examples: [
    "agentx issue import .beads/issues.jsonl --dry-run",
    "agentx issue import backlog",
    "agentx issue import - <issues.json",
  ],
  input: {
    file: argument(word, "An export of agentx, beads, Backlog.md or gh", {
      placeholder: "FILE|DIR|-",
    }),
    dryRun: flag("Only show what would be imported"),
    as: asAgent,
  },
  positional: ["file"],
  async run(context, { file, dryRun: isDryRun, as }) {
    const by = actingAgent(context.io, as).name();
    const { issues, workflowTypes } = await context.openWorkspace();
    const types = [...new Set([...ISSUE_TYPES, ...workflowTypes()])];
    const folder = file === "-" ? undefined : sys.realPath(file);
    const name = file.replace(/\/+$/, "").split("/").at(-1)!;
    const { issues: read, problems: unread, ...source } =
      folder !== undefined && sys.lstat(folder)?.kind === "directory"
        ? await readBacklog(folder, name, types)
        : readExport(await readSource(file, context.io), name, types);
    const { problems: refused, ...done } = await issues.import(read, { by, isDry: isDryRun });
    const problems = [...unread, ...refused];
    for (const { at, why } of problems.slice(0, MAX_PROBLEMS)) {
      note(context.io, `${at} was not imported: ${why}`);
    }
    const more = problems.length - MAX_PROBLEMS;
    if (more > 0) note(context.io, `${more} more were not imported; --json names them all`);
    const exitCode = problems.length > 0 ? EXIT_CODES.INVALID_INPUT : 0;
    return { output: { isDryRun, ...source, ...done, problems }, exitCode };
  },
  render: renderImport,
});

/** What `agentx issue import` says. */
type ImportView = Omit<Export, "issues"> & ImportPlan & { isDryRun: boolean };

const MAX_NAMED = 10;

/** What was imported, what was here already, and which fields were dropped. */
function renderImport(view: ImportView, { style, width }: RenderView): string {
  const { format, records, isDryRun, imported, known, deleted, unlinked, fields } = view;
  const { problems } = view;
  const numbers = imported.map(({ number }) => number);
  const range = numbers.length === 0
    ? ""
    : `, as #${Math.min(...numbers)} to #${Math.max(...numbers)}`;
  const differing = known.filter(({ differs }) => differs.length > 0);
  const counts = (all: Record<string, number>) =>
    Object.entries(all).map(([name, count]) => `${name} ${count}`).join(", ");
  const lines: Array<[string, string]> = [
    [isDryRun ? "Would import" : "Imported", `${imported.length} of ${records}${range}`],
    ["Already here", known.length === 0 ? "" : `${known.length}, unchanged`],
    [
      "Differ",
      listed(
        differing.map(({ number, differs }) => `#${number} (${differs.join(", ")})`),
        MAX_NAMED,
      ),
    ],
    ["Deleted there", deleted === 0 ? "" : `${deleted}, skipped`],
    ["Not imported", problems.length === 0 ? "" : `${problems.length}`],
    ["Fields imported", counts(fields.taken)],
    ["Fields dropped", counts(fields.left)],
    ["Not linked", unlinked === 0 ? "" : `${unlinked} parents or dependencies not found`],
  ];
  return [
    style.bold(terminalLine(`  Format: ${format}`, width)),
    ...lines.filter(([, text]) => text !== "").flatMap(([label, text]) =>
      terminalBlock(terminalLine(`${label}: ${text}`), { indent: "  ", width })
    ),
  ].join("\n");
}
