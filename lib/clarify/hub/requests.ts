// The requests to the hub.

import type { Unreached } from "../reach.ts";
import type { ClarificationRecord } from "../schema.ts";

/** Input of `ClarificationRouter.requestClarification`. */
export interface ClarificationRequest {
  /** The issue it is about, from 1. */
  issueNumber: number;
  /** The requester, which must be known here. */
  fromAgent: string;
  /** The target, which the requester's step must be allowed to ask. */
  toAgent: string;
  /** 1 to 200 characters. */
  topic: string;
  /** 1 to 2000 characters. */
  question: string;
  /** Whether the requester cannot continue without the answer. */
  blocking: boolean;
  /** Lowers the limit of the workflow. */
  maxRounds?: number;
  /** Type of the workflow with the rules that apply. */
  workflow?: string;
  /** Whether it is asked anew though the same question is still open, or its answer still holds. */
  again?: boolean;
  /** The session of the host that asks: no other session may act under its name. */
  session?: string;
  /**
   * Id of the call that asks, such as that of a tool: the entry keeps it, so that the caller finds its
   * question again.
   */
  callId?: string;
  /** Stops waiting for the target; the question stays. */
  signal?: AbortSignal;
  /** Called when the question is written, before its target is asked. */
  onAsked?: OnAsked;
}

/** Something that is done to a clarification: by whom, and from where. */
export interface ClarificationAction {
  /** Such as `CLR-42-001`. */
  clarificationId: string;
  /** The agent that acts, or `human`. */
  by?: string;
  /** The session of the host that does it. */
  session?: string;
  /** Whether a human typed it at a terminal. */
  verified?: boolean;
  /** The account of a human at another machine, such as that of GitHub. */
  login?: string;
}

/** Input of `ClarificationRouter.followUp`. */
export interface ClarificationFollowUp
  extends
    Omit<ClarificationAction, "verified" | "login">,
    Pick<ClarificationRequest, "question" | "workflow" | "callId" | "signal" | "onAsked"> {}

/**
 * Called when a question is written, before its target is asked; `reach` is set where no run
 * begins.
 */
export type OnAsked = (record: ClarificationRecord, reach?: Unreached) => void;

/** How a question is run again. */
export interface RetryHow {
  /** Type of the workflow with the rules that apply. */
  workflow?: string;
  /** Stops waiting for the target; the retry is left again then. */
  signal?: AbortSignal;
  /** Called when the run begins. */
  onAsked?: OnAsked;
}
