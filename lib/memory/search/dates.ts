/**
 * The date that a question names, as people write it: `2026-02-27`, `27 February`, `Feb 27, 2026`,
 * `in February`. Pure.
 *
 * @module
 */

/** A month, or a day of it; of any year, if none is named. */
export interface AskedDate {
  /** As it is written in the question. */
  text: string;
  year: number | undefined;
  /** From 0. */
  month: number;
  day: number | undefined;
}

const MONTHS =
  "january february march april may june july august september october november december"
    .split(" ");

/** Whole, or its first three letters. */
const MONTH = `(${MONTHS.join("|")}|sept|${MONTHS.map((name) => name.slice(0, 3)).join("|")})\\.?`;
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(\\d{4})";

const ISO = `${YEAR}-(\\d\\d)(?:-(\\d\\d))?`;
const DAY_FIRST = `${DAY}(?: of)? ${MONTH}(?:,? ${YEAR})?`;
const MONTH_FIRST = `${MONTH} ${DAY}(?:,? ${YEAR})?`;
const MONTH_AND_YEAR = `${MONTH},? (?:of )?${YEAR}`;

/** Without a day or a year, "may" and "march" are words like any other. */
const MONTH_ALONE = `(?:in|during|since|until|before|after|by|early|late|last) (${
  MONTHS.join("|")
})`;

const DAY_WEIGHT = 2.5;
const MONTH_WEIGHT = 1.5;

/** Each with the places of its year, its month and its day among what it captures. */
const FORMS: ReadonlyArray<readonly [form: string, year: number, month: number, day: number]> = [
  [ISO, 1, 2, 3],
  [DAY_FIRST, 3, 2, 1],
  [MONTH_FIRST, 3, 1, 2],
  [MONTH_AND_YEAR, 2, 1, NaN],
  [MONTH_ALONE, NaN, 1, NaN],
];

/** Undefined where no date is named. */
export function readDate(question: string): AskedDate | undefined {
  for (const [form, year, month, day] of FORMS) {
    const found = new RegExp(`\\b${form}\\b`, "i").exec(question);
    if (found === null) continue;
    const numberAt = (place: number) =>
      found[place] === undefined ? undefined : Number(found[place]);
    return {
      text: found[0],
      year: numberAt(year),
      month: form === ISO ? Number(found[month]) - 1 : monthOf(found[month]),
      day: numberAt(day),
    };
  }
  return undefined;
}

/** How many times as much an observation of that time counts. */
export function dateWeight({ year, month, day }: AskedDate, timeMs: number): number {
  const time = new Date(timeMs);
  if (time.getUTCMonth() !== month) return 1;
  if (year !== undefined && time.getUTCFullYear() !== year) return 1;
  return day === time.getUTCDate() ? DAY_WEIGHT : MONTH_WEIGHT;
}

function monthOf(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase()));
}
