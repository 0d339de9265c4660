// The prompt `clarify`. A person chooses it in a host to have an unclear issue clarified. Pure.

import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { issueNumber, text } from "../cli/inputs.ts";
import { MAX_BODY } from "../clarify/schema.ts";
import { inertJson } from "./inert.ts";

/** The description of the prompt in `prompts/list`. */
export const PROMPT: Prompt = {
  name: "clarify",
  description: "Clear up what is unclear in an issue by asking the agent that knows it",
  arguments: [
    { name: "issue", description: issueNumber.description, required: true },
    { name: "question", description: "What is unclear" },
  ],
};

/** The rules of the arguments. */
const RULES = { issue: issueNumber, question: text(MAX_BODY) };

/** Returns the text for the model; if an argument is invalid, returns the reason. */
export function clarifyPrompt(
  { issue = "", question }: Readonly<Record<string, string | undefined>>,
): GetPromptResult | string {
  const why = RULES.issue.refuse(issue);
  if (why !== undefined) return `issue ${why}`;
  const wrong = question === undefined ? undefined : RULES.question.refuse(question);
  if (wrong !== undefined) return `question ${wrong}`;
  const number = issueNumber.read(issue);
  const about = question === undefined
    ? ["Find out what is unclear in it, and who knows it."]
    : ["This is unclear:", ...inertJson(question).split("\n").map((line) => `> ${line}`)];
  const steps = [
    `Clear up what is unclear in issue #${number}.`,
    ...about,
    "",
    `1. clarify_list with issue ${number}: it may have been answered already.`,
    "2. clarify_ask the agent that knows it, with one question that says what you would do and why.",
    "3. If the answer is not enough, clarify_ask again with the id; if it is, clarify_resolve.",
    "4. Only what no agent can decide goes to the human, with ask_user and options.",
  ];
  const content = { type: "text", text: steps.join("\n") } as const;
  return { description: PROMPT.description, messages: [{ role: "user", content }] };
}
