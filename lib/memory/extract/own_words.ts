// Where in a message its author speaks: calls of tools that an export wrote below the agent's words,
// typed commands, and output that a person pasted are something else. Pure.

import { CODE_LINE, LOG_LINE } from "./junk.ts";

/** How exports write a call below the words of an agent: OpenHands, SWE-agent, Claude, raw JSON. */
const CALL = new RegExp(
  [
    String.raw`\[[a-z][a-z_]{1,24}\](?: (?:command|path|url|code): .*)?$`,
    String.raw`<(?:function|execute_[a-z]+|tool_call|tool_use|invoke)\b`,
    String.raw`\{"(?:arguments|name|command|tool)":`,
  ].map((form) => `^(?:${form})`).join("|"),
  "m",
);

/** A typed command; what follows a captured one is said to the agent. */
const COMMAND = /^\/(?:(ask|code|architect|context|plan)(?=\s|$)|[a-z][\w:-]*(?=\s|$))/;

/** A shell waits for a command: what follows on the next lines is its output. */
const PROMPT = new RegExp(
  [
    String.raw`\[\d\d?[/:.-][^\]]{2,120}\]`,
    String.raw`\u279c\s`,
    String.raw`[\w.-]{1,40}@[\w.-]{1,60}[: ][^$#%]{0,120}[$#%] `,
    String.raw`(?:\$|%|PS [A-Z]:[^>]{0,120}>) ?\S`,
    String.raw`> [\w@./-]+@\d`,
  ].map((form) => `^\\s*(?:${form})`).join("|"),
);

/** Nobody begins a sentence to an agent like this, but programs print it. */
const PRINTED =
  /^\s*(?:[\u2190-\u2bff\u{1f300}-\u{1faff}]|at \S+ ?\(|\S{1,80}:\d+(?::\d+)?(?:\s|$)|\S{1,200}: line \d+: |[-=_*~#.]{4,}|\w+(?:Error|Exception)\b|(?:npm|yarn|pnpm|make|cargo)(?: \w+)? error\b|Error: |error[:[]|Warning: )/u;

/** Where a harness begins to quote the request, and ends; what stands beside it, it tells every agent. */
const QUOTES: readonly { begin: RegExp; end: RegExp }[] = [
  {
    begin: /<(?:issue|pr|task|problem|bug|feature)_(?:description|statement)>/i,
    end: /<\/(?:issue|pr|task|problem|bug|feature)_(?:description|statement)>/i,
  },
  { begin: /(?:^|\n)ISSUE:\n/, end: /\n(?:INSTRUCTIONS|IMPORTANT TIPS):/ },
];

/** A tag on a line of its own, the end of a block, or a step with git. */
const TYPED_CODE = /^\s*(?:[\])]|<\/?[a-z][^>]*>\s*$|git (?:add|commit|push)\b)/;

/** What an agent says in a message: all before a call that is written out. */
export function saidByAgent(text: string): string {
  const call = CALL.exec(text);
  return call === null ? text : text.slice(0, call.index);
}

/** What a person says in a message, what they pasted from a terminal, and whether it is an issue. */
export function saidByPerson(text: string): { said: string; pasted: string; isReport: boolean } {
  const quoted = quotedIn(text);
  const request = quoted ?? text;
  const said: string[] = [];
  const pasted: string[] = [];
  let isOutput = false;
  let isCode = false;
  for (const line of request.split(/\r?\n/)) {
    isCode = line.trim() !== "" && (isCode || CODE_LINE.test(line));
    const command = COMMAND.exec(line);
    if (command !== null) {
      said.push(command[1] === undefined ? "" : line.slice(command[0].length).trim());
    } else if (PROMPT.test(line)) {
      isOutput = true;
      said.push("");
    } else if (isPrinted(line) || ((isOutput || isCode) && !isAddressed(line))) {
      pasted.push(line);
      said.push("");
    } else {
      said.push(line);
    }
  }
  return { said: said.join("\n"), pasted: pasted.join("\n"), isReport: quoted !== undefined };
}

function quotedIn(text: string): string | undefined {
  for (const { begin, end } of QUOTES) {
    const found = begin.exec(text);
    if (found === null) continue;
    const rest = text.slice(found.index + found[0].length);
    const length = rest.search(end);
    if (length >= 0) return rest.slice(0, length);
  }
  return undefined;
}

function isPrinted(line: string): boolean {
  return [PRINTED, CODE_LINE, TYPED_CODE, LOG_LINE].some((form) => form.test(line));
}

/** Whether a line below pasted output speaks to the agent again. */
function isAddressed(line: string): boolean {
  return line.trim() === "" ||
    /^(?:[a-z]|[A-Z][a-z']* [a-z]).*\b(?:you|we|I|let's|please|don't|do not|should|must|want|need|make|keep|use|instead|fix|why|this)\b/
      .test(line);
}
