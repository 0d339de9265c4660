// The log as it grows. Pure.

import { html } from "hono/html";
import type { LogLine } from "../../events/follower.ts";
import { logDetail, logIssue } from "../../events/log_line.ts";
import { agent, empty, type Html, issueLink, line, time } from "./parts.ts";

/** @returns the view, the latest first */
export function activityView(lines: readonly LogLine[]): Html {
  if (lines.length === 0) {
    return html`<h1>Activity</h1>${
      empty(
        "Nothing has happened yet.",
        "The log begins with the first command that changes something.",
      )
    }`;
  }
  return html`
    <h1>Activity <small>the latest first</small></h1>
    <table>
      <thead>
        <tr>
          <th>When</th>
          <th>What</th>
          <th>Who</th>
          <th>Issue</th>
          <th>Details</th>
        </tr>
      </thead>
      <tbody>${[...lines].reverse().map((one) =>
        html`
          <tr>
            <td>${time(one.time)}</td>
            <td>${line(one.operation)}</td>
            <td>${agent(`${one.agent ?? one.fromAgent ?? ""}`)}</td>
            <td>${issueLink(logIssue(one) ?? 0)}</td>
            <td>${line(logDetail(one))}</td>
          </tr>
        `
      )}</tbody>
    </table>
  `;
}
