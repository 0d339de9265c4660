// Rules about commands, as data; tests/guard/rules.json has examples of each. Pure.

/** The verdict on a command: it runs, a person is asked, or it is refused. */
export type Verdict = "allow" | "ask" | "block";

/** A verdict on a command, and its reason. */
export interface Judgement {
  verdict: Verdict;
  rule: string;
  /** Why, as a clause. */
  reason: string;
  /** The simple command that decided it, as it was read. */
  command: string;
}

/** A kind of command, and its verdict. */
export interface GuardRule {
  /** Names it in judgements, policies and the record. */
  id: string;
  verdict: Verdict;
  /** One clause without a final period: why. */
  reason: string;
  /**
   * How the command begins: its program, its first operands (`*` is any), and the options that it has to
   * have, wherever they stand. `|` separates other spellings of a word.
   */
  commands: readonly string[];
  /** Some word has to match. */
  word?: RegExp;
  /** Some operand has to reach the whole working tree, beyond it, or what nobody knows yet. */
  isWide?: boolean;
  /** Each word after those of `commands` has to match. */
  words?: RegExp;
  /** Options that it must not have. */
  except?: string;
  /** The only options that it may have. */
  only?: string;
  /** At most so many operands after those of `commands`. */
  operands?: number;
  /** Its words are text, not paths: they may say anything; of `names`, some may be of files with secrets. */
  isText?: true | "names";
  /** Which operands it writes; of `last` and `all`, the last may be a folder for the others. */
  writes?: "each" | "all" | "last";
  /** Its first operand is no path, as the pattern of `grep`; whether anything may stand there. */
  first?: "any" | RegExp;
  /** In these shells only; by default in each. */
  shell?: "pwsh";
}

type RuleBody = Omit<GuardRule, "id" | "verdict">;

/** The rules of a table by their ids, which all have one verdict; an id may stand for several rules. */
export function rules(
  verdict: Verdict,
  table: Readonly<Record<string, RuleBody | readonly RuleBody[]>>,
): readonly GuardRule[] {
  return Object.entries(table).flatMap(([id, bodies]) =>
    [bodies].flat().map((body) => ({ id, verdict, ...body }))
  );
}
