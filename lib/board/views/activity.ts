// Renders the growing log in sentences. Pure.

import { html } from "hono/html";
import type { LogLine } from "../../events/follower.ts";
import { logDetail, logIssue } from "../../events/log_line.ts";
import { editWords } from "./edit_words.ts";
import { agent, empty, type Html, issueLink, line, linked, meta, time } from "./parts.ts";

/**
 * @param titles of issues, by number
 * @returns the view, the latest first
 */
export function activityView(
  lines: readonly LogLine[],
  titles: ReadonlyMap<number, string>,
): Html {
  if (lines.length === 0) {
    return html`<h1>Activity</h1>${
      empty(
        "Nothing has happened yet.",
        "The log begins with the first command that changes something.",
      )
    }`;
  }
  const days = [...new Set(lines.map(dayOf))].reverse();
  return html`<h1>Activity <small>the latest first</small></h1>${
    days.map((day) =>
      html`
        <h2>${day}</h2>
        <ol class="events">${lines.filter((one) => dayOf(one) === day).reverse().map((one) =>
          item(one, titles)
        )}</ol>
      `
    )
  }`;
}

function dayOf({ time }: LogLine): string {
  return `${time}`.slice(0, "2026-02-26".length);
}

function item(one: LogLine, titles: ReadonlyMap<number, string>): Html {
  const id = `${one.clarificationId ?? ""}`;
  const issue = logIssue(one) ?? 0;
  const named = issue === 0 ? "" : html`${issueLink(issue)} ${line(titles.get(issue) ?? "")}`;
  return html`<li><span>${sentence(one, named)}${
    id === "" ? "" : html`
      (${linked(id)})
    `
  }</span>
${meta([time(one.time)])}</li>`;
}

/** The sentence for each operation, with its fields in braces. */
const SENTENCES: Readonly<Record<string, string>> = {
  "agent-started": "{agent} started to work",
  "agent-completed": "{agent} finished",
  "agent-error": "{agent} failed",
  "handoff-triggered": "{fromAgent} handed over to {toAgent}",
  "context-compacted": "The conversation of {agent} was summarised",
  "clarification-requested": "{fromAgent} asked {toAgent}",
  "clarification-answered": "{agent} answered {fromAgent}",
  "clarification-stale": "{toAgent} has not answered {fromAgent} in time",
  "clarification-resolved": "The question of {fromAgent} to {toAgent} was resolved by {agent}",
  "clarification-escalated":
    "The question of {fromAgent} to {toAgent} was put before a person by {agent}",
  "memory-stored": "{agent} stored {count} observations",
  "memory-recalled": "{agent} recalled {count} observations",
  "memory-searched": "A search of memory found {count} observations",
  "memory-captured": "The session of {agent} was captured into memory",
  "memory-compacted": "Memory was compacted from {before} to {after} observations",
  "lock-waited": "{agent} waited {durationMs} ms for the lock of {filePath}",
  "lock-failed": "{agent} did not get the lock of {filePath}",
  board: "{agent} ran {kind} from the board",
  monitor: "The monitor looked at what waits",
};

/**
 * Describes a change of one or more kinds. Only for a move, the new value is known. The first "it" is replaced by the
 * issue.
 */
function did({ kind, newState }: LogLine): string {
  return `${kind}`.replace("assignees", "assignee").split(",").filter((each, _, all) =>
    each !== "linkedUids" || all.length === 1
  )
    .map((each) => editWords(each, each === "status" ? `${newState}` : undefined)).join(", ")
    .replace(/ it(?:s ([^,]+)|\b)/, (_, part) => part ? ` the ${part} of {issue}` : " {issue}");
}

function sentence(one: LogLine, issue: Html | string): Html {
  const { operation, source, passed, count } = one;
  const known = operation === "state-change"
    ? `${source}`.startsWith("issue/")
      ? `{agent} ${did(one)}`
      : `${`${source}`.replace(/^\w+\//, "")} is {newState}`
    : operation === "validation-result"
    ? `The work of {agent} was ${passed ? "accepted" : "sent back"}`
    : Object.hasOwn(SENTENCES, operation)
    ? SENTENCES[operation]
    : undefined;
  if (known === undefined) {
    const who = one.agent
      ? html`
        ${agent(`${one.agent}`)}:
      `
      : "";
    const words = line(operation.replaceAll("-", " "));
    return html`${who}${words} <span class="dim">${line(logDetail(one))}</span> ${issue}`;
  }
  const counted = count === 1 ? known.replace("{count} observations", "1 observation") : known;
  const words = issue === "" || counted.includes("{issue}") ? counted : `${counted} on {issue}`;
  return html`${
    words.split(/(\{\w+\})/).map((part) => {
      const field = /^\{(\w+)\}$/.exec(part)?.[1];
      if (field === undefined) return linked(part);
      if (field === "issue") return issue || "an issue";
      const value = `${one[field] ?? "somebody"}`;
      return /agent$/i.test(field) ? agent(value) : line(value);
    })
  }${
    one.code
      ? html`
        <span class="tag bad">${line(`${one.code}`)}</span>
      `
      : ""
  }`;
}
