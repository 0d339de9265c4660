// Access to the board. At a terminal, a tab asks and a person there lets it in; elsewhere an address with a code opens
// the board once. Each accepted tab gets a key.
//
// Codes and keys are in memory alone: a board that ends takes them along.

import { sys } from "../sys/mod.ts";
import { randomBytes } from "../sys/random_bytes.ts";

/** How long the code of an address can be used, and a tab waits to be let in. */
const CODE_MS = 60_000;

/** A key that was pressed for one tab does not let in the next. */
const PAUSE_MS = 1_000;

/** No legitimate user fails this often. */
const MAX_WRONG = 500;

/** People read and compare these characters; no two look alike. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A tab that asks. */
interface Asking {
  /** Four characters that it shows. */
  code: string;
  /** Its key, once it is let in; undefined if it is not. */
  key: Promise<string | undefined>;
  /** Ends the wait. */
  leave: () => void;
}

/** Receives the characters of a tab that asks, and then whether it was let in. */
export type AskingListener = (told: { asks: string } | { asks: null; isLetIn: boolean }) => void;

/** The codes and the keys of one board. */
export class BoardKeys {
  readonly #codes = new Map<string, number>();
  readonly #keys = new Set<string>();
  readonly #onGuessed: () => void;
  readonly #listeners = new Set<AskingListener>();
  #asking: { code: string; decide: (isLetIn: boolean) => void } | undefined;
  #askableMs = 0;
  #wrong = 0;

  /** @param onGuessed called if somebody tries codes or keys */
  constructor(onGuessed: () => void) {
    this.#onGuessed = onGuessed;
  }

  /** @returns a code that can be used once, for a minute */
  newCode(): string {
    const code = secret();
    this.#codes.set(code, sys.now() + CODE_MS);
    return code;
  }

  /** @returns the key for a code; undefined if the code is not valid any more */
  keyFor(code: string): string | undefined {
    const endMs = this.#codes.get(code) ?? -Infinity;
    this.#codes.delete(code);
    return endMs < sys.now() ? this.#refused() : this.#newKey();
  }

  /** @returns whether it is the key of a page that was let in */
  isKey(key: string): boolean {
    return this.#keys.has(key) || this.#refused() !== undefined;
  }

  /** Asks to let a tab in; undefined while another one asks. */
  ask(): Asking | undefined {
    if (this.#asking !== undefined || sys.now() < this.#askableMs) return undefined;
    const code = Array.from(randomBytes(4), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
    let decide = (_: boolean) => {};
    const decided = new Promise<boolean>((resolve) => decide = resolve);
    this.#asking = { code, decide };
    this.#tell({ asks: code });
    return { code, key: this.#keyAfter(decided), leave: () => decide(false) };
  }

  /** Lets in the tab that shows these characters, or refuses it. */
  decide(code: string, isLetIn: boolean): void {
    if (this.#asking?.code === code) this.#asking.decide(isLetIn);
  }

  /** Returns a function that stops it. */
  listen(listener: AskingListener): () => void {
    this.#listeners.add(listener);
    if (this.#asking !== undefined) listener({ asks: this.#asking.code });
    return () => this.#listeners.delete(listener);
  }

  async #keyAfter(decided: Promise<boolean>): Promise<string | undefined> {
    const ended = new AbortController();
    const late = sys.wait(CODE_MS, ended.signal).then(() => false, () => false);
    const isLetIn = await Promise.race([decided, late]);
    ended.abort();
    this.#asking = undefined;
    this.#askableMs = sys.now() + PAUSE_MS;
    this.#tell({ asks: null, isLetIn });
    return isLetIn ? this.#newKey() : this.#refused();
  }

  #tell(told: Parameters<AskingListener>[0]): void {
    for (const listener of this.#listeners) listener(told);
  }

  #newKey(): string {
    const key = secret();
    this.#keys.add(key);
    return key;
  }

  #refused(): undefined {
    if (++this.#wrong === MAX_WRONG) this.#onGuessed();
  }
}

/** 192 random bits, as they can stand in an address. */
function secret(): string {
  return Array.from(randomBytes(24), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
