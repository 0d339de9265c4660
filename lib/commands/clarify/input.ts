// The input that commands of clarifications share.

import { formatClarificationId, isClarificationId } from "../../clarify/schema.ts";
import { rule, type Spec } from "../../cli/spec.ts";

/** `CLR-42-001`, or in short `42-1`: the number of the issue and a sequence. */
export const clarificationId: Spec<string> = {
  ...rule((text) => isClarificationId(wholeId(text)), "look like CLR-42-001"),
  description: "Id of the clarification",
  placeholder: "CLR-N-NNN",
  values: "clarification",
  read: wholeId,
};

function wholeId(text: string): string {
  const [, issue, sequence] =
    /^(?:CLR-)?([1-9][0-9]*)-(?=[1-9]|.{1,3}$)0*([1-9][0-9]*)$/i.exec(text) ?? [];
  return sequence === undefined ? text : formatClarificationId(Number(issue), Number(sequence));
}

/** `1` to `99`: rounds, or one of them. */
export const roundNumber: Spec<number> = {
  ...rule(/^[1-9][0-9]?$/, "be a whole number from 1"),
  description: "Number of the round",
  placeholder: "N",
  json: { type: "integer", minimum: 1, maximum: 99 },
  read: Number,
};
