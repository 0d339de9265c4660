// Steps that their agents could not do, and that wait for a person: `.agentx/state/stopped-steps.json`. An entry
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

/** The clarification before the first step stands in place of one. */
export const CLARIFY_FIRST = "clarify-first";

/** A step that waits for a person. */
export interface StoppedStep {
  /** `STP-42-implement`. */
  id: string;
  issueUid: string;
  step: string;
  /** Role of the agent. */
  agent: string;
  /** The round that it was stopped in. */
  round: number;
  /** ISO-8601, UTC. */
  created: string;
  /** Why, one sentence each; without secrets. */
  reasons: string[];
  /** Its changes, as a list. */
  changed?: string;
  /** The last words of its agent, without secrets; left out where there are none. */
  said?: string;
}

/** The longest reply that is kept, in characters. */
const MAX_SAID = 4_000;

/** The stopped steps of one workspace. */
export class StoppedSteps {
  readonly #stopped: JsonList<StoppedStep>;

  /** @param home `.agentx` */
  constructor(home: string, locks: FileLockManager) {
    const path = `${home}/state/stopped-steps.json`;
    this.#stopped = new JsonList(path, locks, { key: "stopped", isItem: isStopped });
  }

  /** All entries, also of steps that are done by now. */
  list(): StoppedStep[] {
    return this.#stopped.read();
  }

  /** Adds a step; if it is there already, only the reasons change. */
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

/** @returns the steps of an issue that still wait */
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
