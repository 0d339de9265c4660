// Issues as comma-separated values, for spreadsheets. One JSON value comes in, one goes out.

import { readFileSync, writeFileSync } from "node:fs";

interface Issue extends Record<string, unknown> {
  status: string;
  labels: string[];
  comments: unknown[];
}

const COLUMNS = ["number", "title", "status", "labels", "assignee", "parent", "milestone", "due"]
  .concat("author", "created", "updated", "closed", "comments");

const { file, status }: { file: string; status?: string } = JSON.parse(readFileSync(0, "utf8"));
const issues = readFileSync(file, "utf8").split("\n").filter((line) => line !== "")
  .map((line): Issue => JSON.parse(line))
  .filter((issue) => status === undefined || issue.status === status);
const rows = issues.map((issue) => {
  const { labels, comments } = issue;
  const shown: Record<string, unknown> = {
    ...issue,
    labels: labels.join(" "),
    comments: comments.length,
  };
  return COLUMNS.map((name) => cell(shown[name]));
});
const path = `${file.replace(/\.jsonl?$/, "")}.csv`;
writeFileSync(path, [COLUMNS, ...rows].map((row) => `${row.join(",")}\r\n`).join(""));
console.log(JSON.stringify({ path, issues: issues.length }));

/** As RFC 4180 has it; a text that a spreadsheet would take for a formula gets an apostrophe. */
function cell(value: unknown): string {
  const text = String(value ?? "");
  const inert = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
