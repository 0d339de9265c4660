// Keeps the steps that agents could not do and that wait for a person: `.agentx/state/stopped-steps.json`. An entry
// counts until the step is done or starts over.

import { isListOfTexts, isObject } from "../base/checks.ts";
import { isoTime } from "../base/time.ts";
import type { Workflow } from "../config/workflow.ts";
import { stepName } from "../git/step_names.ts";
import { JsonList } from "../lock/json_list.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { isOpen } from "../work/issue/issue.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import { roundOf } from "./facts.ts";

/** The name that the clarification before the first step has in place of the id of a step. */
export const CLARIFY_FIRST = "clarify-first";

/** A step that waits for a person. */
export interface StoppedStep {
  /** The id, such as `STP-42-implement`. */
  id: string;
  issueUid: string;
  step: string;
  /** Role of the agent. */
  agent: string;
  /** The round of the step when it was stopped. */
  round: number;
  /** When the entry was added: ISO-8601, UTC. */
  created: string;
  /** The reasons, one sentence each; without secrets. */
  reasons: string[];
  /** The changes of the step, as a list. */
  changed?: string;
  /** The last words of the agent, without secrets; absent if there are none. */
  said?: string;
}

/** Maximum length of `said`, in characters. */
const MAX_SAID = 4_000;

/** The stopped steps of one workspace. */
export class StoppedSteps {
  readonly #stopped: JsonList<StoppedStep>;

  /**
   * Takes the workspace folder; the file need not exist.
   *
   * @param home `.agentx`
   */
  constructor(home: string, locks: FileLockManager) {
    const path = `${home}/state/stopped-steps.json`;
    this.#stopped = new JsonList(path, locks, { key: "stopped", isItem: isStopped });
  }

  /** Returns all entries, also those of steps that are done by now. */
  list(): StoppedStep[] {
    return this.#stopped.read();
  }

  /** Adds an entry for a step. An existing entry of the same round is replaced, but keeps its time. */
  async add(
    known: Pick<KnownIssue, "issue" | "lines" | "undone">,
    workflow: Workflow,
    { step, agent, ...why }: Pick<StoppedStep, "step" | "agent" | "reasons" | "changed" | "said">,
  ): Promise<void> {
    const { issue } = known;
    const round = roundOf(step, known, workflow);
    const id = `STP-${stepName(issue.number, step)}`;
    const { reasons, changed, said } = await withoutSecrets(why);
    await this.#stopped.update(agent, (all) => {
      const is = (one: StoppedStep) => one.issueUid === issue.uid && one.step === step;
      const before = all.find((one) => is(one) && one.round === round);
      const created = before?.created ?? isoTime(sys.now());
      const stopped: StoppedStep = {
        id,
        issueUid: issue.uid,
        step,
        agent,
        round,
        created,
        reasons,
        changed,
        said: said?.slice(0, MAX_SAID).toWellFormed(),
      };
      return [...all.filter((one) => !is(one)), stopped];
    });
  }
}

/** Returns the stopped steps of an issue that still wait. */
export function waitingAmong(
  stopped: readonly StoppedStep[],
  known: Pick<KnownIssue, "issue" | "lines" | "undone">,
  workflow: Workflow,
): StoppedStep[] {
  return stopped.filter(({ issueUid, step, round }) =>
    issueUid === known.issue.uid && isOpen(known.issue) && round === roundOf(step, known, workflow)
  );
}

function isStopped(value: unknown): value is StoppedStep {
  return isObject(value) && Number.isSafeInteger(value.round) && isListOfTexts(value.reasons) &&
    ["id", "issueUid", "step", "agent", "created"].every((key) => typeof value[key] === "string");
}
