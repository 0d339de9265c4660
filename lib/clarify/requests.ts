/**
 * What the hub is asked to do.
 *
 * @module
 */

import type { OnAsked } from "./ask_target.ts";

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
  /** Whether the requester cannot go on without the answer. */
  blocking: boolean;
  /**
   * Lowers the limit of the workflow.
   *
   * @default {the limit of the workflow}
   */
  maxRounds?: number;
  /**
   * Type of the workflow whose rules apply.
   *
   * @default {the workflow of the issue}
   */
  workflow?: string;
  /**
   * The session of the host that asks: no other session may act under its name.
   *
   * @default {none is known}
   */
  session?: string;
  /**
   * The call of a tool that the question is, which its entry keeps: whoever asked finds it again.
   *
   * @default {none}
   */
  callId?: string;
  /** Stops waiting for the target; the question stays. */
  signal?: AbortSignal;
  /**
   * Called when the question is written, before its target is asked.
   *
   * @default {() => {}}
   */
  onAsked?: OnAsked;
}

/** Something that is done to a clarification: by whom, and from where. */
export interface ClarificationAction {
  /** Such as `CLR-42-001`. */
  clarificationId: string;
  /**
   * Who does it: an agent, or `human`.
   *
   * @default {the target if it is an answer, else the requester}
   */
  by?: string;
  /**
   * The session of the host that does it.
   *
   * @default {none is known}
   */
  session?: string;
  /**
   * Of a human: whether it was typed at a terminal.
   *
   * @default {false}
   */
  verified?: boolean;
}

/** Input of `ClarificationRouter.followUp`. */
export interface ClarificationFollowUp
  extends
    Omit<ClarificationAction, "verified">,
    Pick<ClarificationRequest, "question" | "workflow" | "callId" | "signal" | "onAsked"> {}
