/**
 * Markdown tables with a column of secrets.
 *
 * @module
 */

import { DIGIT, isPlaceholder, variety } from "./plausible.ts";
import type { Secret } from "./secret.ts";

/** The head of such a table with the line below it. */
export const TABLE_HEAD: RegExp =
  /^[ \t>]{0,16}\|([^\n]{0,400}(?:pass|pwd|secret|token|key|credential)[^\n]{0,400})\n[ \t>]{0,16}\|[ :|-]{3,400}\n/gim;

/** Which heads name a secret. */
export const SECRET_HEAD: RegExp =
  /^[\s*`_]{0,8}(?:[\w-]{1,20} ){0,3}(?:password|passwort|passphrase|pass|pwd|secret|token|api ?key|credentials?|access ?key|secret ?key|key)[\s*`_]{0,8}$/i;

/** One row; captured is what it holds. */
export const TABLE_ROW: RegExp = /[ \t>]{0,16}\|([^\n]{0,2000})(?:\n|$)/y;

/** The marks around a value. */
export const CELL: RegExp = /^[\s*`_"']{0,40}|[\s*`_"']{0,40}$/g;

/**
 * @param text a view
 * @param found where findings go
 */
export function findTableSecrets(text: string, found: Secret[]): void {
  TABLE_HEAD.lastIndex = 0;
  for (let match = TABLE_HEAD.exec(text); match !== null; match = TABLE_HEAD.exec(text)) {
    const { index, 0: head, 1: names } = match;
    const columns = names.split("|").map((name) => SECRET_HEAD.test(name));
    if (!columns.includes(true)) continue;
    TABLE_ROW.lastIndex = index + head.length;
    for (let row = TABLE_ROW.exec(text); row !== null; row = TABLE_ROW.exec(text)) {
      TABLE_HEAD.lastIndex = TABLE_ROW.lastIndex; // each row belongs to one table
      let start = row.index + row[0].indexOf("|") + 1;
      for (const [column, cell] of row[1].split("|").entries()) {
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
  return value.length >= 5 && !value.includes(" ") && variety(value) >= 2 && DIGIT.test(value) &&
    !isPlaceholder(value);
}
