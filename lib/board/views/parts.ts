// The parts of all views. Text of agents and of the repository is escaped, and its invisible characters are shown.
// Pure.

import { html, raw } from "hono/html";
import { agentLabel } from "../../text/agent_label.ts";
import { minuteOf } from "../../base/time.ts";
import { terminalLine } from "../../text/text.ts";

/** A piece of HTML. */
export type Html = ReturnType<typeof html>;

/** @returns one line of untrusted text, which cannot change the direction of the text beside it */
export function line(text: string): Html {
  return html`<bdi>${terminalLine(text)}</bdi>`;
}

/** @returns untrusted text of several lines */
export function block(text: string): Html {
  const lines = text.trim().split(/\r?\n/).map((line) =>
    terminalLine(line.replaceAll("\t", "    "))
  );
  return html`<div class="text" dir="auto">${lines.join("\n")}</div>`;
}

/** @returns the name of an agent */
export function agent(name: string): Html {
  return html`<span class="agent"><bdi>${terminalLine(agentLabel(name))}</bdi></span>`;
}

/** @returns a time, which the script turns into an age */
export function time(iso: string): Html {
  return html`<time datetime="${iso}" data-age>${minuteOf(iso)} UTC</time>`;
}

/** @returns facts on one line with a separator between them; empty facts are left out */
export function meta(parts: readonly (Html | string)[], name: "p" | "h2" = "p"): Html {
  const shown = parts.filter((part) => part !== "");
  const content = shown.map((part, index) => html`${index === 0 ? "" : SEPARATOR}${part}`);
  return name === "p"
    ? html`<p class="meta">${content}</p>`
    : html`<h2 class="meta">${content}</h2>`;
}

/** The separator, so that the words of two facts are not read as one sentence. */
const SEPARATOR = raw(" &middot; ");

/** @returns the due date; the script marks it when it has passed */
export function dueDay(due: string | null): Html | string {
  return due === null ? "" : html`<time datetime="${due}" data-due>due ${due}</time>`;
}

/** @returns a link to an issue */
export function issueLink(number: number): Html | string {
  return number === 0 ? "" : html`<a href="#issue?n=${number}">#${number}</a>`;
}

/** Matches the short name of an issue or a thread of this workspace. */
const NAME = /(?<![\w/#-])(#\d+|CLR-\d+-\d+)\b/;

/** @returns one line with its issues and threads as links */
export function linked(text: string): Html {
  return html`<bdi>${
    terminalLine(text).split(NAME).map((part, at) =>
      at % 2 === 0
        ? part
        : part.startsWith("#")
        ? issueLink(Number(part.slice(1)))
        : html`<a href="#thread?id=${part}">${part}</a>`
    )
  }</bdi>`;
}

/** Options of {@linkcode action}. */
interface ActionOptions {
  /** The words of the command. */
  command: string;
  /** The input that is already known. */
  input: Readonly<Record<string, string | number>>;
  /** The question to confirm before the command runs. */
  confirm?: string;
  /** Whether the command runs as soon as a field changes. */
  isInstant?: boolean;
}

/** @returns a form that runs a command, with its fields and buttons */
export function action(
  { command, input, confirm, isInstant }: ActionOptions,
  content: unknown,
): Html {
  const known = Object.entries(input).map(([name, value]) =>
    html`<input type="hidden" name="${name}" value="${value}">`
  );
  return html`
    <form data-do="${command}" ${confirm === undefined ? "" : html`
      data-confirm="${confirm}"
    `} ${isInstant ? html`data-now` : ""}>${known}${content}</form>
  `;
}

/** @returns a field for free text, with its button; the `id` keeps typed text when the view is replaced */
export function ownWords(
  { id, name, label, button }: { id: string; name: string; label: string; button: string },
): Html {
  return html`<div class="own"><textarea id="${id}" name="${name}" rows="1" required
 aria-label="${label}" placeholder="${label}"></textarea><button>${button}</button></div>`;
}

/**
 * @param deadline when the fallback is taken; null if it is not taken by itself
 * @returns a button for each option that has a letter
 */
export function decisionButtons(
  options: readonly { label: string; text: string; isFallback?: boolean }[],
  deadline: string | null = null,
): Html {
  return html`<div class="options">${
    options.map(({ label, text, isFallback }) =>
      html`<button name="answer" value="${label}" data-key="${label === "rule" ? "" : label[0]}">
<kbd>${label}</kbd> ${line(text)}${
        isFallback && deadline !== null
          ? html`
            <time class="tag" datetime="${deadline}" data-until></time>
          `
          : ""
      }</button>`
    )
  }</div>`;
}

/** @returns the options of a select field */
export function options(
  values: readonly (readonly [value: string, text: string])[],
  chosen: string | null,
): Html[] {
  return values.map(([value, text]) => {
    const shown = terminalLine(text);
    return value === chosen
      ? html`<option value="${value}" selected>${shown}</option>`
      : html`<option value="${value}">${shown}</option>`;
  });
}

/** @returns a select field of a filter; its first option turns the filter off */
export function choice(
  name: string,
  none: string,
  values: readonly (readonly [value: string, text: string])[],
  query: URLSearchParams,
): Html {
  return html`
    <select name="${name}"
      aria-label="${none}"><option value="">${none}</option>${options(
        values,
        query.get(name),
      )}</select>
  `;
}

/** @returns the text of an empty view, with the next step */
export function empty(text: string, next: Html | string = ""): Html {
  return html`
    <div class="empty">
      <p>${text}</p>
      <p>${next}</p>
    </div>
  `;
}

/** @returns a list of read errors, so that missing data is noticed */
export function problemList(problems: readonly { oneLine: string }[]): Html | string {
  if (problems.length === 0) return "";
  return html`
    <section class="problems" aria-label="Not readable">
      <h2>Not readable</h2>
      <ul>${problems.map(({ oneLine }) => html`<li>${line(oneLine)}</li>`)}</ul>
      <p>All else is shown. <code>agentx doctor</code> says more.</p>
    </section>
  `;
}
