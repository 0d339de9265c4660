// Issues to measure with.

import { encodeLine, type Line, randomId } from "../lib/lines/line.ts";
import { freshFolder } from "./target.ts";

const TITLES = [
  "Payment form rejects cards of foreign banks",
  "Choose the database for the audit log",
  "Import of 10,000 rows takes a minute",
  "Document the release process",
];

const BODY = `The customer sees an empty page after the second step.

## Acceptance criteria
- [ ] The form says which field is wrong
- [ ] The log names the cause

`;

/** An issue every seven hours, with an hour between its changes: they mix in the files. */
const FIRST_MS = Date.UTC(2026, 0, 1);
const ISSUE_MS = 7 * 3_600_000;
const CHANGE_MS = 3_600_000;

const LINES_PER_FILE = 30;

/** An issue and five changes of it; a tenth waits for another one, by a label or its body; a fifth is closed. */
function linesOf(number: number): Line[] {
  const uid = randomId();
  const waits = number % 10 === 0;
  const isInBody = waits && number % 20 === 0;
  const dependency = waits && !isInBody ? [`blocked_by:#${number - 3}`] : [];
  const label = `${randomId()}.0`;
  const fields = {
    number,
    title: `${TITLES[number % TITLES.length]} (${number})`,
    body: BODY,
    labels: ["type:story", `priority:p${number % 4}`, ...dependency],
    status: "Backlog",
  };
  const body = BODY +
    (isInBody ? `## Dependencies\nBlocked by #${number - 3}\n` : "See the log.\n");
  const status = number % 5 === 1 ? "Done" : "Ready";
  const changes = [
    { op: "create", fields },
    { op: "comment", body: "Reproduced on Linux." },
    { op: "add", field: "labels", values: ["needs:triage"], id: label },
    { op: "remove", field: "labels", values: ["needs:triage"], after: [label] },
    { op: "set", field: "body", value: body, after: [] },
    { op: "set", field: "status", value: status, after: [] },
  ];
  return changes.map((change, index) => ({
    v: 1,
    uid,
    id: `${randomId()}.0`,
    time: new Date(FIRST_MS + number * ISSUE_MS + index * CHANGE_MS).toISOString(),
    by: "engineer",
    ...change,
  }));
}

/** A folder with so many issues in `.agentx/issues`, in a file for each 30 changes. */
export function workspaceWith(issues: number): string {
  const root = freshFolder("disk");
  const lines = Array.from({ length: issues }, (_, index) => linesOf(index + 1)).flat()
    .sort((a, b) => a.time < b.time ? -1 : 1);
  for (let start = 0; start < lines.length; start += LINES_PER_FILE) {
    const folder = `${root}/.agentx/issues/${lines[start].time.slice(0, "2026-01".length)}`;
    Deno.mkdirSync(folder, { recursive: true });
    const text = lines.slice(start, start + LINES_PER_FILE).map(encodeLine).join("");
    Deno.writeTextFileSync(`${folder}/${randomId()}.jsonl`, text);
  }
  return root;
}
