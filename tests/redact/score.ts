/**
 * Judges a redaction: what it lets through, what it cuts besides, and what it cuts in ordinary text.
 * It knows no rule: it compares texts.
 *
 * @module
 */

/** A text with secrets in it. */
export interface LabelledCase {
  /** What kind of secret. */
  class: string;
  /** What is given to the redaction. */
  text: string;
  /** None of these may survive, nor any 12 characters of them. */
  secrets: string[];
  /** Words around that must survive. */
  keep: string[];
}

/** A text that must come back as it was. */
export interface Negative {
  /** What kind of text. */
  class: string;
  /** What is given to the redaction. */
  text: string;
}

/** Ordinary text, such as a file. */
export interface Ordinary {
  /** Where it comes from. */
  name: string;
  /** The whole text. */
  text: string;
}

/** How one class of secret fared. */
export interface ClassScore {
  /** Cases of this class. */
  cases: number;
  /** Cases of which nothing survived. */
  caught: number;
  /** Words around the secrets. */
  keep: number;
  /** Words around the secrets that are gone. */
  lost: number;
  /** Texts of which a secret survived, with what came out. */
  leaks: { text: string; output: string }[];
  /** Texts that lost words, with what came out. */
  overCuts: { text: string; output: string; lost: string[] }[];
}

/** A place of an ordinary text that was changed. */
export interface FalseAlarm {
  /** Where. */
  name: string;
  /** What was cut, with a few characters before it. */
  cut: string;
  /** What stands there now. */
  output: string;
}

const PIECE = 12;
const RESYNC = 16;
const LONGEST_MARKER = 80;

/**
 * @param text any text
 * @returns the text as it is read: without terminal escapes, zero-width and bidi characters
 */
export function visible(text: string): string {
  return text
    // deno-lint-ignore no-control-regex -- a terminal escape begins with a control character
    .replace(/\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, "")
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g, "");
}

/**
 * @param output what a redaction gave back
 * @param secret what must not be in it
 * @returns whether the secret, or 12 characters of it, can still be read
 */
export function survives(output: string, secret: string): boolean {
  const seen = [output, visible(output)];
  const length = Math.min(PIECE, secret.length);
  for (let at = 0; at + length <= secret.length; at++) {
    const piece = secret.slice(at, at + length);
    if (seen.some((text) => text.includes(piece))) return true;
  }
  return false;
}

/**
 * @param cases texts with secrets
 * @param redact the redaction
 * @returns the score of each class
 */
export function scoreCases(
  cases: readonly LabelledCase[],
  redact: (text: string) => string,
): Map<string, ClassScore> {
  const scores = new Map<string, ClassScore>();
  for (const { class: name, text, secrets, keep } of cases) {
    const score = scores.get(name) ??
      { cases: 0, caught: 0, keep: 0, lost: 0, leaks: [], overCuts: [] };
    scores.set(name, score);
    const output = redact(text);
    const lost = keep.filter((word) => !visible(output).includes(word));
    score.cases++;
    score.keep += keep.length;
    score.lost += lost.length;
    if (secrets.some((secret) => survives(output, secret))) score.leaks.push({ text, output });
    else score.caught++;
    if (lost.length > 0) score.overCuts.push({ text, output, lost });
  }
  return scores;
}

/**
 * @param negatives texts that must stay
 * @param redact the redaction
 * @returns those that did not, with what came out
 */
export function changedNegatives(
  negatives: readonly Negative[],
  redact: (text: string) => string,
): (Negative & { output: string })[] {
  return negatives.map((negative) => ({ ...negative, output: redact(negative.text) }))
    .filter(({ text, output }) => text !== output);
}

/**
 * @param files ordinary text
 * @param redact the redaction
 * @returns each place that was changed, the characters read, and alarms per 100,000 of them
 */
export function scoreOrdinary(
  files: readonly Ordinary[],
  redact: (text: string) => string,
): { alarms: FalseAlarm[]; characters: number; rate: number } {
  const alarms = files.flatMap(({ name, text }) =>
    changes(text, redact(text)).map((change) => ({ name, ...change }))
  );
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  return { alarms, characters, rate: characters === 0 ? 0 : alarms.length / characters * 100_000 };
}

/**
 * @param scores of {@linkcode scoreCases}
 * @returns a table with one line per class, the worst first, and a line for all
 */
export function renderScores(scores: ReadonlyMap<string, ClassScore>): string {
  const rows = [...scores].sort(([, a], [, b]) => a.caught / a.cases - b.caught / b.cases);
  const sum = (key: "cases" | "caught" | "keep" | "lost") =>
    rows.reduce((total, [, score]) => total + score[key], 0);
  const all = { cases: sum("cases"), caught: sum("caught"), keep: sum("keep"), lost: sum("lost") };
  const line = (name: string, score: typeof all) =>
    [
      name.padEnd(28),
      String(score.cases).padStart(6),
      String(score.caught).padStart(7),
      (score.caught / score.cases * 100).toFixed(1).padStart(7) + "%",
      `${score.lost}/${score.keep}`.padStart(10),
    ].join(" ");
  return [
    "class                         cases  caught   recall   over-cut",
    ...rows.map(([name, score]) => line(name, score)),
    line("all", all),
  ].join("\n");
}

/** The places where two texts differ, each up to where they agree again for 16 characters. */
function changes(text: string, output: string): { cut: string; output: string }[] {
  const found: { cut: string; output: string }[] = [];
  let at = 0;
  let out = 0;
  while (at < text.length || out < output.length) {
    if (text[at] === output[out]) {
      at++;
      out++;
      continue;
    }
    const next = resync(text, at, output, out);
    found.push({
      cut: text.slice(Math.max(0, at - 30), next.at),
      output: output.slice(Math.max(0, out - 30), next.out),
    });
    at = next.at;
    out = next.out;
  }
  return found;
}

/** The nearest place at which both texts go on alike. */
function resync(
  text: string,
  at: number,
  output: string,
  out: number,
): { at: number; out: number } {
  let best = { at: text.length, out: output.length };
  for (let skip = 0; skip <= LONGEST_MARKER && out + skip < output.length; skip++) {
    const piece = output.slice(out + skip, out + skip + RESYNC);
    const end = text.length - piece.length;
    const found = piece.length === RESYNC
      ? text.indexOf(piece, at)
      : text.endsWith(piece)
      ? end
      : -1;
    if (found >= at && found + skip < best.at + best.out - out) {
      best = { at: found, out: out + skip };
    }
  }
  return best;
}
