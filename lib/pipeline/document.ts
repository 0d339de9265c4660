// Compares a document with its template: missing headings, text under them, fields, checked items. Pure.
//
// This checks the form and not the content: the reviewer judges whether the work is good.

import { type OutlineLine, outlineOf } from "../text/outline.ts";

const OPEN_ITEM = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[ \](?:\s+(.*))?$/;

/** A field such as `**Status**: Draft`. */
const FIELD = /^\*\*([^*:]{1,60}):?\*\*:?\s*(.*)$/;

/** A placeholder, such as `${name}`, `[name]` or `TODO`. */
const PLACEHOLDER = /\$\{|\{\{?[^{}]+\}|<[^<>]*>|\[[^[\]]+\](?!\()|\.\.\.|\bTB[AD]\b|\bTODO\b/;

/** A line without content: the separator of a table, a rule, or a blank line. */
const IS_FORM = /^[\s|:-]*$/;

/** A heading, and the text below it. */
interface Section {
  title: string;
  /** The lines with content: no blank lines, no headings, no head of a table. */
  lines: string[];
}

/** Returns one sentence for each missing part. */
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

/** Adds the code lines to an outline, because a section may consist of a diagram only. */
function withCode(text: string, outline: readonly OutlineLine[]): OutlineLine[] {
  const all = text.split(/\r?\n/);
  return outline.flatMap((line, at) => {
    const end = outline[at + 1]?.line ?? all.length + 1;
    const code = all.slice(line.line, end - 1)
      .map((text, index) => ({ line: line.line + index + 1, text, heading: null }));
    return [line, ...code];
  });
}

/** Returns the problems of the fields, which come before the first section. */
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

/** Returns one sentence about all missing parts of a kind; none if nothing is missing. */
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

/** Returns the headings of all levels, or of one level, each with the text below it. */
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

/** Whether a field or heading is required: it is neither marked optional nor has a placeholder in it. */
function isRequired(title: string): boolean {
  return title !== "" && !/\boptional\b|\$\{|\{\{|<[^<>]*>|\[[^[\]]*\]/i.test(title);
}

/** Normalizes a heading: `## 3. **Goals & Metrics**:` and `## Goals & metrics` count as the same. */
function comparable(title: string): string {
  return title.replace(/^\d+(?:\.\d+)*[.)]?\s+/, "")
    .replaceAll(/[*_`]/g, "")
    .replace(/:$/, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
