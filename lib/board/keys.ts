// Who may use the board: an address with a code opens it once, and the page that opened it gets a key.
//
// Codes and keys are in memory alone: a board that ends takes them along.

import { sys } from "../sys/mod.ts";

/** How long the code of an address can be used. */
const CODE_MS = 30_000;

/** No legitimate user fails this often. */
const MAX_WRONG = 500;

/** The codes and the keys of one board. */
export class BoardKeys {
  readonly #codes = new Map<string, number>();
  readonly #keys = new Set<string>();
  readonly #onGuessed: () => void;
  #wrong = 0;

  /** @param onGuessed called if somebody tries codes or keys */
  constructor(onGuessed: () => void) {
    this.#onGuessed = onGuessed;
  }

  /** @returns a code that can be used once, for half a minute */
  newCode(): string {
    const code = secret();
    this.#codes.set(code, sys.now() + CODE_MS);
    return code;
  }

  /** @returns the key for a code; undefined where there is no such code any more */
  keyFor(code: string): string | undefined {
    const endMs = this.#codes.get(code) ?? -Infinity;
    this.#codes.delete(code);
    if (endMs < sys.now()) return this.#refused();
    const key = secret();
    this.#keys.add(key);
    return key;
  }

  /** @returns whether it is the key of a page that was let in */
  isKey(key: string): boolean {
    return this.#keys.has(key) || this.#refused() !== undefined;
  }

  #refused(): undefined {
    if (++this.#wrong === MAX_WRONG) this.#onGuessed();
  }
}

/** 192 random bits, as they can stand in an address. */
function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
