// Which lines of a tool's result tell an error, by rules with examples. Pure.

import { LOG_LINE, NOTHING_WRONG } from "./junk.ts";

/** A form in which programs tell an error, and lines that have it, or only look like it. */
export interface ErrorForm {
  /** Matches a whole line without the blanks around it. */
  pattern: RegExp;
  /** Lines that tell an error. */
  error: readonly string[];
  /** Lines that do not. */
  ordinary: readonly string[];
}

/** The more precise ones first. */
export const ERROR_FORMS: readonly ErrorForm[] = [
  {
    pattern:
      /^(?:Uncaught |Unhandled |fatal: |E +|[#>*-]+ |\w{1,4}\d+ )*(?:(?:[a-z_]\w*\.)*[A-Z]\w{0,60}(?:Error|Exception|Mismatch|NoExactMatch)|Error|error|ERROR|fatal|panic|(?:execution|runtime|build|internal|type|syntax) error)(?: ?\[\w+\]|\[E\d+\])?: \S.{10,}$/,
    error: [
      'execution error: Io(Os { code: 2, message: "No such file or directory" })',
      "Error: EMFILE: too many open files, watch '/w/content'",
      "- E999 IndentationError: unexpected indent",
      "sqlalchemy.exc.OperationalError: no such table: users",
    ],
    ordinary: [
      "no error: everything in order here",
      "const error = new Error('it is broken here');",
    ],
  },
  {
    pattern: /^Error (?!handling|codes?|messages?)\w[^:]{3,80}: \S.{10,}$/,
    error: ["Error reading the lock file: unexpected end of JSON input"],
    ordinary: ["Error handling: see the chapter above", "Errors: 0, warnings: 12 of 40"],
  },
  {
    pattern:
      /^\S{1,200}(?:\(\d+,\d+\)|:\d+:\d+):?(?: -)? ? ?error(?: [A-Z]{1,4}\d+)?: \S.{10,}$|^error(?: [A-Z]{1,4}\d+|\[E\d+\])?: \S.{10,}$/,
    error: [
      "src/x.ts(3,7): error TS2345: Argument of type 'string' is not assignable",
      "src/a.ts:32:7 - error TS2740: Type 'A' is missing properties from type 'B'",
    ],
    ordinary: ["src/x.ts:12:const error: string | undefined = next();"],
  },
  {
    pattern: /^.{0,80}\bE(?!XAMPLE|RROR)[A-Z]{4,12}: \S.{8,}$/,
    error: ["npm error code ENOENT: no such file or directory, open 'package.json'"],
    ordinary: ["EXAMPLES: see below for more of them"],
  },
  {
    pattern:
      /^(?:[\w./@-]{1,200}(?::\d+)?: )+(?:line \d+: )?(?:[\w./@-]{1,200}: )?.{0,160}\b(?:No such file|[Cc]ommand not found|[Pp]ermission denied|Operation not permitted|cannot \w+|illegal option|invalid (?:option|argument|choice)|unrecognized (?:option|argument)|unknown (?:option|command)|does not exist|not found)\b.{0,160}$/,
    error: [
      "ls: cannot access 'src/lib': No such file or directory",
      "cat: illegal option -- A",
      "bash: line 1: fly: command not found",
      "zsh:1: command not found: pytest",
      "shellenv.sh: line 18: /bin/ps: Operation not permitted",
      "/home/somebody/projects/games/racing/scenes/car/parts/engine/Engine.cs: file not found error",
    ],
    ordinary: ["docs/a.md: explains which options there are"],
  },
  {
    pattern:
      /^(?:\w+: )?(?:No replacement was performed|No exact match|No files? matched|String to replace not found|(?:Your )?(?:proposed )?edit has introduced|(?:Command|Request|Operation|Connection) (?:failed|timed out)|File has not been read|Invalid `?\w+|(?:Failed|Unable) to \w+|(?:Could not|Cannot|Can't|Couldn't) \w+).{8,300}$/,
    error: [
      "No replacement was performed, old_str `a.b()` did not appear verbatim in src/a.ts.",
      "Command timed out after 10s",
      "Failed to update machine d89d: force_https is not allowed with the tls handler",
      "Cannot find module './b.ts' imported from src/a.ts",
    ],
    ordinary: ["No matches found", "Canned answers are kept in src/canned.ts for now"],
  },
  {
    pattern:
      /^(?!\d)[^{};|]{4,200}\b(?:failed to|(?:could|can) ?not|can't(?=.*[\/\`'"])|does not (?:support|accept|match)|is required for|is not allowed|unexpected keyword|not supported|has no attribute|(?:was|were) not found|is forbidden|file not found)\b[^{};|]{4,200}$/i,
    error: [
      "Parameter `old_str` is required for command: str_replace.",
      "Repo-map can't include /w/scenes/Tire.cs",
      "Warning: deepseek/v4 does not support 'reasoning_effort', ignoring.",
      "# 1 SEARCH/REPLACE block failed to match!",
      "module 'google.genai' has no attribute 'GenerateContentConfig'",
    ],
    ordinary: ["return canNot || { found: false };"],
  },
];

/** Tags that a host puts around an error. */
const TAG = /^<\/?[a-z_]*error>|<\/[a-z_]*error>$/g;

/** Before an error in the JSON that a tool answers with. */
const JSON_FIELD = /^\{\s*"(?:error"\s*:\s*"(?!\s*")|\w{1,20}"\s*:\s*"(?=Error: ))/;

/** A line that announces the error on the next one. */
const ANNOUNCED = /^(?:error|fatal|failure)s?:?$/i;

/** A longer one is a dump; its beginning tells what is wrong. */
const LONGEST = 360;

/** Share of the characters that only code is made of, from which on a line is code. */
const MAX_CODE = 0.11;

/** What a line of a result tells of an error, given the line before it; undefined if it tells none. */
export function errorIn(written: string, before: string): string | undefined {
  const [printed] = written.split("\\n", 1); // after an escaped line end, a dump goes on
  const field = JSON_FIELD.exec(printed);
  const inField = field === null ? printed : printed.slice(field[0].length).replace(/"[^"]*$/, "");
  const line = inField.trim().replace(TAG, "").trim().slice(0, LONGEST);
  if (line.length < 12 || NOTHING_WRONG.test(line) || isCode(line) || LOG_LINE.test(line)) {
    return undefined;
  }
  if (line.includes("AssertionError")) return undefined;
  const isTold = ANNOUNCED.test(before.trim()) || field?.[0].includes('"error"') ||
    ERROR_FORMS.some(({ pattern }) => pattern.test(line));
  return isTold ? whole(line) : undefined;
}

function isCode(line: string): boolean {
  const signs = line.match(/[{}()[\];=<>|\\$]/g)?.length ?? 0;
  return signs > line.length * MAX_CODE;
}

/** Without half a word at the end, and without the marks of a list or a heading. */
function whole(line: string): string {
  const text = line.replace(/^(?:#{1,6}|[-*>]) +/, "");
  return line.length < LONGEST ? text : text.slice(0, text.lastIndexOf(" "));
}
