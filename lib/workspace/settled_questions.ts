// Stores the results of questions between agents in memory, as decisions. A later decision on the same topic
// replaces an earlier one, and only valid decisions are passed on or used again.

import { HUMAN, roleOf } from "../base/agent_names.ts";
import { settledAnswer } from "../clarify/hub/outcome.ts";
import type { ClarificationLedger } from "../clarify/ledger/ledger.ts";
import { askerOf, type ClarificationRecord, issueNumberOf, lastEntry } from "../clarify/schema.ts";
import { pathsIn } from "../memory/anchors/names.ts";
import { type WarnOnFailure, warnOnFailure } from "../memory/warn_on_failure.ts";
import type { MemoryPipeline } from "../memory/memory_pipeline.ts";
import { type Observation, supersededIds, truncate } from "../memory/schema.ts";
import { sys } from "../sys/mod.ts";

/** Minimum length of an agent's conclusion. A shorter one only says that the agent accepts the answer. */
const SHORTEST_CONCLUSION = 30;

const LONGEST = 300;

/** Maximum number of decisions to pass to the next target, the newest ones. */
const MAX_PASSED_ON = 10;

/** The settled questions of a workspace. */
export class Settled {
  readonly #memory: () => Promise<MemoryPipeline>;
  readonly #ledger: ClarificationLedger;
  readonly #tree: string;
  readonly #warnOnFailure: WarnOnFailure;

  /** `memory` opens the memory of the workspace; `tree` is the caller's own checkout. */
  constructor(
    memory: () => Promise<MemoryPipeline>,
    { ledger, tree, notify }: {
      ledger: ClarificationLedger;
      tree: string;
      notify: (message: string) => void;
    },
  ) {
    this.#memory = memory;
    this.#ledger = ledger;
    this.#tree = tree;
    this.#warnOnFailure = warnOnFailure(notify);
  }

  /** Stores the conclusion of a resolved clarification as one sentence. */
  async remember(record: ClarificationRecord): Promise<void> {
    const content = sentenceOf(record);
    if (content === undefined) return;
    const { id } = record;
    const replaced = this.#ledger.getByIssue(issueNumberOf(id))
      .filter(({ supersededBy }) => supersededBy === id).map((other) => other.id);
    const timestampMs = Date.parse(record.thread.at(-1)!.timestamp);
    await this.#warnOnFailure("decision", undefined, async () => {
      const issueNumber = issueNumberOf(id);
      const { valid } = await this.#decisions(issueNumber);
      const before = valid.findLast((one) => replaced.includes(one.sessionId));
      await (await this.#memory()).note({
        agent: roleOf(askerOf(record)),
        issueNumber,
        category: "decision",
        content,
        supersedes: before?.content === content ? undefined : before?.id,
        call: { id: `${id} ${timestampMs}`, sessionId: id, timestampMs },
      });
    });
  }

  /** Returns a sentence for each other settled question of the same issue that is still valid. */
  async beside({ id }: ClarificationRecord): Promise<string[]> {
    const valid = await this.#warnOnFailure(
      "recall",
      [],
      async () => (await this.#decisions(issueNumberOf(id))).valid,
    );
    return valid.filter(({ sessionId }) => sessionId !== id).slice(-MAX_PASSED_ON)
      .map(({ content, sessionId }) => `${content} (${sessionId})`);
  }

  /** Returns whether the answer of a settled question is still valid: no file that it names has changed since. */
  async holds(record: ClarificationRecord): Promise<boolean> {
    const { thread, id } = record;
    const answeredMs = Date.parse(settledAnswer(record)?.timestamp ?? "");
    const named = pathsIn(thread.map(({ body }) => body).join("\n"));
    const isChanged = named.some(({ path }) =>
      !((sys.lstat(`${this.#tree}/${path}`)?.modifiedMs ?? 0) < answeredMs)
    );
    if (isChanged) return false;
    const isHis = ({ sessionId }: Observation) => sessionId === id;
    return await this.#warnOnFailure("recall", false, async () => {
      const { all, valid } = await this.#decisions(issueNumberOf(id));
      return !all.some(isHis) || valid.some(isHis);
    });
  }

  async #decisions(issue: number): Promise<{ all: Observation[]; valid: Observation[] }> {
    const known = await (await this.#memory()).store.getByIssue(issue);
    const hidden = supersededIds(known);
    const all = known.filter(({ sessionId }) => sessionId.startsWith("CLR-"));
    return { all, valid: all.filter(({ id }) => !hidden.has(id)) };
  }
}

/**
 * Returns the topic and the agent's conclusion as one sentence, or the answer if the conclusion is short or a human's.
 * Undefined if both are empty.
 */
function sentenceOf(record: ClarificationRecord): string | undefined {
  const end = lastEntry(record, "resolution");
  const answer = settledAnswer(record)?.body;
  const isEnough = end !== undefined && end.from !== HUMAN &&
    (answer === undefined || end.body.length >= SHORTEST_CONCLUSION);
  const said = (isEnough ? end.body : answer) ?? "";
  if (said.trim() === "") return undefined;
  const line = truncate(said.replace(/\s+/g, " ").trim(), LONGEST);
  const topic = record.topic.trim();
  return `${topic}${/[?:.]$/.test(topic) ? "" : ":"} ${line}`;
}
