// The block of agentx in a markdown file, between markers with a version. The rest of the file is never changed. Pure.

import type { PartFormat } from "./part.ts";
import { fileRefusal } from "./refusal.ts";

const BEGIN = "<!-- agentx:begin v1 -->";
const END = "<!-- agentx:end -->";

/** Matches a block of any version, with the empty line before it. */
const BLOCK =
  /(?:(?<=\n)\r?\n)?<!-- agentx:begin v\d+ -->\r?\n(?:(?!<!-- agentx:)[^])*?<!-- agentx:end -->(?:\r?\n|$)/g;

const MARKER = /<!-- agentx:(?:begin v\d+|end) -->/;

/** Whether a text has a block of agentx, or only one of its markers. */
export function hasBlock(text: string): boolean {
  return MARKER.test(text);
}

export function markdownBlock(body: string, path: string): PartFormat {
  const withdraw = (text: string): string => {
    const rest = text.replace(BLOCK, "");
    const marker = MARKER.exec(rest);
    if (marker === null) return rest;
    const line = rest.slice(0, marker.index).split("\n").length;
    throw fileRefusal(path, `the marker ${marker[0]} has no counterpart`, { line });
  };
  const block = (eol: string) => [BEGIN, ...body.trim().split("\n"), END, ""].join(eol);
  return {
    isWhole: false,
    presence(text) {
      const rest = withdraw(text);
      if (rest === text) return "absent";
      const found = text.match(BLOCK) ?? [];
      const isSame = found.length === 1 && found[0].trim() === block(eolOf(text)).trim();
      return isSame ? "same" : "different";
    },
    insert(text) {
      const eol = eolOf(text);
      const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
      return text + gap + block(eol);
    },
    withdraw,
    found: () => [],
    isEmpty: (text) => text.trim() === "",
  };
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
