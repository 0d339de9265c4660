// Several ways to run an agent: where one fails, the next is tried.

import { type AgentxError, hasCode } from "../base/errors.ts";
import { failedRun } from "./failed_run.ts";
import type { PresetRunner } from "./preset_runner.ts";

export interface NamedRunner {
  name: string;
  run: PresetRunner;
}

/** A runner that answers as the first of some that does; it notifies of those that fail. */
export function firstToAnswer(
  runners: readonly NamedRunner[],
  notify: (message: string) => void,
): PresetRunner {
  return async (call) => {
    const failures: [name: string, error: AgentxError<"AGENT_ERROR">][] = [];
    const first = runners.findIndex(({ name }) => name === call.files?.left);
    for (const [index, { name, run }] of runners.entries()) {
      if (index < first) continue; // they had failed when another process began this one
      try {
        return await run(call);
      } catch (error) {
        if (!hasCode(error, "AGENT_ERROR")) throw error;
        failures.push([name, error]);
        const next = runners[index + 1]?.name;
        if (next !== undefined) {
          notify(`${name} failed for ${call.agent} (${error.details.reason}); trying ${next}`);
        }
      }
    }
    if (failures.length === 1) throw failures[0][1];
    throw allFailed(call.agent, failures);
  };
}

/** Only where none of them can be helped by a second run, all of them cannot. */
function allFailed(
  agent: string,
  failures: readonly [name: string, error: AgentxError<"AGENT_ERROR">][],
): AgentxError<"AGENT_ERROR"> {
  const collected = (part: "reason" | "final" | "stdout" | "stderr", separator: string) =>
    failures.flatMap(([name, { details }]) => details[part] ? [`${name}: ${details[part]}`] : [])
      .join(separator);
  const isFinal = failures.every(([, { details }]) => details.final !== undefined);
  return failedRun(agent, collected("reason", "; "), {
    final: isFinal ? collected("final", ", ") : undefined,
    stdout: collected("stdout", "\n"),
    stderr: collected("stderr", "\n"),
    cause: failures.at(-1)?.[1],
  });
}
