// The tools for clarifications, except the tool that asks, which the loop itself provides.

import type { ClarificationLedger } from "../../clarify/ledger/ledger.ts";
import { withoutSecrets } from "../../redact/border.ts";
import type { LoopTool } from "../tool.ts";

export function clarifyTools(ledger: ClarificationLedger): LoopTool[] {
  return [{
    name: "clarify_list",
    description: "Read the clarifications of an issue, before you ask the same again.",
    input: {
      type: "object",
      properties: { number: { type: "integer", description: "The issue; left out, yours" } },
      required: [],
    },
    isIdempotent: true,
    async run({ number }, { issueNumber }) {
      const records = ledger.getByIssue(Number(number ?? issueNumber));
      const shown = records.map(({ id, from, to, topic, status, thread }) => ({
        id,
        from,
        to,
        topic,
        status,
        thread: thread.map(({ round, from, type, body }) => ({ round, from, type, body })),
      }));
      if (shown.length === 0) return "There are none";
      return JSON.stringify(await withoutSecrets(shown), null, 1);
    },
  }];
}
