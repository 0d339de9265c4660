// Renders untrusted markdown as HTML. The parser accepts no HTML, and all tags come from a closed list in this file.
// Links and images become text with their address, so nothing is fetched and nothing runs. Pure.

import MarkdownIt, { type Token } from "markdown-it";
import { html, raw } from "hono/html";
import { terminalLine } from "../../text/text.ts";
import { block, type Html } from "./parts.ts";

/** Maximum depth; the parser leaves out deeper levels. */
const MAX_NESTING = 100;

const parser = new MarkdownIt({ maxNesting: MAX_NESTING });

/** Tags of blocks that are written unchanged. */
const BLOCKS = new Set(
  ["p", "ul", "ol", "li", "blockquote", "hr", "table", "thead", "tbody", "tr", "th", "td"],
);

const INLINE = new Set(["strong", "em", "s"]);

/** Matches the mark of an item in a task list. */
const MARK = /^\[([ xX~-])\]\s+/;

/** Number of heading levels above those of a text, so that its headings go below those of the page. */
const ABOVE = 2;
const LOWEST = 6;

/** Renders an item of a task list from its line and its words; undefined keeps the plain form. */
export type Tick = (line: number, isDone: boolean, words: Html) => Html | undefined;

/** @returns a text with its paragraphs, lists, tables and code; the plain text if it is nested too deeply */
export function markdown(text: string, tick: Tick = () => undefined): Html {
  const tokens = parser.parse(text.replaceAll(/\r(?!\n)/g, " "), {}); // only the parser counts a lone \r as a line end
  if (tokens.some(({ level }) => level >= MAX_NESTING - 1)) return block(text);
  let written = "";
  let level = ABOVE;
  let line = 0;
  tokens.forEach((token, index) => {
    const { type, tag, nesting, content, hidden } = token;
    if (type === "list_item_open") line = (token.map?.[0] ?? -1) + 1;
    if (type === "inline") {
      const isItem = tokens[index - 1].type === "paragraph_open" &&
        tokens[index - 2]?.type === "list_item_open";
      written += isItem ? item(token, line, tick) : inlineOf(token);
    } else if (type === "fence" || type === "code_block") {
      written += `<pre><code>${exact(content.replace(/\n$/, ""))}</code></pre>`;
    } else if (type === "heading_open") {
      level = Math.min(Number(tag[1]) + ABOVE, level + 1, LOWEST);
      written += `<h${level}>`;
    } else if (type === "heading_close") written += `</h${level}>`;
    else if (BLOCKS.has(tag) && !hidden) {
      const start = Number(token.attrGet("start") ?? 1);
      const numbers = tag === "ol" && nesting > 0 && start !== 1 ? ` start="${start}"` : "";
      written += nesting < 0 ? `</${tag}>` : `<${tag}${numbers}>`;
    }
  });
  return html`<div class="md" dir="auto">${
    raw(written.replaceAll("<th></th>", "<td></td>"))
  }</div>`;
}

/** @returns a text line by line, with bold words and code */
export function markedLines(text: string): Html {
  return html`<div class="text" dir="auto">${
    text.trim().split(/\r?\n/).map((line, index) => {
      const [, indent, words] = /^(\s*)(.*)$/.exec(line)!;
      return html`${index === 0 ? "" : "\n"}${terminalLine(indent)}${marked(words)}`;
    })
  }</div>`;
}

/** @returns one line, with bold words and code */
export function marked(text: string): Html {
  return raw(parser.parseInline(text, {}).map(inlineOf).join("")) as Html;
}

function item(token: Token, line: number, tick: Tick): string {
  const [first] = token.children ?? [];
  const [all, mark] = MARK.exec(first?.type === "text" ? first.content : "") ?? [];
  if (all === undefined) return inlineOf(token);
  first.content = first.content.slice(all.length);
  const words = raw(inlineOf(token)) as Html;
  const isDone = mark.toLowerCase() === "x";
  return `${tick(line, isDone, words) ?? html`<span class="dim">[${mark}]</span> ${words}`}`;
}

function inlineOf({ children }: Token): string {
  const addresses: string[] = [];
  return (children ?? []).map(({ type, tag, nesting, content, attrs, markup }) => {
    const address = () => `${attrs?.find(([name]) => /^(?:href|src)$/.test(name))?.[1] ?? ""}`;
    if (type === "link_open") addresses.push(markup === "autolink" ? "" : address());
    if (type === "link_close") return addressOf(addresses.pop()!);
    if (type === "image") return `[${exact(content || "image")}]${addressOf(address())}`;
    if (type === "code_inline") return `<code>${exact(content)}</code>`;
    if (tag === "br") return "<br>";
    if (INLINE.has(tag)) return `<${nesting < 0 ? "/" : ""}${tag}>`;
    return exact(content);
  }).join("");
}

function addressOf(address: string): string {
  return address === "" ? "" : ` <span class="dim">(${exact(address)})</span>`;
}

/** Returns plain text with its HTML escaped and invisible characters made visible. */
function exact(text: string): string {
  const lines = text.split("\n").map((line) => terminalLine(line.replaceAll("\t", "    ")));
  return `${html`${lines.join("\n")}`}`;
}
