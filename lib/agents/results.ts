// Keeps the result of each agent's last run, by preset or command: `.agentx/state/agent-results.json`. It is for people
// to read; nothing depends on it.

import { roleOf } from "../base/agent_names.ts";
import { isObject } from "../base/checks.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { isoTime } from "../base/time.ts";
import type { AgentCall } from "./agent_call.ts";

export interface AgentResult {
  /** ISO-8601, UTC: when the run ended. */
  at: string;
  outcome: "answered" | "failed";
  durationMs: number;
  /** Why the run failed; null if it did not fail. */
  reason: string | null;
}

/** The results by role, then by preset or `command`. */
type ResultsFile = Record<string, Record<string, AgentResult>>;

/**
 * Owner of `agent-results.json`.
 *
 * @internal
 */
export class AgentResults {
  readonly #file: JsonFile<ResultsFile>;
  readonly #notify: (message: string) => void;

  constructor(
    path: string,
    { locks, notify }: { locks: FileLockManager; notify: (message: string) => void },
  ) {
    const options = { problemWith, kind: "state", fsync: false } as const;
    this.#file = new JsonFile(path, locks, options);
    this.#notify = notify;
  }

  /** Returns the result of the last run of a role by a preset or `command`; undefined if none is known. */
  last(role: string, way: string): AgentResult | undefined {
    return this.#lastOf((name) => name === role, way);
  }

  /** Returns the result of the last run of any other role; undefined if none is known. */
  lastOfOthers(own: readonly string[], way: string): AgentResult | undefined {
    return this.#lastOf((name) => !own.includes(name), way);
  }

  #lastOf(fits: (role: string) => boolean, way: string): AgentResult | undefined {
    return Object.entries(this.#file.read() ?? {})
      .flatMap(([role, ways]) => fits(role) && Object.hasOwn(ways, way) ? [ways[way]] : [])
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1);
  }

  /** Wraps a runner to keep the result of each run. A run that was stopped has no result. */
  keeping<T>(way: string, run: (call: AgentCall) => Promise<T>): (call: AgentCall) => Promise<T> {
    return async (call) => {
      const startMs = performance.now();
      const keep = (outcome: AgentResult["outcome"], reason: string | null) =>
        this.#keep(roleOf(call.agent), way, {
          at: isoTime(sys.now()),
          outcome,
          durationMs: Math.round(performance.now() - startMs),
          reason,
        });
      try {
        const reply = await run(call);
        await keep("answered", null);
        return reply;
      } catch (error) {
        if (hasCode(error, "AGENT_ERROR")) await keep("failed", error.details.reason);
        throw error;
      }
    };
  }

  /** Writes a result. A failure is only reported, because the answer matters more than this note. */
  async #keep(role: string, way: string, result: AgentResult): Promise<void> {
    try {
      const kept = await withoutSecrets(result);
      await this.#file.update(role, (current = {}) => ({
        ...current,
        [role]: { ...(Object.hasOwn(current, role) ? current[role] : {}), [way]: kept },
      }));
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      this.#notify(`${error.summary}: how ${role} ended is not kept`);
    }
  }
}

function problemWith(value: unknown): string | undefined {
  const isResult = (result: unknown) =>
    isObject(result) && !Number.isNaN(Date.parse(String(result.at))) &&
    (result.outcome === "answered" || result.outcome === "failed") &&
    Number.isFinite(result.durationMs) &&
    (result.reason === null || typeof result.reason === "string");
  const fits = isObject(value) &&
    Object.values(value).every((ways) => isObject(ways) && Object.values(ways).every(isResult));
  return fits ? undefined : "it must hold results by role";
}
