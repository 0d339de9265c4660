// Finds the agent that wrote a line, from records of other tools. Pure. The records are untrusted text.

import { isObject, listOf, stringOf, tryParseJson } from "../base/checks.ts";

/** The author of a line according to a record. A field is null if the record lacks it. */
export interface LineAuthor {
  /**
   * The kind of record: `git-ai` is a note on the commit, `agent-trace` a line of `.agent-trace/traces.jsonl`, and
   * `workflow` the workflow step that brought the commit through its branch.
   */
  source: "git-ai" | "agent-trace" | "workflow";
  /** Role of the agent that did the step; only for `workflow`. */
  agent?: string;
  /** Name of the coding agent, such as `claude`. */
  tool: string | null;
  model: string | null;
  /** Id of the session, or URL of the conversation. */
  session: string | null;
}

/** The place of a line in its commit. */
export interface CommittedLine {
  path: string;
  /** From 1. */
  line: number;
}

/**
 * Reads a note of git-ai, version 3. Below each path, the note has rows with an id and its line ranges. After `---`
 * follows JSON that describes the ids.
 *
 * @returns undefined if the note attributes the line to no agent
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

/** Returns the agent with an id. The ids of people are in neither table, so the result is undefined for them. */
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
 * Reads records of Agent Trace 0.1, one per line. If several match, the last one counts.
 *
 * @param revisions the commit of the line and its parents: a record names either the commit that contains the lines,
 * or the commit that was checked out while the agent wrote them
 * @returns undefined if no record attributes the line to an agent
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
