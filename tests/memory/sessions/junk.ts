/**
 * What nobody wants to read in a recall, by rules on the form alone.
 *
 * They know nothing of how observations are extracted and are tried in this order:
 *
 * 1. `labelled`: contains one of the session's junk fragments.
 * 2. `scaffolding`: tags, caveats and headings that a tool or a recall puts into the conversation.
 * 3. `log line`: starts as a time, a level, a stack frame, a progress bar or a line of a test runner, a
 *    package manager or a build.
 * 4. `code`: over 40 % of what is not blank is punctuation; or starts as a statement, a diff or a conflict;
 *    or ends as code does.
 * 5. `fragment`: fewer than three words; or starts with closing punctuation, or in lower case with a word
 *    that only continues a sentence, or with one that joins sentences and then has fewer than six words;
 *    or is one sentence and ends where something should follow.
 * 6. `empty`: one sentence that says that there was no error, thanks, agrees, or announces that it will
 *    look at something.
 *
 * @module
 */

/** Why an observation is junk. */
export type JunkReason = "labelled" | "scaffolding" | "log line" | "code" | "fragment" | "empty";

const SCAFFOLDING = [
  /<\/?(system-reminder|environment_context|user_instructions|instructions|command-[a-z]+|local-command-stdout|permissions instructions|turn_aborted|reminder|reminderinstructions|userrequest|context|current_datetime|tool_use_error)\b/i,
  /^caveat: the messages below were generated/i,
  /^\[request (interrupted|cancelled)/i,
  /^# AGENTS\.md instructions/i,
  /^you are (an? )?(\S+ ){0,4}(agent|assistant)\b/i,
  /^this session is being continued from a previous conversation/i,
  /^this is the gemini cli\b/i,
  /agentx:recall|## Memory Recall|\(obs-[a-z0-9@.-]+-\d+-\d+-[a-z0-9]{6}\)/i,
];

const LOG_LINE = [
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\[?\d\d:\d\d:\d\d/,
  /^\[?(INFO|DEBUG|WARN|WARNING|TRACE|ERROR|FATAL|NOTICE)\b\]?[\s:[]/,
  /^at (async |new )?\S+ \(?\S+:\d+:\d+/,
  /^\s*\[?[#=.>-]{3,}/,
  /^\d{1,3}% /,
  /^(npm|yarn|pnpm) (warn|err!?|error|notice)\b/i,
  /^(added|removed|changed|audited) \d+ packages?\b/i,
  /^(\u2713|\u2714|\u2717|\u00d7|PASS|ok \d+|not ok \d+|RUN|running \d+ tests?)\s/,
  /^(Test Files|Test Suites|Tests|Snapshots|Duration|Start at|Time):?\s+\d/,
  /\.\.\. (ok|FAILED|ignored)\b/,
  /^(Compiling|Downloading|Downloaded|Finished|Running|Resolving|Checking) \S+ v?\d/,
  /^#\d+ (\[|sha256|CACHED|DONE|extracting|exporting)/,
  /^(-rw|drwx|total \d+$)/,
  /^\S+\.[a-z]{1,4}:\d+(:\d+)?:? /,
  /^Tokens: \S+ sent/,
];

const CODE = [
  /^(import|export|const|let|var|function|return|async function|class|interface|public|private|def|fn|pub|use|package|#include)\b.*[;{}()=]/,
  /^(if|for|while|switch|catch) \(/,
  /^(diff --git|index [0-9a-f]{7}|@@ |\+\+\+ |--- [ab]\/|\*\*\* (Begin|Update|Add|End))/,
  /^(<<<<<<<|=======|>>>>>>>)/,
  /^[+][^\s\d]/,
  /(;|\{|=>|&&|\|\||\)\s*\{)$/,
  /^[{}[\])]/,
];

const CONTINUES =
  /^(because|which|that|whose|than|with|of|to|nor|is|are|was|were|has|have|been|being|into|onto|whereas)\b/;

/** They start sentences of people in a hurry too. */
const JOINS = /^(and|or|but|so|then|for|from|by|as|at)\b/;

const EMPTY = [
  /^(there (are|were) )?(no|0|zero) (errors?|warnings?|issues?|problems?|failures?)\b(?! (are|is|was|when|if|while|event)\b).{0,30}$/i,
  /^(all )?(the )?tests? (all )?(pass|passed|passing|are green|are passing)[.!]?$/i,
  /^(thanks?|thank you|ok|okay|great|perfect|sure|done|got it|will do|nice|cool|you're welcome|no problem|understood|agreed|sounds good)\b\W*(\w+\W*){0,3}$/i,
  /^(ok(ay)?, |now |first,? |next,? |great, )?(let me|i'll|i will|i'm going to|i am going to) (now |first |quickly |also |just |start by |begin by )*(look|looking|check|checking|read|reading|see|run|running|inspect|inspecting|examine|examining|explore|exploring|search|searching|open|opening|review|reviewing|take a look)\b/i,
];

/**
 * @param content what would be stored
 * @param fragments the session's junk fragments
 * @returns why nobody wants to read it, or null
 */
export function junkReason(content: string, fragments: string[] = []): JunkReason | null {
  const text = content.replace(/\s+/gu, " ").trim();
  const lower = text.toLowerCase();
  const bare = text.replace(/^(?:[-*+]|\d+[.)]|#{1,6}|>)\s+/, "");
  if (fragments.some((fragment) => lower.includes(fragment.toLowerCase()))) return "labelled";
  if (SCAFFOLDING.some((form) => form.test(text))) return "scaffolding";
  if (LOG_LINE.some((form) => form.test(bare))) return "log line";
  if (punctuationShare(bare) > 0.4 || CODE.some((form) => form.test(bare))) return "code";
  if (isFragment(bare)) return "fragment";
  return isOneSentence(bare) && EMPTY.some((form) => form.test(bare)) ? "empty" : null;
}

function punctuationShare(text: string): number {
  const solid = text.replace(/\s/gu, "");
  if (solid.length === 0) return 1;
  return solid.replace(/[\p{L}\p{N}\p{M}]/gu, "").length / solid.length;
}

function isFragment(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  if (words.length < 3 || (words.length < 6 && JOINS.test(text))) return true;
  if (/^[),.;:\]]/.test(text) || CONTINUES.test(text)) return true;
  return isOneSentence(text) && /[:,([]$/.test(text);
}

function isOneSentence(text: string): boolean {
  return !/[.!?] \S/.test(text);
}
