// The page: a shell without data of the project, with its key, script and style. The script loads all views. Pure.

import { html } from "hono/html";
import script from "./page/board.js" with { type: "text" };
import style from "./page/board.css" with { type: "text" };

/** The files of the page, by path. */
export const ASSETS: Readonly<Record<string, { type: string; text: string }>> = {
  "/board.js": { type: "text/javascript; charset=utf-8", text: script },
  "/board.css": { type: "text/css; charset=utf-8", text: style },
};

/**
 * The views in the order of the menu: their names and titles. Links to them begin with `./`, because axe takes a link
 * to a bare `#` that is scrolled out of sight for a skip link.
 */
const VIEWS: Readonly<Record<string, string>> = {
  inbox: "Inbox",
  now: "Now",
  issues: "Issues",
  threads: "Threads",
  memory: "Memory",
  figures: "Figures",
  activity: "Activity",
};

/** @returns the page, with its key if it was let in */
export function shell(key: string | undefined) {
  return html`
    <!doctype html>
    <html lang="en">
      <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>agentx board</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/board.css">
    ${key === undefined ? "" : html`<meta name="agentx-key" content="${key}">`}
    <script type="module" src="/board.js"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <strong id="repository"></strong>
          <nav aria-label="Views">
    ${Object.entries(VIEWS).map(([name, title]) =>
      html`
        <a href="./#${name}" data-view="${name}">${title}${name === "inbox"
          ? html`
            <span class="count" hidden></span>
          `
          : ""}</a>
      `
    )}</nav>
          <span id="live" role="status"></span>
          <button type="button" id="notify" class="quiet" hidden>Notify me</button>
        </header>
        <main id="main" tabindex="-1"></main>
        <div id="told" role="status" aria-live="polite"></div>
        <div id="asks" role="status" aria-live="polite"></div>
        <dialog id="ask" aria-labelledby="ask-text">
          <form method="dialog">
            <pre id="ask-text"></pre>
            <label>Answer <input name="line" autocomplete="off"></label>
            <div class="row"><button value="ok" class="primary">Answer</button>
    <button value="cancel" formnovalidate>Cancel</button></div>
          </form>
        </dialog>
      </body>
    </html>
  `;
}
