/**
 * What the tool `ask_user` takes; no command has it. Pure.
 *
 * @module
 */

import { MAX_OPTION, MAX_OPTIONS } from "../../clarify/escalation.ts";
import { MAX_BODY, MAX_TOPIC } from "../../clarify/schema.ts";
import { agentName, issueNumber, text } from "../../cli/inputs.ts";
import { argument, optional, type Spec } from "../../cli/spec.ts";

const option = text(MAX_OPTION);

/** Options are a list; each is a text of one line. */
const options: Spec<string> = {
  ...option,
  kind: "list",
  description: `What the human can choose from, up to ${MAX_OPTIONS}`,
  json: { type: "string", maxLength: MAX_OPTION, maxItems: MAX_OPTIONS },
  refuse: (given) => /[\n\r]/.test(given) ? "must be on one line each" : option.refuse(given),
};

/** What the tool takes. */
export const ASK_USER = {
  issue: argument(issueNumber, "Issue it is about"),
  question: argument(text(MAX_BODY), "The question"),
  options: optional(options),
  topic: optional(text(MAX_TOPIC), "What it is about, in a few words"),
  from: optional(agentName("Who asks; left out, the agent of this session")),
};
