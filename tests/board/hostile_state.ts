/**
 * Texts that a page would run, fetch or hide, in every place where others write.
 *
 * @module
 */

import { sampleRecord } from "../clarify/samples.ts";
import { sample } from "../memory/temp_store.ts";
import type { TempWorkspace } from "../temp_workspace.ts";

/** What a page would run, fetch or hide, in places where others write. */
export const HOSTILE: readonly string[] = [
  `<img src="http://evil.example/x" onerror="alert(1)">`,
  `"><script>alert(1)</script>`,
  `' onmouseover='alert(1)`,
  `</textarea></title></style><iframe src="//evil.example">`,
  "<!-- --!><svg/onload=alert(1)>",
  "javascript:alert(1)",
  "[a](javascript:alert(1)) ![b](data:image/svg+xml,x) <javascript:alert(2)> [c][d]\n\n[d]: //evil.example 'x'",
  "## <b>\n\n- [ ] <i>\n\n<style>a{}</style>\n\n```</code>\n<u>\n```\n\n|<s>|\n|-|\n|`<q>`|",
  "\u202egnp.exe \u2066abc \u200b\u00ad",
  "\x1b[31m\x07",
];

/** Files as a merge or another program may have left them. */
export function plant(temp: TempWorkspace, text: string): void {
  const timestamp = "2026-02-26T10:00:00.000Z";
  const types = ["question", "answer", "resolution", "escalation"] as const;
  const thread = types.map((type) => ({ round: 1, from: text, body: text, timestamp, type }));
  const record = sampleRecord({ status: "escalated", topic: text, thread });
  temp.write(temp.ledgerPath(42), JSON.stringify({ issueNumber: 42, clarifications: [record] }));
  const comments = [{ author: text, body: text }];
  const issue = { number: 42, title: text, body: text, labels: [text, `type:${text}`], comments };
  const whole = { ...issue, status: text, assignee: text, milestone: text, due: text };
  temp.write(".agentx/issues/42.json", JSON.stringify(whole));
  const observations = [sample(text, { issueNumber: 42 })];
  const updatedAt = observations[0].timestamp;
  const memory = { version: 1, issueNumber: 42, updatedAt, observations };
  temp.write(".agentx/memory/issue-42.json", JSON.stringify(memory));
  const since = new Date().toISOString();
  const permission = { what: text, since, worker: text, agent: text, issue: 42, process: null };
  const session = { version: 1, session: text, agent: null, issue: null, cwd: text, permission };
  const edits = [{ path: text, tree: text, at: since, by: text, issue: null }];
  const waits = { ...session, edits, host: null, heard: [], deliveries: [] };
  temp.write(".agentx/state/sessions/hostile.json", JSON.stringify(waits));
  const other = { ...waits, session: `other ${text}`, permission: undefined };
  temp.write(".agentx/state/sessions/other.json", JSON.stringify(other));
  const line = { time: since, operation: text, agent: text, kind: text };
  temp.write(`.agentx/log/${line.time.slice(0, 10)}.jsonl`, `${JSON.stringify(line)}\n`);
}
