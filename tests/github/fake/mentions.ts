// Finds the accounts that GitHub notifies of a text, after its documentation of mentions.

import MarkdownIt from "markdown-it";

const markdown = new MarkdownIt({ html: true });

/** Text in these is never searched, nor is a comment of HTML. */
const SILENT = /<!--[^]*?(?:-->|$)|<(pre|code|tt|style|script)\b[^>]*>[^]*?(?:<\/\1>|$)/gi;
const MENTION = /(?<![\w`@/])@([a-z\d](?:[a-z\d-]*[a-z\d])?(?:\/[\w.-]*\w)?)(?![\w@])/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  commat: "@",
};

/** The names behind each `@` of a Markdown text, teams as `org/team`. */
export function mentionsIn(text: string): string[] {
  const shown = markdown.render(text).replaceAll(SILENT, " ").replaceAll(/<[^>]*>/g, " ");
  const plain = shown.replaceAll(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex, decimal, name) =>
      name === undefined
        ? String.fromCodePoint(hex === undefined ? Number(decimal) : parseInt(hex, 16))
        : NAMED[name] ?? whole,
  );
  return [...plain.matchAll(MENTION)].map(([, name]) => name!);
}
