// Renders findings for people. Pure.

import type { Mark } from "../text/style.ts";
import { terminalBlock } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import type { Finding } from "./finding.ts";

const MARKS: Record<Finding["level"] | "fixed", Mark> = {
  ok: "green",
  fixed: "cyan",
  warn: "yellow",
  fail: "red",
};

type Shown = Pick<Finding, "level" | "message" | "next"> & Partial<Pick<Finding, "isFixed">>;

/** Renders all findings, each with what to do, and the totals. */
export function renderFindings(
  { findings }: { findings: readonly Finding[] },
  view: RenderView,
): string {
  const count = (level: Finding["level"]) =>
    findings.filter((finding) => finding.level === level).length;
  const lines = findings.map((finding) => renderFinding(finding.check, finding, view));
  return [...lines, "", `  fail: ${count("fail")}, warn: ${count("warn")}`].join("\n");
}

/** Renders one finding after its subject, with what to do. */
export function renderFinding(
  name: string,
  { level, message, next, isFixed = false }: Shown,
  { style, width }: RenderView,
): string {
  const word = isFixed ? "fixed" : level;
  const start = `  ${word.padEnd(5)}  ${name.padEnd(9)}  `;
  const block = (text: string) => terminalBlock(text, { indent: " ".repeat(start.length), width });
  const [first, ...rest] = block(message);
  return [
    start.replace(word, style[MARKS[word]]) + first.slice(start.length),
    ...rest,
    ...next === null ? [] : block(next).map((line) => style.dim(line)),
  ].join("\n");
}
