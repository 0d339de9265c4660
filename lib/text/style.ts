// Colour and weight for text on a terminal. Pure: the caller checks whether there is a terminal.

export type Mark = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Functions that mark up a text. They do not make a text safe to print; `text.ts` does. */
export type Style = Readonly<Record<Mark, (text: string) => string>>;

const CODES: Record<Mark, readonly [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Returns one function per mark; with marks off, they leave the text unchanged. */
export function makeStyle(isOn: boolean): Style {
  const marks = Object.entries(CODES).map(([name, [on, off]]) => [
    name,
    isOn ? (text: string) => `\x1b[${on}m${text}\x1b[${off}m` : (text: string) => text,
  ]);
  return Object.fromEntries(marks) as Style;
}
