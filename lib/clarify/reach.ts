// Who can answer the questions to a role here, which is known before anybody waits. Pure.

/** Who answers the questions to a role. */
export type Reach =
  | { by: "run" } // an agent is run for them
  | { by: "session"; agent: string } // no agent can be run, and a session at work receives them by its hooks
  | ({ by: "nobody" } & NotRun);

/** Who answers where no agent can be run. */
export type Unreached = Exclude<Reach, { by: "run" }>;

/** Why no agent can be run for a role. */
export interface NotRun {
  /** Whether it is set how the role is run: then only consent is missing. */
  isConfigured: boolean;
  /** A clause that names the role. */
  reason: string;
  /** The command of a person that changes it. */
  next: string;
}

/** Who answers instead of a run, as a clause. */
export function describeReach(reach: Unreached): string {
  return reach.by === "session"
    ? `${reach.agent} is at work and receives it by its hooks`
    : `nobody answers: ${reach.reason}`;
}

/** What a person can do, a line each; `id` is that of the question, or `ID` for any of several. */
export function waysOut(reach: Unreached, id: string): string[] {
  const answer = `answer it: agentx answer ${id} "..."`;
  if (reach.by === "session") return [answer];
  return [answer, `or ${reach.isConfigured ? "agree to it" : "configure it"}: ${reach.next}`];
}
