// Reads the labelled set for retrieval; what it holds is said in README.md.

import { estimateTokens, type Observation, summaryOf } from "../../lib/memory/schema.ts";

/** Half of the set: `held_out` is not looked at, only run. */
export type Half = "dev" | "held_out";

/** A question, and the observations that answer it. */
export interface LabelledQuery {
  /** What is asked. */
  query: string;
  /** Where it comes from. */
  kind: "heading" | "subject" | "question" | "unrelated";
  /** Ids of observations; none for an unrelated one. */
  evidence: string[];
}

/** What is stored, and what is asked. */
export interface RetrievalSet {
  /** In the order of their capture. */
  observations: Observation[];
  /** Related and unrelated ones. */
  queries: LabelledQuery[];
}

interface SessionRow {
  session: number;
  agent: string;
  issue: number;
  date: string;
}

interface ObservationRow {
  id: number;
  category: Observation["category"];
  content: string;
}

/** Its observations, ready to be stored, and its queries. */
export function readSet(half: Half): RetrievalSet {
  const observations: Observation[] = [];
  const ids = new Map<number, string>();
  let session: SessionRow | undefined;
  let atMs = 0;
  for (const row of readRows<SessionRow | ObservationRow>(`${half}_observations.jsonl`)) {
    if ("session" in row) {
      session = row;
      atMs = Date.parse(row.date);
      continue;
    }
    const { agent, issue: issueNumber, session: number } = session!;
    const id = `obs-${agent}-${issueNumber}-${atMs}-${row.id.toString(36).padStart(6, "0")}`;
    ids.set(row.id, id);
    observations.push({
      id,
      agent,
      issueNumber,
      category: row.category,
      content: row.content,
      summary: summaryOf(row.content),
      tokens: estimateTokens(row.content),
      timestamp: new Date(atMs).toISOString(),
      sessionId: `session-${number}`,
    });
    atMs += 1_000;
  }
  const queries = readRows<Omit<LabelledQuery, "evidence"> & { evidence: number[] }>(
    `${half}_queries.jsonl`,
  ).map((query) => ({ ...query, evidence: query.evidence.map((number) => ids.get(number)!) }));
  return { observations, queries };
}

function readRows<Row>(name: string): Row[] {
  const text = Deno.readTextFileSync(new URL(name, import.meta.url));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}
