/**
 * Markdown tables with a column of secrets. Pure.
 *
 * @module
 */

import { DIGIT, isPlaceholder, looksChosen } from "./looks_like_secret.ts";
import type { Secret } from "./secret.ts";

/** The line below the head of a table. */
export const TABLE_RULE: RegExp =
  /\n[ \t>]{0,16}\|?[ \t]{0,8}:?-{2,100}:?[ \t]{0,8}\|[ \t:|-]{0,400}\n/g;

/** Which heads name a secret. */
export const SECRET_HEAD: RegExp =
  /^[\s*`_]{0,8}(?:[\w-]{1,20} ){0,3}(?:password|passwort|passphrase|pass|pwd|secret|token|api ?key|credentials?|(?:access|secret|private|encryption|license) ?key)[\s*`_]{0,8}$/i;

/** One row. */
export const TABLE_ROW: RegExp = /[^\n]{1,1000}\n?/y;

/** What a row may start with. */
export const ROW_START: RegExp = /^[ \t>]{0,16}\|?/;

/** The marks around a value. */
export const CELL: RegExp = /^[\s*`_"']{0,40}|[\s*`_"']{0,40}$/g;

const LONGEST_HEAD = 1_000;

/**
 * @param text a view
 * @param found where findings go
 */
export function findTableSecrets(text: string, found: Secret[]): void {
  TABLE_RULE.lastIndex = 0;
  for (let rule = TABLE_RULE.exec(text); rule !== null; rule = TABLE_RULE.exec(text)) {
    const head = text.slice(Math.max(0, rule.index - LONGEST_HEAD), rule.index);
    const names = head.slice(head.lastIndexOf("\n") + 1).replace(ROW_START, "");
    const columns = names.split("|").map((name) => SECRET_HEAD.test(name));
    if (!columns.includes(true)) continue;
    TABLE_ROW.lastIndex = TABLE_RULE.lastIndex;
    for (let row = TABLE_ROW.exec(text); row !== null; row = TABLE_ROW.exec(text)) {
      TABLE_RULE.lastIndex = TABLE_ROW.lastIndex - 1; // each row belongs to one table
      if (!row[0].includes("|")) break;
      const lead = ROW_START.exec(row[0])![0];
      let start = row.index + lead.length;
      for (const [column, cell] of row[0].slice(lead.length).split("|").entries()) {
        const value = cell.replace(CELL, "");
        if (columns[column] && isSecret(value)) {
          const from = start + cell.indexOf(value);
          found.push({ start: from, end: from + value.length, kind: "password" });
        }
        start += cell.length + 1;
      }
    }
  }
}

function isSecret(value: string): boolean {
  return looksChosen(value) && !value.includes(" ") && DIGIT.test(value) && !isPlaceholder(value);
}
