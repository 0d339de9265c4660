// The requests to the hub.

import type { Unreached } from "../reach.ts";
import type { ClarificationRecord } from "../schema.ts";

/** Input of `ClarificationRouter.requestClarification`. */
export interface ClarificationRequest {
  /** The number of the issue that the question is about, from 1. */
  issueNumber: number;
  /** The requester, which must be known here. */
  fromAgent: string;
  /** The target, which the requester's step must be allowed to ask. */
  toAgent: string;
  /** The topic, 1 to 200 characters. */
  topic: string;
  /** The question, 1 to 2000 characters. */
  question: string;
  /** Whether the requester cannot continue without the answer. */
  blocking: boolean;
  /** A lower limit of rounds than that of the workflow. */
  maxRounds?: number;
  /** Type of the workflow with the rules that apply. */
  workflow?: string;
  /** Whether to ask anew even if the same question is still open, or its answer still holds. */
  again?: boolean;
  /** The host session that asks; no other session may act under the same name. */
  session?: string;
  /**
   * Id of the call that asks, such as a tool call. The thread entry keeps the id, so that the caller finds its question
   * again.
   */
  callId?: string;
  /** Stops the wait for the target; the question stays open. */
  signal?: AbortSignal;
  /** Called when the question is written, before its target is asked. */
  onAsked?: OnAsked;
}

/** An action on a clarification, with its author and origin. */
export interface ClarificationAction {
  /** The id, such as `CLR-42-001`. */
  clarificationId: string;
  /** The agent that acts, or `human`. */
  by?: string;
  /** The host session that acts. */
  session?: string;
  /** Whether a human typed the text at a terminal. */
  verified?: boolean;
  /** The account of a human who acts from elsewhere, such as a GitHub login. */
  login?: string;
}

/** Input of `ClarificationRouter.followUp`. */
export interface ClarificationFollowUp
  extends
    Omit<ClarificationAction, "verified" | "login">,
    Pick<ClarificationRequest, "question" | "workflow" | "callId" | "signal" | "onAsked"> {}

/** Called when a question is written, before its target is asked; `reach` is set if no run begins. */
export type OnAsked = (record: ClarificationRecord, reach?: Unreached) => void;

/** Options for running a question again. */
export interface RetryHow {
  /** Type of the workflow with the rules that apply. */
  workflow?: string;
  /** Stops the wait for the target; the retry then counts as unused again. */
  signal?: AbortSignal;
  /** Called when the run begins. */
  onAsked?: OnAsked;
}
