// Reads the output of a failed run: the most telling line, the kind of the failure, and whether another run may help.
// Pure. The patterns match messages that were observed from programs.

/**
 * Why a run failed, if its output shows it. `client` and `server` are 4xx and 5xx answers of a model; `limit` is 429.
 */
export type FailureKind =
  | "usage"
  | "missing"
  | "login"
  | "untrusted"
  | "model"
  | "client"
  | "limit"
  | "server"
  | "network";

export interface RunOutput {
  stdout: string;
  stderr: string;
}

/** The facts about a failed run. */
export interface FailureReport {
  /** The kind of failure; undefined if the output does not show it. */
  kind: FailureKind | undefined;
  /** The most telling line; empty if nothing was printed. */
  complaint: string;
}

/** Maximum length of the end of a stream that is kept, in characters. */
const MAX_TAIL = 1_500;

/** Length of the end of an output that is searched, in characters: enough for a page of help. */
const MAX_SEARCHED = 16_000;

/** The reason against a second run with a model that does not exist. */
export const NO_MODEL = "there is no such model";

/** Failures that a second run cannot change, with the reason against it. */
const FINAL: Partial<Record<FailureKind, string>> = {
  usage: "it does not accept these arguments",
  missing: "there is no such program",
  login: "it is not logged in",
  untrusted: "it does not trust the folder",
  model: NO_MODEL,
  client: "the request was refused",
};

const USAGE =
  /^(?:error: )?(?:unknown (?:option|argument|flag|command)|unexpected (?:argument|option)|unrecognized (?:option|argument)|invalid (?:option|command format)|missing required)/i;

const UNTRUSTED = /\bnot (?:inside|running in) a trusted (?:directory|folder|workspace)/i;

/** The messages of vendors, hosts and local servers about a model that they do not know or do not provide. */
const MODEL =
  /\bmodel_not_found\b|\bModelNotFound|\bmodels?\b(?! metadata)[^\n,;]{0,120}\b(?:(?:was |is |were )?not (?:found|available|supported)|(?:does|may|do) not exist|unavailable|is unknown|is not a valid)\b|\b(?:unknown|invalid|unsupported|no such|selected) model\b|^HTTP 404: model: /i;

const LOGIN =
  /\b(?:not logged in|not authenticated|log ?in required|please run \/login|no authentication information|(?:set|invalid) an? auth method|invalid auth method|authentication failed|invalid (?:x-)?api[ -]key|(?:missing environment variable:|must specify the) `?\w+_(?:KEY|TOKEN))\b/i;

const NETWORK =
  /\b(?:(?:could not|unable to|failed to) (?:connect|lookup|resolve)|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|network is unreachable|waiting for network|fetch failed)\b/i;

/** An HTTP status, as clients print it. */
const STATUS =
  /\b(?:HTTP|status|error|code)\b[^\w\n]{0,4}([45]\d\d)\b|\brejected \(([45]\d\d)\)|\b([45]\d\d) (?:[A-Z][a-z]+)/i;

/** A line with only a status. If a program prints an error as an object, the message is in the line before. */
const BARE_STATUS = /^\W*(?:status|code)\W+\d{3}\W*$/i;

/** Statuses of temporary refusals. */
const PASSING = ["408", "425"];

// deno-lint-ignore no-control-regex -- an escape sequence consists of them
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;

/**
 * Stack frames of a program, and the last line that Node prints after them: they do not help users, and are longer than
 * the message.
 */
const STACK_FRAMES = /^(?:[ \t]+at .+:\d+:\d+\)?(?: \{)?|Node\.js v[\d.]+)(?:\n|$)/gm;

/** The line that a program prints for an uncaught error. */
const UNCAUGHT = /^(?:Uncaught )?(?:\w+\.)*\w*(?:Error|Exception)\b.*: \S/;

/** Kinds that take precedence over all other output: the first matching line decides. */
const PLAIN = [["usage", USAGE], ["untrusted", UNTRUSTED], ["model", MODEL]] as const;

/** Reads the output of a failed program. */
export function explainFailure({ stdout, stderr }: RunOutput): FailureReport {
  const all = [...linesOf(stderr), ...linesOf(stdout)];
  for (const [kind, pattern] of PLAIN) {
    const complaint = all.find((line) => pattern.test(line));
    if (complaint !== undefined) return { kind, complaint };
  }
  const at = all.findLastIndex((line) => STATUS.test(line));
  if (at >= 0) {
    const [, ...codes] = STATUS.exec(all[at])!;
    return {
      kind: kindOf(codes.find((code) => code !== undefined)!),
      complaint: BARE_STATUS.test(all[at]) && at > 0 ? all[at - 1] : all[at],
    };
  }
  const login = all.find((line) => LOGIN.test(line));
  if (login !== undefined) return { kind: "login", complaint: login };
  const network = all.findLast((line) => NETWORK.test(line));
  if (network !== undefined) return { kind: "network", complaint: network };
  const said = linesOf(stderr);
  const complaint = said.findLast((line) => UNCAUGHT.test(line)) ?? said.at(-1);
  return { kind: undefined, complaint: complaint ?? linesOf(stdout).at(-1) ?? "" };
}

function kindOf(status: string): FailureKind | undefined {
  if (status.startsWith("5")) return "server";
  if (status === "429") return "limit";
  return PASSING.includes(status) ? undefined : "client";
}

/** Returns why a second run cannot help after a failure; undefined if it may help. */
export function whyFinal(kind: FailureKind | undefined): string | undefined {
  return kind && FINAL[kind];
}

/** Returns the last part of an output, without terminal escape sequences and stack frames. */
export function tailOf(text: string): string {
  const plain = plainEnd(text).trim();
  return plain.length <= MAX_TAIL ? plain : `...${plain.slice(-MAX_TAIL).toWellFormed()}`;
}

/**
 * Returns the lines of an output. Lines that begin with ">" are left out, because a program may print its prompt with
 * quotes of other agents.
 */
function linesOf(text: string): string[] {
  return plainEnd(text).split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith(">"));
}

function plainEnd(text: string): string {
  return text.slice(-MAX_SEARCHED).replace(ESCAPES, "").replace(/\r\n?/g, "\n")
    .replace(STACK_FRAMES, "");
}
