// The board as one file, for people who cannot open it: the views without the parts that need a script or a server.
// Links lead to places inside the file. Pure, except for the hash of its style.

import { html, raw } from "hono/html";
import style from "./page/board.css" with { type: "text" };
import type { Html } from "./views/parts.ts";

/** A part of the file. */
export interface StaticPart {
  /** The name after `#` in links to the part. */
  at: string;
  content: Html | string;
}

/** Matches the controls. Untrusted text cannot match, because its tags are escaped. */
const FORMS = /<form\b[^]*?<\/form>|<select\b[^]*?<\/select>|<details class="new"[^]*?<\/details>/g;

/** Matches a link to a thread, which the file may not contain. */
const THREAD = /<a href="#(thread\?id=[^"]+)">([^<]*)<\/a>/g;

/** Matches attributes that only the script uses. */
const HANDLES = / (?:tabindex="0"|draggable="true"|data-item|data-age|data-due)(?=[\s>])/g;

/** @returns the content of the file */
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
