// Tables with a column head that names a secret: tables of Markdown and databases, and tables with commas. Pure.

import type { Rule } from "./rule.ts";

const COLUMNS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The marks around a cell. */
const AROUND = "[ \\t*`_\"']{0,40}";

const WORDS =
  "password|passwort|passphrase|pass|pwd|secret|token|api ?key|credentials?|(?:access|secret|private|encryption|license) ?key";

const SECRET_HEAD = String
  .raw`[\s*\`_]{0,8}(?:[\w-]{1,20} ){0,3}(?:${WORDS})[\s*\`_]{0,8}`;

const NAMES =
  "password|passwd|passphrase|pwd|pass|secret|token|api[_ ]?key|(?:access|secret|private)[_ ]key";

const FIELD = String.raw`(?:"[^"\n]{0,200}"|[^",;\t\n]{0,200})[,;\t]`;
const HEAD = String.raw`"?[A-Za-z][\w .#-]{0,40}"?[,;\t]`;
const SQL_VALUE = String
  .raw`(?:N?'[^'\n]{0,200}'|[^,'()]{1,60}(?:\([^()]{0,60}\))?)\s{0,4},\s{0,8}`;

export const TABLES: readonly Rule[] = [
  ...COLUMNS.map(columnOfSecrets),
  ...COLUMNS.map(fieldOfSecrets),
  ...COLUMNS.map(insertedSecrets),
];

/** Returns a rule that builds its patterns on first use. */
function made(
  rule: Omit<Rule, "pattern" | "parts" | "kind" | "looks">,
  patterns: () => { pattern: RegExp; parts: RegExp },
): Rule {
  let ready: { pattern: RegExp; parts: RegExp } | undefined;
  return {
    ...rule,
    kind: "password",
    looks: "chosen",
    get pattern() {
      return (ready ??= patterns()).pattern;
    },
    get parts() {
      return (ready ??= patterns()).parts;
    },
  };
}

/** Returns a rule for a column between bars, in Markdown or in the output of a database. */
function columnOfSecrets(column: number): Rule {
  const start = String
    .raw`(?:[ \t>]{0,16}\||(?![ \t>]{0,16}\|))(?:[^|\n]{0,400}\|){${column}}`;
  const table = (value: string) =>
    `\n${"| a ".repeat(column)}| Password |\n|${"---|".repeat(column + 1)}\n${
      "| b ".repeat(column)
    }| ${value} |\n`;
  const shown = (value: string) =>
    `${" a |".repeat(column)} password | c\n${"---+".repeat(column + 1)}---\n${
      " b |".repeat(column)
    } ${value} | d\n`;
  return made({
    keywords: ["--|", "-|", "-:|", "- |", "-: |", "|-", "|:-", "| -", "| :-", "-+"],
    secret: [table("@[{pw:9}]@"), table("`@[{an:11}7]@`"), shown("@[{pw:9}]@")],
    ordinary: [table("at least 8"), table("string"), shown("string")],
  }, () => ({
    pattern: new RegExp(
      String
        .raw`\n[ \t>]{0,16}[|+]?[ \t]{0,8}:?-{2,100}:?[ \t]{0,8}[|+][ \t:|+-]{0,400}(?<=(?:^|\n)${start}${SECRET_HEAD}(?:\|[^\n]{0,1000})?\n[^\n]{0,600})((?:\n[^\n]{0,1000}\|[^\n]{0,1000}){1,10000})`,
      "gi",
    ),
    parts: new RegExp(
      String
        .raw`\n(?=[^|\n]{0,1000}\|)${start}${AROUND}((?=[^|\s]{0,255}[0-9])[^|\s]{1,256}?)(?=${AROUND}(?:\||\n|$))`,
      "g",
    ),
  }));
}

/** Returns a rule for a field between commas, semicolons or tabs, under a line of names. */
function fieldOfSecrets(column: number): Rule {
  const rows = (value: string) =>
    `${"a,".repeat(column)}password,b\n${"c,".repeat(column)}${value},d\n${
      "e,".repeat(column)
    }"${value}",f\n`;
  return made({
    keywords: (column === 0 ? ["", '"'] : [",", ";", "\t", ',"', ';"']).flatMap((mark) =>
      ["pass", "pwd", "secret", "token", "api", "access", "private"].map((word) => mark + word)
    ),
    secret: [rows("@[{pw:9}]@")],
    ordinary: [rows("string")],
  }, () => ({
    pattern: new RegExp(
      String
        .raw`^(?:${HEAD}){${column}}"?(?:\w{1,20}[_ .-]){0,2}(?:${NAMES})"?${
        column === 0 ? "[,;\\t][^\\n]{0,600}" : "(?:[,;\\t][^\\n]{0,600})?"
      }\r?\n((?:(?:${FIELD}){${column}}[^\n]{1,2000}(?:\n|$)){1,10000})`,
      "gim",
    ),
    parts: new RegExp(
      String.raw`^(?:${FIELD}){${column}}"?([^",;\t\s]{5,256})(?="?(?:[,;\t]|\r?$))`,
      "gm",
    ),
  }));
}

/** Returns a rule for values that are inserted into a table of a database. */
function insertedSecrets(column: number): Rule {
  const insert = (value: string) =>
    `INSERT INTO a (${"b, ".repeat(column)}\`password\`, c) VALUES (${
      "'d', ".repeat(column)
    }'${value}', 'e'), (${"3, ".repeat(column)}'${value}', f(1));`;
  return made({
    keywords: ["insert "],
    secret: [insert("@[{pw:9}]@")],
    ordinary: [insert("string")],
  }, () => ({
    pattern: new RegExp(
      String
        .raw`\binsert\s{1,4}(?:\w{1,10}\s{1,4})?into\s{1,4}[\w.\`"[\]]{1,80}\s{0,4}\((?:[^,()]{1,60},){${column}}\s{0,40}[\`"[]?\w{0,30}(?:${NAMES})[\`"\]]?\s{0,40}(?:,[^()]{0,600})?\)\s{0,40}values\s{0,40}(\([^;]{4,4000})`,
      "gi",
    ),
    parts: new RegExp(
      String.raw`\(\s{0,8}(?:${SQL_VALUE}){${column}}N?'([^'\n]{5,256})(?=')`,
      "g",
    ),
  }));
}
