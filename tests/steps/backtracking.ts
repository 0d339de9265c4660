/**
 * Regular expressions by plain backtracking, one character at a time, so that the steps can be
 * counted. An engine of a browser takes shortcuts and needs no more steps than this.
 *
 * @module
 */

/** Where a matcher stands, and what it counts. */
interface Run {
  text: string;
  captures: (readonly [start: number, end: number] | undefined)[];
  steps: number;
}

type Next = (at: number) => boolean;

/** Matches from a place on, and goes on with what follows. */
type Matcher = (run: Run, at: number, next: Next) => boolean;

interface Node {
  match: Matcher;
  /** Whether one character is all it takes, and then which. */
  one?: (character: string) => boolean;
  /** Which characters it can start with; undefined if it may take none. */
  first?: (character: string) => boolean;
  /** Whether it can only match where the text starts, which every engine knows. */
  isAtStart?: boolean;
}

/** What was matched, as `exec` has it. */
export interface Found {
  index: number;
  groups: (string | undefined)[];
}

const PART =
  /\(\?<?[=!:]|[()|^$]|\\[bB]|\\[1-9]|\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\p\{\w+\}|\\c[A-Z]|\\[^]|\[(?:[^\]\\]|\\[^])*\]|[^]/giy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y;

/** One compiled expression. */
export class Backtracking {
  readonly #root: Node;
  readonly #isUnicode: boolean;
  #groups = 1;

  /** @param pattern any, but without named groups */
  constructor(readonly pattern: RegExp) {
    this.#isUnicode = pattern.unicode;
    this.#root = this.#alternatives({ at: 0 }, 1);
  }

  /**
   * @param text to search
   * @param from where to begin
   * @param count is given the steps
   * @returns the first match, as `exec` gives it
   */
  find(text: string, from: number, count: (steps: number) => void): Found | undefined {
    const run: Run = { text, captures: [], steps: 0 };
    const last = this.pattern.sticky ? from : this.#root.isAtStart ? 0 : text.length;
    for (let start = from; start <= last; start += this.#at(text, start).length || 1) {
      run.steps++;
      if (this.#root.first?.(this.#at(text, start)) === false) continue;
      run.captures = [];
      const isFound = this.#root.match(run, start, (end) => {
        run.captures[0] = [start, end];
        return true;
      });
      if (!isFound) continue;
      count(run.steps);
      const groups = Array.from({ length: this.#groups }, (_, group) => {
        const capture = run.captures[group];
        return capture && text.slice(...capture);
      });
      return { index: start, groups };
    }
    count(run.steps);
    return undefined;
  }

  #at(text: string, at: number): string {
    return this.#isUnicode ? String.fromCodePoint(text.codePointAt(at) ?? 0) : text[at] ?? "";
  }

  #part(place: { at: number }): string {
    PART.lastIndex = place.at;
    return PART.exec(this.pattern.source)?.[0] ?? "";
  }

  #alternatives(place: { at: number }, way: 1 | -1): Node {
    const options: Node[] = [];
    do {
      if (options.length > 0) place.at++; // the bar
      options.push(this.#sequence(place, way));
    } while (this.pattern.source[place.at] === "|");
    return options.length === 1 ? options[0] : alternation(options, way, this.#isUnicode);
  }

  #sequence(place: { at: number }, way: 1 | -1): Node {
    const nodes: Node[] = [];
    for (let part = this.#part(place); part !== "" && part !== "|" && part !== ")";) {
      place.at += part.length;
      const opened = this.#groups;
      const node = this.#atom(part, place, way);
      nodes.push(this.#quantified(node, place, [opened, this.#groups]));
      part = this.#part(place);
    }
    return sequence(way === 1 ? nodes : nodes.reverse());
  }

  #atom(part: string, place: { at: number }, way: 1 | -1): Node {
    if (part.startsWith("(")) return this.#group(part, place, way);
    if (part === "^" || part === "$" || /^\\b$/i.test(part)) {
      const { multiline } = this.pattern;
      return {
        match: (run, at, next) => isAt(part, run.text, at, multiline) && next(at),
        isAtStart: part === "^" && !multiline,
      };
    }
    if (/^\\[1-9]$/.test(part)) {
      return {
        match: ({ text, captures }, at, next) => {
          const seen = text.slice(...captures[Number(part[1])] ?? [0, 0]);
          return text.startsWith(seen, at) && next(at + seen.length);
        },
      };
    }
    const one = this.#characters(part);
    const isUnicode = this.#isUnicode;
    const match: Matcher = (run, at, next) => {
      run.steps++;
      const length = widthAt(run.text, at, way, isUnicode);
      const from = way === 1 ? at : at - length;
      return length > 0 && one(run.text.slice(from, from + length)) && next(at + way * length);
    };
    return way === 1 ? { match, one, first: one } : { match, one };
  }

  #group(part: string, place: { at: number }, way: 1 | -1): Node {
    const group = part === "(" ? this.#groups++ : 0;
    const isBehind = part.startsWith("(?<");
    const isLook = part.endsWith("=") || part.endsWith("!");
    const node = this.#alternatives(place, isBehind ? -1 : isLook ? 1 : way);
    place.at++; // the closing bracket
    if (isLook) {
      const isWanted = part.endsWith("=");
      return {
        match: (run, at, next) => node.match(run, at, () => true) === isWanted && next(at),
      };
    }
    if (group === 0) return node;
    const match: Matcher = (run, at, next) =>
      node.match(run, at, (end) => {
        const before = run.captures[group];
        run.captures[group] = at < end ? [at, end] : [end, at];
        return next(end) || (run.captures[group] = before, false);
      });
    return { match, first: node.first, isAtStart: node.isAtStart };
  }

  /** Asks the real engine about one character at a time, and keeps what it says. */
  #characters(part: string): (character: string) => boolean {
    const flags = this.pattern.flags.replace(/[gy]/g, "");
    const single = new RegExp(`^${part === "/" ? "\\/" : part}$`, flags);
    const exec = native.bind(single);
    const known = new Map<string, boolean>();
    return (character) => {
      let isOne = known.get(character);
      if (isOne === undefined) {
        isOne = character !== "" && exec(character)?.[0] === character;
        known.set(character, isOne);
      }
      return isOne;
    };
  }

  #quantified(node: Node, place: { at: number }, groups: [number, number]): Node {
    QUANTIFIER.lastIndex = place.at;
    const found = QUANTIFIER.exec(this.pattern.source);
    if (found === null) return node;
    place.at += found[0].length;
    const [, sign, least, comma, most, lazy] = found;
    const min = sign === "+" ? 1 : sign ? 0 : Number(least);
    const max = sign === "?"
      ? 1
      : sign || (comma && !most)
      ? Infinity
      : Number(comma ? most : least);
    const match = repeat(node, { min, max, isLazy: lazy === "?", groups });
    return { match, first: min > 0 ? node.first : undefined };
  }
}

const native = RegExp.prototype.exec;

function isAt(part: string, text: string, at: number, isMultiline: boolean): boolean {
  const isBreak = (place: number) => isMultiline && /[\n\r\u2028\u2029]/.test(text[place] ?? "");
  if (part === "^") return at === 0 || isBreak(at - 1);
  if (part === "$") return at === text.length || isBreak(at);
  const isWord = (place: number) => /\w/.test(text[place] ?? "");
  return (isWord(at - 1) !== isWord(at)) === (part === "\\b");
}

function widthAt(text: string, at: number, way: 1 | -1, isUnicode: boolean): number {
  if (way === 1 ? at >= text.length : at <= 0) return 0;
  const isPair = isUnicode &&
    /^[\ud800-\udbff][\udc00-\udfff]$/.test(
      way === 1 ? text.slice(at, at + 2) : text.slice(at - 2, at),
    );
  return isPair ? 2 : 1;
}

function sequence(nodes: Node[]): Node {
  if (nodes.length === 1) return nodes[0];
  const match = nodes.reduceRight<Matcher>(
    (rest, { match }) => (run, at, next) => match(run, at, (end) => rest(run, end, next)),
    (_run, at, next) => next(at),
  );
  return { match, first: nodes[0]?.first, isAtStart: nodes[0]?.isAtStart };
}

/** Tries those only which can start with the next character. */
function alternation(options: Node[], way: 1 | -1, isUnicode: boolean): Node {
  const fitting = new Map<string, Node[]>();
  const match: Matcher = (run, at, next) => {
    run.steps++;
    const character = way === -1
      ? "" // nothing is known of what comes before
      : run.text.slice(at, at + widthAt(run.text, at, way, isUnicode));
    let some = fitting.get(character);
    if (some === undefined) {
      some = way === -1 ? options : options.filter(({ first }) => first?.(character) ?? true);
      fitting.set(character, some);
    }
    return some.some((option) => option.match(run, at, next));
  };
  const isKnown = options.every(({ first }) => first !== undefined);
  const first = (character: string) => options.some((option) => option.first?.(character));
  const isAtStart = options.every((option) => option.isAtStart);
  return isKnown ? { match, first, isAtStart } : { match, isAtStart };
}

function repeat(
  { match, one }: Node,
  { min, max, isLazy, groups }: {
    min: number;
    max: number;
    isLazy: boolean;
    groups: [number, number];
  },
): Matcher {
  if (one !== undefined && !isLazy) return repeatOne(match, min, max);
  const more = (run: Run, at: number, times: number, next: Next): boolean => {
    const again = () => {
      if (times >= max) return false;
      for (let group = groups[0]; group < groups[1]; group++) run.captures[group] = undefined;
      return match(
        run,
        at,
        (end) => (end !== at || times < min) && more(run, end, times + 1, next),
      );
    };
    if (times < min) return again();
    const before = [...run.captures];
    const stop = () => (run.captures = [...before], next(at));
    return isLazy ? stop() || again() : again() || stop();
  };
  return (run, at, next) => more(run, at, 0, next);
}

/** The same without a call within a call for each character. */
function repeatOne(match: Matcher, min: number, max: number): Matcher {
  return (run, at, next) => {
    const ends = [at];
    const take = (end: number) => (ends.push(end), true);
    while (ends.length <= max && match(run, ends.at(-1)!, take));
    for (let times = ends.length - 1; times >= min; times--) {
      run.steps++;
      if (next(ends[times])) return true;
    }
    return false;
  };
}
