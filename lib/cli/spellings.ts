// Other ways to write a command: spellings in the documents, and spellings that people try. Each is replaced by the
// words of the table before the command is looked up. Pure.

/** Other names of commands. The documents use some of them for the commands of an editor. */
export const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  "ask-user": ["ask", "human"],
  "deps": ["issue", "deps"],
  "route": ["issue", "route"],
  "validate": ["issue", "validate"],
  "search-memory": ["memory", "search"],
  "get-observation": ["memory", "view"],
  "memory-stats": ["memory", "stats"],
  "compact-memory": ["memory", "compact"],
  "list": ["issue", "list"],
  "issue get": ["issue", "view"],
  "issue show": ["issue", "view"],
  "issue update": ["issue", "edit"],
  "agents list": ["agents"],
  "assumptions list": ["assumptions"],
  "settings": ["config"],
  "config list": ["config", "show"],
  "clarify list": ["clarify"],
  "clarify show": ["clarify"],
  "clarify view": ["clarify"],
  "clarify retry": ["clarify", "run"],
  "clarify deliver": ["clarify", "run"],
  "clarify stats": ["stats"],
  "guard audit": ["audit"],
  "inbox answer": ["answer"],
  "memory list": ["memory", "search"],
  "memory get": ["memory", "view"],
  "memory show": ["memory", "view"],
  "memory forget": ["memory", "delete"],
  "plugin list": ["plugin"],
  "schedule list": ["schedule"],
  "workflow list": ["workflow"],
};

/** Suggestions for an unknown option, by command and option. */
export const OPTIONS: Readonly<Record<string, string>> = {
  "issue create --type": "-l type:TYPE",
  "issue edit --type": "-l type:TYPE",
  "issue create --priority": "-l p1",
  "issue edit --priority": "-l p1",
};

/** Commands to suggest for an unknown one, by group and word; the group of a top-level command is empty. */
export const INSTEAD: Readonly<Record<string, string>> = {
  " claim": "ready --claim ROLE",
  " merge": "workflow merge N",
  " release": "ready --release ROLE",
  " reopen": "issue edit N --status Ready",
  "issue claim": "ready --claim ROLE --issue N",
  "issue release": "ready --release ROLE --issue N",
  "issue reopen": "issue edit N --status Ready",
  "issue rm": "issue delete",
  "issue remove": "issue delete",
  "memory rm": "memory delete",
  "memory remove": "memory delete",
};

/** The intended command, if a subject follows a command without a subcommand. */
export const SUBJECTS:
  readonly (readonly [command: string, subject: RegExp, words: readonly string[]])[] = [
    ["status", /^(?:[a-z]|--?set$)/i, ["state"]],
    ["issue", /^#?[0-9]+$/, ["issue", "view"]],
    ["loop", /^#?[0-9]+$/, ["loop", "status"]],
    ["ask", /^(?:CLR-|[0-9]+-)[0-9-]*$/i, ["ask", "--id"]],
    ["clarify", /^#?[0-9]+$/, ["clarify", "--issue"]],
    ["clarify", /^(?:CLR-|[0-9]+-)[0-9-]*$/i, ["clarify", "--id"]],
    ["memory", /^obs-/, ["memory", "view"]],
  ];

/** Flags of other programs for a comment; the documents call it `-c`. */
const COMMENT_FLAGS: readonly string[] = ["-m", "--message"];

/** Returns the same command line in the words of the table. */
export function respell(argv: readonly string[], start: number): readonly string[] {
  const [first = "", second = ""] = argv.slice(start);
  const pair = `${first} ${second}`;
  const [name, length] = Object.hasOwn(OTHER_NAMES, pair)
    ? [OTHER_NAMES[pair], 2]
    : [OTHER_NAMES[first], 1];
  const words = Object.hasOwn(OTHER_NAMES, pair) || Object.hasOwn(OTHER_NAMES, first)
    ? [...argv.slice(0, start), ...name, ...argv.slice(start + length)]
    : argv;
  const [command, subject = ""] = words.slice(start);
  if (command === "issue" && words[start + 2] === "-n") {
    return respell(words.toSpliced(start + 2, 1), start);
  }
  if (command === "issue" && (subject === "comment" || subject === "close")) {
    const end = words.includes("--") ? words.indexOf("--") : words.length;
    return words.map((word, at) => at < end && COMMENT_FLAGS.includes(word) ? "-c" : word);
  }
  const found = SUBJECTS.find(([name, pattern]) => name === command && pattern.test(subject));
  if (found === undefined) return words;
  return [...words.slice(0, start), ...found[2], ...words.slice(start + 1)];
}
