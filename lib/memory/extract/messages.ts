/**
 * What in a message may become an observation, by who says it. Pure.
 *
 * @module
 */

import { withoutScaffolding } from "../../transcripts/scaffolding.ts";
import type { TranscriptMessage } from "../../transcripts/transcript.ts";
import {
  agentCandidates,
  type Candidate,
  documentCandidates,
  type Place,
  userCandidates,
} from "./candidates.ts";
import { documentIn } from "./documents.ts";
import { readExportedCall } from "./exported_call.ts";
import { saidByAgent, saidByPerson } from "./said.ts";
import { toolCandidates } from "./tools.ts";

/** Candidates in a redacted message. */
export function candidatesOf(message: TranscriptMessage, place: Place): Candidate[] {
  switch (message.role) {
    case "user":
      return ofPerson(message.text, place);
    case "tool":
      return ofTool(message, place);
    case "assistant":
      return ofAgent(message.text, place);
    case "system":
      return [];
  }
}

function ofPerson(text: string, { message, isReply }: Place): Candidate[] {
  const { said, pasted, isReport } = saidByPerson(withoutScaffolding(text));
  return [
    ...userCandidates(said, { message, isReport, isReply }),
    ...toolCandidates(pasted, { message }),
  ];
}

function ofAgent(text: string, place: Place): Candidate[] {
  const own = withoutScaffolding(text);
  const said = agentCandidates(saidByAgent(own), place);
  const written = documentIn(own);
  return written === undefined ? said : [...said, ...documentCandidates(written, place.message)];
}

function ofTool({ text, tool, command, document }: TranscriptMessage, { message }: Place) {
  const told = toolCandidates(text, { message, tool, command });
  const written = document ?? documentIn(text, tool ?? readExportedCall(text).tool);
  if (written === undefined) return told;
  const decided = documentCandidates(written, message);
  const results = told.filter(({ category }) => category !== "error");
  if (document === undefined) return [...results, ...decided]; // it stands in the text: its errors are told
  return results.length < told.length ? told : [...told, ...decided];
}
