import { actingAgent } from "../../cli/acting_agent.ts";
import { type Context, defineCommand } from "../../cli/command.ts";
import { asAgent } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { readSource } from "../../cli/read_source.ts";
import { argument, flag, optional, word } from "../../cli/spec.ts";
import type { Io } from "../../cli/io.ts";
import { AgentxError, EXIT_CODES } from "../../base/errors.ts";
import { isoTime } from "../../base/time.ts";
import { PROJECT } from "../../memory/schema.ts";
import { sys } from "../../sys/mod.ts";
import {
  type Export,
  type ImportedMemory,
  type ImportProblem,
  readBacklog,
  readExport,
} from "../../work/issue/imports/read.ts";
import { ISSUE_TYPES } from "../../work/issue/labels.ts";
import { listed, quote } from "../../base/quote.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { IssueStore } from "../../work/issue/issue_store.ts";
import { statusMap } from "./input.ts";

/** Maximum number of problems to name one by one. */
const MAX_PROBLEMS = 20;

/** Imports the export of another tool, or of agentx. */
export const command = defineCommand({
  kind: "issue.import",
  examples: [
    "agentx issue import .beads/issues.jsonl --dry-run",
    "agentx issue import backlog --status 'Needs design=backlog'",
    "agentx issue import .taskmaster/tasks/tasks.json",
    "agentx issue import - <issues.json",
  ],
  input: {
    file: argument(word, "An export of agentx, beads, Backlog.md, task-master or gh", {
      placeholder: "FILE|DIR|-",
    }),
    status: optional(statusMap, "Column for a status of the other tool, such as review=in-review"),
    dryRun: flag("Only show what would be imported"),
    as: asAgent,
  },
  positional: ["file"],
  async run(context, { file, dryRun: isDryRun, as, status }) {
    const by = actingAgent(context.io, as).name();
    const { issues, workflowTypes } = await context.openWorkspace();
    const here = {
      types: [...new Set([...ISSUE_TYPES, ...workflowTypes()])],
      columns: Object.fromEntries(status ?? []),
      now: isoTime(sys.now()),
    };
    const folder = file === "-" ? undefined : sys.realPath(file);
    const name = file.replace(/\/+$/, "").split("/").at(-1)!;
    const { issues: read, memories, problems: unread, ...source } =
      folder !== undefined && sys.lstat(folder)?.kind === "directory"
        ? await readBacklog(folder, name, here)
        : readExport(await readSource(file, context.io), name, here);
    checkStatuses(name, source.statuses);
    const { problems: refused, ...done } = await issues.import(read, { by, isDry: isDryRun });
    const problems = [...unread, ...refused];
    const remembered = isDryRun ? [] : await remember(memories, { name, context, problems });
    noteEach(context.io, problems.map(({ at, why }) => `${at} was not imported: ${why}`));
    noteEach(context.io, done.twice.map(({ at, why }) => `${at}: ${why}`));
    noteEach(context.io, done.unlinked.map(({ at, link }) => `${at}: its ${link} is not here`));
    const isWhole = problems.length === 0 && done.unlinked.length === 0;
    const output = {
      isDryRun,
      ...source,
      ...done,
      memories: memories.length,
      remembered,
      problems,
    };
    return { output, exitCode: isWhole ? 0 : EXIT_CODES.INVALID_INPUT };
  },
  render: renderImport,
});

/** The author of imported memories; no person and no agent of this project has this name. */
const IMPORTER = "import";

/** Notes imported memories, and returns the ids of the observations. A note that memory refuses is a problem. */
async function remember(
  memories: readonly ImportedMemory[],
  { name, context, problems }: { name: string; context: Context; problems: ImportProblem[] },
): Promise<string[]> {
  const ids: string[] = [];
  for (const { at, key, text } of memories) {
    const content = `${key}: ${text} (imported from ${name})`;
    try {
      const memory = await (await context.openState()).memory();
      const about = { agent: IMPORTER, issueNumber: PROJECT, category: "key-fact" } as const;
      ids.push((await memory.note({ ...about, content })).id);
    } catch (error) {
      if (!(error instanceof AgentxError) || error.code !== "INVALID_INPUT") throw error;
      problems.push({ at, why: error.summary });
    }
  }
  return ids;
}

/** Refuses an import with mostly unknown statuses: a wrong map would offer work that nobody meant to be done. */
function checkStatuses(file: string, statuses: Export["statuses"]): void {
  const recordsIn = (uses: Export["statuses"]) =>
    uses.reduce((sum, { records }) => sum + records, 0);
  const unknown = statuses.filter(({ isKnown }) => !isKnown);
  if (2 * recordsIn(unknown) <= recordsIn(statuses)) return;
  const names = listed(unknown.map(({ status }) => quote(status)), MAX_NAMED);
  throw new AgentxError("INVALID_INPUT", `Cannot import "${file}": most statuses are unknown`, {
    details: { field: "status", value: unknown.map(({ status }) => status) },
    next: `Say which column each one is, such as --status ${
      quote(`${unknown[0].status}=ready`)
    }: ${names}`,
  });
}

function noteEach(io: Io, lines: readonly string[]): void {
  for (const line of lines.slice(0, MAX_PROBLEMS)) note(io, line);
  const more = lines.length - MAX_PROBLEMS;
  if (more > 0) note(io, `${more} more such lines; --json has them all`);
}

/** The output of `agentx issue import`. */
type ImportView =
  & Omit<Export, "issues" | "memories">
  & Awaited<ReturnType<IssueStore["import"]>>
  & {
    isDryRun: boolean;
    /** Number of notes in the file. */
    memories: number;
    /** Ids of the observations made from the notes. */
    remembered: string[];
  };

const MAX_NAMED = 10;

/** Renders the imported issues, those that were here already, and the dropped fields. */
function renderImport(view: ImportView, { style, width }: RenderView): string {
  const { format, records, isDryRun, imported, known, skipped, linked, twice, fields } = view;
  const { problems, memories, remembered, unlinked } = view;
  const numbers = imported.map(({ number }) => number);
  const range = numbers.length === 0
    ? ""
    : `, as #${Math.min(...numbers)} to #${Math.max(...numbers)}`;
  const differing = known.filter(({ differs }) => differs.length > 0);
  const counts = (all: Record<string, number>) =>
    Object.entries(all).map(([name, count]) => `${name} ${count}`).join(", ");
  const lines: Array<[string, string]> = [
    [isDryRun ? "Would import" : "Imported", `${imported.length} of ${records}${range}`],
    [
      "Already here",
      known.length === 0 ? "" : `${known.length}${linked.length === 0 ? ", unchanged" : ""}`,
    ],
    ["Linked", listed(linked, MAX_NAMED)],
    [
      "Differ",
      listed(
        differing.map(({ number, differs }) => `#${number} (${differs.join(", ")})`),
        MAX_NAMED,
      ),
    ],
    ["Skipped", counts(skipped)],
    ["Twice", twice.length === 0 ? "" : `${twice.length} with the id of another record`],
    ["Not imported", problems.length === 0 ? "" : `${problems.length}`],
    [
      "Remembered",
      memories === 0
        ? ""
        : isDryRun
        ? `${memories} notes, once it is no dry run`
        : `${remembered.length} of ${memories} notes, as ${IMPORTER}; take one back with: ` +
          `agentx memory delete ${remembered[0] ?? "ID"}`,
    ],
    ["Statuses", listed(view.statuses.map(statusText), MAX_NAMED)],
    ["Fields imported", counts(fields.taken)],
    ["Fields dropped", counts(fields.left)],
    [
      "Not linked",
      unlinked.length === 0
        ? ""
        : `${unlinked.length} parents or dependencies not found; import the rest, then this again`,
    ],
  ];
  return [
    style.bold(terminalLine(`  Format: ${format}`, width)),
    ...lines.filter(([, text]) => text !== "").flatMap(([label, text]) =>
      terminalBlock(terminalLine(`${label}: ${text}`), { indent: "  ", width })
    ),
  ].join("\n");
}

function statusText({ status, column, records, isKnown }: Export["statuses"][number]): string {
  const name = status === "" ? "none" : status;
  return `${name} = ${column} ${records}${isKnown ? "" : " (unknown: not offered)"}`;
}
