// The form of rules about commands, as data. tests/guard/rules.json has examples of each rule. Pure.

/** The verdict on a command: it runs, a person is asked, or it is refused. */
export type Verdict = "allow" | "ask" | "block";

/** A verdict on a command, and its reason. */
export interface Judgement {
  verdict: Verdict;
  rule: string;
  /** The reason, as a clause. */
  reason: string;
  /** The simple command that decided the verdict, as it was read. */
  command: string;
}

/** A kind of command, and its verdict. */
export interface GuardRule {
  /** Names the rule in judgements, policies and the record. */
  id: string;
  verdict: Verdict;
  /** The reason, as one clause without a final period. */
  reason: string;
  /**
   * How the command begins: its program, its first operands (`*` matches any), and the options that it must have, in
   * any place. `|` separates alternatives for a word.
   */
  commands: readonly string[];
  /** At least one word of the command must match. */
  word?: RegExp;
  /** At least one operand must lead to the whole working tree, beyond it, or to an unknown place. */
  isWide?: boolean;
  /** Each word after those of `commands` must match. */
  words?: RegExp;
  /** Options that the command must not have. */
  except?: string;
  /** The only options that the command may have. */
  only?: string;
  /** The maximum number of operands after those of `commands`. */
  operands?: number;
  /**
   * Whether the words of the command are any text rather than paths. With `names`, some of them may still name files
   * of secrets.
   */
  isText?: true | "names";
  /** The operands that the command writes. With `last` and `all`, the last one may be a folder for the others. */
  writes?: "each" | "all" | "last";
  /** The first operand is not a path, like the pattern of `grep`. The value says which text it may have. */
  first?: "any" | RegExp;
  /** The only shell that the rule applies to; by default all shells. */
  shell?: "pwsh";
}

type RuleBody = Omit<GuardRule, "id" | "verdict">;

/** Returns the rules of a table with their ids. All of them have one verdict; one id may have several rules. */
export function rules(
  verdict: Verdict,
  table: Readonly<Record<string, RuleBody | readonly RuleBody[]>>,
): readonly GuardRule[] {
  return Object.entries(table).flatMap(([id, bodies]) =>
    [bodies].flat().map((body) => ({ id, verdict, ...body }))
  );
}
