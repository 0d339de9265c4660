// Which agent wrote a line, by the records of other tools. Pure; the records are untrusted text.

import { isObject, listOf, stringOf, tryParseJson } from "../base/checks.ts";

/** The author of a line by a record; null for absent fields. */
export interface LineAuthor {
  /**
   * `git-ai` for its note on the commit, `agent-trace` for a line of `.agent-trace/traces.jsonl`, `workflow` for the
   * step that brought the commit by its branch.
   */
  source: "git-ai" | "agent-trace" | "workflow";
  /** Role of the agent that did the step; only from a workflow. */
  agent?: string;
  /** Such as `claude`. */
  tool: string | null;
  model: string | null;
  /** The id of the session, or the address of the conversation. */
  session: string | null;
}

/** A line as its commit has it. */
export interface CommittedLine {
  path: string;
  /** From 1. */
  line: number;
}

/**
 * Reads a note of git-ai, version 3: after each path rows of an id and its ranges, then `---` and JSON
 * that describes the ids.
 *
 * @returns undefined where the note attributes the line to no agent
 */
export function authorByNote(note: string, { path, line }: CommittedLine): LineAuthor | undefined {
  const end = note.indexOf("\n---\n");
  const described = end < 0 ? undefined : tryParseJson(note.slice(end + 5));
  if (!isObject(described)) return undefined;
  let isOfPath = false;
  for (const row of note.slice(0, end).split("\n")) {
    if (!row.startsWith(" ")) {
      isOfPath = row.replace(/^"(.*)"$/, "$1") === path;
      continue;
    }
    const [id, ranges = ""] = row.trim().split(/\s+/);
    if (!isOfPath || !ranges.split(",").some((range) => covers(range, line))) continue;
    const agent = agentOf(described, id.split("::")[0]);
    if (agent !== undefined) return { source: "git-ai", ...agent };
  }
  return undefined;
}

function covers(range: string, line: number): boolean {
  const [first, last = first] = range.split("-").map(Number);
  return first <= line && line <= last;
}

/** An id of a person is in neither table. */
function agentOf({ prompts, sessions }: Record<string, unknown>, id: string) {
  for (const table of [prompts, sessions]) {
    const entry = isObject(table) && Object.hasOwn(table, id) ? table[id] : undefined;
    if (!isObject(entry) || !isObject(entry.agent_id)) continue;
    const { tool, model, id: session } = entry.agent_id;
    return { tool: textOrNull(tool), model: textOrNull(model), session: textOrNull(session) };
  }
  return undefined;
}

/**
 * Reads records of Agent Trace 0.1, one on each line; of several that fit, the last counts.
 *
 * @param revisions the commit of the line and its parents: a record names the commit that holds the
 * lines, or the one that was checked out while the agent wrote them
 * @returns undefined where no record attributes the line to an agent
 */
export function authorByTrace(
  records: Iterable<string>,
  { path, line }: CommittedLine,
  revisions: readonly string[],
): LineAuthor | undefined {
  let found: LineAuthor | undefined;
  for (const text of records) {
    const record = text.includes("ranges") ? tryParseJson(text) : undefined;
    if (!isObject(record) || !isObject(record.vcs)) continue;
    if (!revisions.includes(stringOf(record.vcs.revision) ?? "")) continue;
    const conversations = listOf(record.files).filter(isObject)
      .filter((file) => file.path === path)
      .flatMap(({ conversations }) => listOf(conversations).filter(isObject));
    for (const { contributor, ranges, url } of conversations) {
      const range = listOf(ranges).filter(isObject).find((each) => isIn(each, line));
      const by = range?.contributor ?? contributor;
      if (range === undefined || !isObject(by) || by.type !== "ai" && by.type !== "mixed") continue;
      const tool = isObject(record.tool) ? textOrNull(record.tool.name) : null;
      const [model, session] = [textOrNull(by.model_id), textOrNull(url)];
      found = { source: "agent-trace", tool, model, session };
    }
  }
  return found;
}

function isIn({ start_line: first, end_line: last }: Record<string, unknown>, line: number) {
  return typeof first === "number" && typeof last === "number" && first <= line && line <= last;
}

function textOrNull(value: unknown): string | null {
  return stringOf(value) ?? null;
}
