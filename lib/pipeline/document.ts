// Compares a document with its template: missing headings, text under them, fields, checked items. Pure.
//
// It looks at the form and not at the content: whether the work is good is the reviewer's question.

import { type OutlineLine, outlineOf } from "../text/outline.ts";

const OPEN_ITEM = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[ \](?:\s+(.*))?$/;

/** `**Status**: Draft` */
const FIELD = /^\*\*([^*:]{1,60}):?\*\*:?\s*(.*)$/;

/** Placeholders. */
const PLACEHOLDER = /\$\{|\{\{?[^{}]+\}|<[^<>]*>|\[[^[\]]+\](?!\()|\.\.\.|\bTB[AD]\b|\bTODO\b/;

/** The head and the separator of a table, or a rule. */
const IS_FORM = /^[\s|:-]*$/;

/** A heading of level 2, and all below it. */
interface Section {
  title: string;
  /** Not blank, without headings, and without the head of a table. */
  lines: string[];
}

/** One sentence for each thing that is missing. */
export function missingIn(text: string, path: string, template: string | undefined): string[] {
  const outline = Array.from(outlineOf(text));
  const lines = withCode(text, outline);
  const wanted = template === undefined ? [] : withCode(template, Array.from(outlineOf(template)));
  return [
    ...missingFields(lines, wanted).map((why) => `${path} ${why}`),
    ...missingSections(lines, wanted).map((why) => `${path} ${why}`),
    ...outline.flatMap(({ line, text }) => {
      const item = OPEN_ITEM.exec(text);
      return item === null ? [] : [`${path}, line ${line} is not done: ${item[1] ?? "[ ]"}`];
    }),
  ];
}

/** An outline has no code, but a section may consist of a diagram. */
function withCode(text: string, outline: readonly OutlineLine[]): OutlineLine[] {
  const all = text.split(/\r?\n/);
  return outline.flatMap((line, at) => {
    const end = outline[at + 1]?.line ?? all.length + 1;
    const code = all.slice(line.line, end - 1)
      .map((text, index) => ({ line: line.line + index + 1, text, heading: null }));
    return [line, ...code];
  });
}

/** Fields come before the first section. */
function missingFields(lines: readonly OutlineLine[], wanted: readonly OutlineLine[]): string[] {
  const given = fieldsIn(lines);
  const names = [...fieldsIn(wanted).keys()].filter(isRequired);
  const unsaid = names.flatMap((name) => {
    const value = given.get(name) ?? "-";
    if (value === "") return [`has nothing in its field "${name}"`];
    return PLACEHOLDER.test(value) ? [`still says "${value}" in its field "${name}"`] : [];
  });
  return [...unsaid, ...isMissing("field", names.filter((name) => !given.has(name)))];
}

/** One sentence for all of a kind. */
function isMissing(kind: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const [many, all] = [names.length === 1 ? kind : `${kind}s`, names.map((name) => `"${name}"`)];
  return [`is missing the ${many} ${all.join(", ")} of its template`];
}

function fieldsIn(lines: readonly OutlineLine[]): Map<string, string> {
  const end = lines.findIndex(({ heading }) => heading !== null && heading.level > 1);
  return new Map(
    lines.slice(0, end < 0 ? lines.length : end).flatMap(({ text }) => {
      const [, name, value] = FIELD.exec(text) ?? [];
      return name === undefined ? [] : [[name.trim(), value.trim()] as const];
    }),
  );
}

function missingSections(lines: readonly OutlineLine[], wanted: readonly OutlineLine[]): string[] {
  const given = new Map(headingsIn(lines).map((section) => [comparable(section.title), section]));
  const sections = headingsIn(wanted, 2).filter(({ title }) => isRequired(title));
  const absent = sections.filter(({ title }) => !given.has(comparable(title)));
  const unsaid = sections.flatMap((section) => {
    const found = given.get(comparable(section.title));
    if (found === undefined) return [];
    const own = new Set(section.lines);
    const isFixed = section.lines.length > 0 &&
      !section.lines.some((line) => PLACEHOLDER.test(line));
    if (isFixed || found.lines.some((line) => !own.has(line))) return [];
    return [`has nothing under the heading "${section.title}"`];
  });
  return [...unsaid, ...isMissing("heading", absent.map(({ title }) => title))];
}

/** The headings of any level, or of one level; each with all that is below it. */
function headingsIn(lines: readonly OutlineLine[], only?: number): Section[] {
  return lines.flatMap(({ heading }, at) => {
    if (heading === null || (only ?? heading.level) !== heading.level) return [];
    const rest = lines.slice(at + 1);
    const end = rest.findIndex(({ heading: next }) => next !== null && next.level <= heading.level);
    return [{ title: heading.title, lines: contentOf(end < 0 ? rest : rest.slice(0, end)) }];
  });
}

function contentOf(lines: readonly OutlineLine[]): string[] {
  return lines.filter(({ text, heading }, at) => {
    const isHead = text.trim().startsWith("|") &&
      /^[\s|:-]*-[\s|:-]*$/.test(lines[at + 1]?.text ?? "");
    return heading === null && !isHead && !IS_FORM.test(text);
  }).map(({ text }) => text.trim());
}

/** Headings are required unless marked optional, or with a placeholder in them. */
function isRequired(title: string): boolean {
  return title !== "" && !/\boptional\b|\$\{|\{\{|<[^<>]*>|\[[^[\]]*\]/i.test(title);
}

/** `## 3. **Goals & Metrics**:` and `## Goals & metrics` are the same heading. */
function comparable(title: string): string {
  return title.replace(/^\d+(?:\.\d+)*[.)]?\s+/, "")
    .replaceAll(/[*_`]/g, "")
    .replace(/:$/, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
