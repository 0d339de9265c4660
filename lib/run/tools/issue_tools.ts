// The tools for issues.

import { type Issue, ISSUE_STATUSES } from "../../work/issue/issue.ts";
import type { IssueStore } from "../../work/issue/issue_store.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { type LoopTool, textIn } from "../tool.ts";

/** The tools `issue_get`, `issue_list`, `issue_create`, `issue_update` and `issue_comment`. */
export function issueTools(issues: IssueStore): LoopTool[] {
  const number = {
    type: "integer",
    description: "Its number; left out, the one you work on",
  } as const;
  return [
    {
      name: "issue_get",
      description: "Read an issue with its body and its comments.",
      input: { type: "object", properties: { number }, required: [] },
      isIdempotent: true,
      run: async ({ number }, { issueNumber }) =>
        await shown(issues.get(Number(number ?? issueNumber))),
    },
    {
      name: "issue_list",
      description: "List the open issues.",
      input: { type: "object", properties: {}, required: [] },
      isIdempotent: true,
      async run() {
        const open = issues.scan().issues.filter(({ state }) => state === "open");
        const lines = open.map(({ number, status, labels, title }) =>
          `#${number} [${[status, ...labels].join(", ")}] ${title}`
        );
        return await withoutSecrets(lines.join("\n")) || "There are no open issues";
      },
    },
    {
      name: "issue_create",
      description: "Create an issue for work that does not belong to yours.",
      input: {
        type: "object",
        properties: {
          title: { type: "string", description: "One line" },
          body: { type: "string", description: "Markdown" },
          labels: { type: "string", description: "Separated by commas, such as type:bug,p1" },
        },
        required: ["title"],
      },
      isIdempotent: true,
      async run(input, { callId, agent }) {
        const title = textIn(input, "title") ?? "";
        const body = textIn(input, "body");
        const labels = labelsIn(textIn(input, "labels"));
        const issue = await issues.create({ title, body, labels, callId }, agent);
        return `Created #${issue.number}`;
      },
    },
    {
      name: "issue_update",
      description: "Change the status or the labels of an issue.",
      input: {
        type: "object",
        properties: {
          number,
          status: { type: "string", enum: ISSUE_STATUSES, description: "The column of the board" },
          add_labels: { type: "string", description: "Separated by commas" },
          remove_labels: { type: "string", description: "Separated by commas" },
        },
        required: [],
      },
      isIdempotent: true,
      async run(input, { callId, agent, issueNumber }) {
        const update = {
          status: textIn(input, "status"),
          addLabels: labelsIn(textIn(input, "add_labels")),
          removeLabels: labelsIn(textIn(input, "remove_labels")),
          callId,
        };
        return await shown(await issues.update(Number(input.number ?? issueNumber), update, agent));
      },
    },
    {
      name: "issue_comment",
      description: "Add a comment to an issue: what you found, did or decided.",
      input: {
        type: "object",
        properties: { number, text: { type: "string", description: "Markdown" } },
        required: ["text"],
      },
      isIdempotent: true,
      async run(input, { callId, agent, issueNumber }) {
        const number = Number(input.number ?? issueNumber);
        const { comments } = await issues.update(
          number,
          { comment: textIn(input, "text"), callId },
          agent,
        );
        return `Commented on #${number}, which has ${comments.length} comments now`;
      },
    },
  ];
}

function labelsIn(text = ""): string[] {
  return text.split(",").map((label) => label.trim()).filter((label) => label !== "");
}

async function shown(issue: Issue): Promise<string> {
  const { number, title, status, labels, body, comments, assignee } = await withoutSecrets(issue);
  return JSON.stringify({ number, title, status, labels, assignee, body, comments }, null, 1);
}
