// The parts of all views. The template escapes text of agents and of the repository, and invisible characters are
// shown. Pure.

import { html } from "hono/html";
import { agentLabel } from "../../text/agent_label.ts";
import { minuteOf } from "../../base/time.ts";
import { terminalLine } from "../../text/text.ts";

/** A part of the page. */
export type Html = ReturnType<typeof html>;

/** @returns one line of somebody's text, which does not turn around what stands beside it */
export function line(text: string): Html {
  return html`<bdi>${terminalLine(text)}</bdi>`;
}

/** @returns somebody's text of several lines */
export function block(text: string): Html {
  const lines = text.trim().split(/\r?\n/).map((line) =>
    terminalLine(line.replaceAll("\t", "    "))
  );
  return html`<div class="text" dir="auto">${lines.join("\n")}</div>`;
}

/** @returns an agent's name */
export function agent(name: string): Html {
  return html`<span class="agent"><bdi>${terminalLine(agentLabel(name))}</bdi></span>`;
}

/** @returns a time, which the script turns into an age */
export function time(iso: string): Html {
  return html`<time datetime="${iso}" data-age>${minuteOf(iso)} UTC</time>`;
}

/** @returns a link to an issue */
export function issueLink(number: number): Html | string {
  return number === 0 ? "" : html`<a href="#issue?n=${number}">#${number}</a>`;
}

/** What a form of a click does. */
export interface ActionOptions {
  /** The words of the command. */
  command: string;
  /** Its input as far as it is known. */
  input: Readonly<Record<string, string | number>>;
  /** What is asked before it runs. */
  confirm?: string;
}

/** @returns a form that runs a command, with what a person fills in or clicks */
export function action({ command, input, confirm }: ActionOptions, content: unknown): Html {
  const known = Object.entries(input).map(([name, value]) =>
    html`<input type="hidden" name="${name}" value="${value}">`
  );
  return html`
    <form data-do="${command}" ${confirm === undefined ? "" : html`
      data-confirm="${confirm}"
    `}>${known}${content}</form>
  `;
}

/** @returns a field for words of one's own, with its button; its `id` keeps what is typed over a change */
export function ownWords(
  { id, name, label, button }: { id: string; name: string; label: string; button: string },
): Html {
  return html`<div class="own"><textarea id="${id}" name="${name}" rows="1" required
 aria-label="${label}" placeholder="${label}"></textarea><button>${button}</button></div>`;
}

/** @returns what can be chosen from */
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

/** @returns a field of a filter; its first choice is none of them */
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

/** @returns what a view says where there is nothing to show, and what to do then */
export function empty(text: string, next: Html | string = ""): Html {
  return html`
    <div class="empty">
      <p>${text}</p>
      <p>${next}</p>
    </div>
  `;
}

/** @returns what could not be read, so that nothing is missing in silence */
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
