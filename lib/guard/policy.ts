// Policies: the rules of a repository, and of the user, for commands.
//
// `.agentx/policy.toml` of a repository can only make a verdict stricter. `policy.toml` in the user's own
// configuration folder can also make it milder. There, an entry for a command can turn `ask` into `allow`, and only
// an entry for a rule can change a verdict of `block`.

import { isObject } from "../base/checks.ts";
import { parseToml } from "../text/toml.ts";
import { sys } from "../sys/mod.ts";
import type { Word } from "./command_line.ts";
import { GUARD_RULES, type Judgement, OTHER_RULES, type Policy, SEVERITY } from "./judge.ts";
import type { Verdict } from "./rules/rule.ts";
import { matches, type Shell, takeApart } from "./simple_command.ts";
import { Tree } from "./tree.ts";
import { userPolicyPath } from "./user_policy.ts";

export interface PolicyFile {
  /** The verdicts that replace those of rules, by the id of the rule. */
  rules: Readonly<Record<string, Verdict>>;
  commands: readonly OwnRule[];
}

interface OwnRule {
  /** The beginning of a command, in the form of the rules; absent if `line` has the whole command. */
  command?: string;
  /** A whole simple command, its words separated by blanks. */
  line?: string;
  verdict: Verdict;
  reason: string;
}

const NOTHING: PolicyFile = { rules: {}, commands: [] };

/** Returns the policy that applies in a workspace. `root` is the folder that holds `.agentx/`. */
export function policyOf(root: string | undefined): Policy {
  const own = userPolicyPath();
  return combined(
    own === undefined ? NOTHING : read(own),
    root === undefined ? NOTHING : read(`${root}/.agentx/policy.toml`),
  );
}

function read(path: string): PolicyFile {
  const text = sys.readTextFile(path);
  return text === undefined ? NOTHING : parsePolicy(text, path);
}

/** Reads a policy. Throws `INVALID_CONFIG` with the line of an invalid entry. */
export function parsePolicy(text: string, path: string): PolicyFile {
  const document = parseToml(text, path);
  const { rules = {}, commands = [], ...others } = document.value;
  for (const key of Object.keys(others)) throw document.error([key], "no policy has this key");
  if (!isObject(rules)) throw document.error(["rules"], "it must be a table of rules and verdicts");
  if (!Array.isArray(commands)) throw document.error(["commands"], "it must be [[commands]]");
  const known: readonly string[] = [...GUARD_RULES.map(({ id }) => id), ...OTHER_RULES];
  for (const [id, verdict] of Object.entries(rules)) {
    if (!known.includes(id)) throw document.error(["rules", id], "there is no such rule");
    if (!isVerdict(verdict)) throw document.error(["rules", id], WHICH);
  }
  commands.forEach((each: Record<string, unknown>, at) => {
    const names = [each.command, each.line].filter((name) =>
      typeof name === "string" && name !== ""
    );
    if (names.length !== 1) {
      throw document.error(["commands", at], "it must have either command or line, a text");
    }
    if (!isVerdict(each.verdict)) throw document.error(["commands", at, "verdict"], WHICH);
  });
  return {
    rules: rules as PolicyFile["rules"],
    commands: commands.map((each) => ({ reason: "a policy says so", ...each })),
  };
}

const WHICH = 'it must be "allow", "ask" or "block"';

/**
 * Returns a policy that applies both files to a finding. The repository's file can make it stricter, and the user's
 * file decides.
 */
export function combined(user: PolicyFile, repository: PolicyFile): Policy {
  return (found, words, shell) => {
    const stricter = namedIn(repository, found, words, shell).reduce(
      (one, other) => SEVERITY[other.verdict] > SEVERITY[one.verdict] ? other : one,
      found,
    );
    return namedIn(user, found, words, shell)[0] ?? stricter;
  };
}

/** Rules that allow tasks of the project. If an agent works alone, these tasks need a person's consent. */
const OF_THE_PROJECT =
  /^(project-task|go-task|make|project-check|cargo-task|list-remote|git-branch-new)$/;

/**
 * Returns the policy for an agent that works alone. Such an agent can run commands that only look, commit or ask
 * agentx, and commands that a person agreed to. The user's policy applies too.
 */
export function onlyAgreed(commands: readonly (readonly string[])[], policy: Policy): Policy {
  return (found, words, shell) => {
    const decided = policy(found, words, shell);
    const isAgreed = words.length > 0 &&
      commands.some((command) =>
        command.length === words.length &&
        words.every(({ text, isKnown }, at) => isKnown && text === command[at])
      );
    if (isAgreed && decided.verdict === "ask") return { ...decided, verdict: "allow" };
    if (isAgreed || !OF_THE_PROJECT.test(decided.rule) || decided.verdict !== "allow") {
      return decided;
    }
    return { ...decided, verdict: "ask", reason: "nobody agreed that agents run it alone" };
  };
}

/**
 * Returns the findings by which a file replaces a finding. Entries for the command come before the entry for the
 * rule.
 */
function namedIn(
  { rules, commands }: PolicyFile,
  found: Judgement,
  words: readonly Word[],
  shell: Shell,
): Judgement[] {
  const isMild = (verdict: Verdict) => verdict === "allow" && found.verdict === "block";
  const named = commands.filter((rule) => !isMild(rule.verdict) && isAbout(rule, words, shell));
  const verdict = Object.hasOwn(rules, found.rule) ? rules[found.rule] : undefined;
  return [
    ...named.map(({ verdict, reason }) => ({ ...found, verdict, reason, rule: "policy" })),
    ...verdict === undefined ? [] : [{ ...found, verdict }],
  ];
}

function isAbout(
  { command, line, verdict }: OwnRule,
  words: readonly Word[],
  shell: Shell,
): boolean {
  if (words.length === 0) return false;
  const isKnown = words.every(({ isKnown }) => isKnown);
  if (command === undefined) return isKnown && words.map(({ text }) => text).join(" ") === line;
  if (!words[0].isKnown) return false;
  const rule = { id: "policy", verdict, reason: "", commands: [command] };
  return matches(rule, takeApart(words, shell), NOWHERE);
}

/** A tree for policies, because no rule of a policy depends on where a path leads. */
const NOWHERE = new Tree({ root: "/", cwd: "/", home: "/" });

function isVerdict(value: unknown): value is Verdict {
  return value === "allow" || value === "ask" || value === "block";
}
