import { randomNumbers } from "../bench/random_numbers.ts";

/** Whole numbers from 0 and below `n`, the same ones for the same seed. */
export function randomBelow(seed: number): (n: number) => number {
  const next = randomNumbers(seed);
  return (n) => Math.floor(next() * n);
}
