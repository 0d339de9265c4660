// What the gate works with, and how it is used. Pure.

import type { AgentEventBus } from "../events/bus.ts";
import type { AssumptionStore } from "./assumption_store.ts";
import type { TopicSettings } from "./conditions.ts";
import type { InteractionStore } from "./store.ts";

export interface HumanGateOptions {
  store: InteractionStore;
  assumptions: AssumptionStore;
  /** Receives the state of each question: `state-change` of `gate`. */
  events: AgentEventBus;
  /** The section `gate` of the settings. */
  settings: TopicSettings & {
    /** How long a question stays open: `90s`, `5m`, `2h` or `never`. */
    timeout: string;
  };
  /** Says why an issue is not planned any more. */
  executionOf?: (issue: number) => Promise<string | undefined>;
  /** Says why an issue is complex: a question about it needs what an investigator found. */
  whyComplex?: (issue: number) => Promise<string | undefined>;
  /** Called with what was cut from a text before it was written, and what the settings did. */
  notify?: (message: string) => void;
}

export interface AskOptions {
  /** How long it stays open: `90s`, `5m`, `2h` or `never`. */
  timeout?: string;
  /**
   * How long the agent wants it to stay open, where `timeout` is left out: that of the settings counts if it
   * is longer.
   */
  wanted?: string;
  /** Whether the caller runs the agent again with the outcome. */
  orchestrated?: boolean;
  /** The call of a tool that asks, by which it is found where that was cut off. */
  callId?: string;
}

export interface AnswerOptions {
  verified?: boolean;
  /** Whether it answers the next question with the same blocker, topic and options, too. */
  always?: boolean;
}
