/**
 * Colour and weight for text that a terminal shows. Pure: whether a terminal is there is asked
 * elsewhere.
 *
 * @module
 */

/** The marks there are. */
export type Mark = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Functions that mark up a text. They do not make it safe to print: that is `text.ts`'s work. */
export type Style = Readonly<Record<Mark, (text: string) => string>>;

const CODES: Record<Mark, readonly [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/**
 * Makes the functions.
 *
 * @param isOn whether marks are wanted
 * @returns one function per mark; they leave the text as it is where marks are off
 */
export function makeStyle(isOn: boolean): Style {
  const marks = Object.entries(CODES).map(([name, [on, off]]) => [
    name,
    isOn ? (text: string) => `\x1b[${on}m${text}\x1b[${off}m` : (text: string) => text,
  ]);
  return Object.fromEntries(marks) as Style;
}
