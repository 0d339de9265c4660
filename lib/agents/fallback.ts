// Tries several ways to run an agent: if one fails, the next one is tried.

import { type AgentxError, hasCode } from "../base/errors.ts";
import { failedRun } from "./failed_run.ts";
import type { PresetRunner } from "./preset_runner.ts";

export interface NamedRunner {
  name: string;
  run: PresetRunner;
}

/** Makes a runner that tries runners in order and returns the first answer. It reports each failure. */
export function firstToAnswer(
  runners: readonly NamedRunner[],
  notify: (message: string) => void,
): PresetRunner {
  return async (call) => {
    const failures: [name: string, error: AgentxError<"AGENT_ERROR">][] = [];
    const first = runners.findIndex(({ name }) => name === call.files?.left);
    for (const [index, { name, run }] of runners.entries()) {
      if (index < first) continue; // earlier ones failed in another process
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

/** Returns the error for the failure of all runners. The failure is final only if each of them is final. */
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
