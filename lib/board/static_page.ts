// The board as one file, for people who cannot open it: what the views show, without what needs a script or a
// server. Its links lead to places in it. Pure but for the hash of its style.

import { html, raw } from "hono/html";
import style from "./page/board.css" with { type: "text" };
import type { Html } from "./views/parts.ts";

/** A part of the file. */
export interface StaticPart {
  /** The part behind `#` in links to it. */
  at: string;
  content: Html | string;
}

/** The controls; a text of others has no tag, since it is escaped. */
const FORMS = /<form\b[^]*?<\/form>|<select\b[^]*?<\/select>|<details class="new"[^]*?<\/details>/g;

/** A link to a thread, which the file may not have. */
const THREAD = /<a href="#(thread\?id=[^"]+)">([^<]*)<\/a>/g;

/** Attributes for the script alone. */
const HANDLES = / (?:tabindex="0"|draggable="true"|data-item|data-age|data-due)(?=[\s>])/g;

/** @returns the file */
export async function staticPage(
  { repository, asOf, holds, parts }: {
    repository: string;
    asOf: string;
    holds: string;
    parts: readonly StaticPart[];
  },
): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style)),
  );
  const policy = `default-src 'none'; style-src 'sha256-${btoa(String.fromCharCode(...bytes))}'`;
  const places = new Set(parts.map(({ at }) => at));
  const sections: string[] = [];
  for (const { at, content } of parts) {
    const shown = `${await content}`.replace(FORMS, "").replace(HANDLES, "")
      .replace(THREAD, (link, at, id) => places.has(at) ? link : id);
    sections.push(`${await html`<section id="${at}">${raw(shown)}</section>`}`);
  }
  return `${await html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta http-equiv="content-security-policy" content="${policy}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${repository}: agentx board, ${asOf}</title>
        <style>${raw(style)}</style>
      </head>
      <body>
        <main><p class="banner"><b>${repository}</b>: ${holds} As of ${asOf}.</p>
    ${raw(sections.join("\n"))}
        </main>
      </body>
    </html>
  `}`;
}
