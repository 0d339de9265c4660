// Controls access to the board. At a terminal, a tab asks to be let in and the person at the terminal decides;
// elsewhere, an address with a code opens the board once. Each accepted tab gets a key.
//
// Codes and keys are only in memory, so they end with the board.

import { sys } from "../sys/mod.ts";
import { randomBytes } from "../sys/random_bytes.ts";

/** Time for which the code in an address is valid, and for which a tab waits to be let in. */
const CODE_MS = 60_000;

/** Pause between two tabs, so that a key press for one tab does not let in the next. */
const PAUSE_MS = 1_000;

/** Number of failures that no legitimate user reaches. */
const MAX_WRONG = 500;

/** The characters of codes that people read and compare; no two of them look alike. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A tab that asks to be let in. */
interface Asking {
  /** The four characters that the tab shows. */
  code: string;
  /** The key of the tab; undefined if the tab is refused. */
  key: Promise<string | undefined>;
  /** Ends the wait. */
  leave: () => void;
}

/** Called with the characters of a tab that asks, and then with the decision. */
export type AskingListener = (told: { asks: string } | { asks: null; isLetIn: boolean }) => void;

/** The codes and keys of one board. */
export class BoardKeys {
  readonly #codes = new Map<string, number>();
  readonly #keys = new Set<string>();
  readonly #onGuessed: () => void;
  readonly #listeners = new Set<AskingListener>();
  #asking: { code: string; decide: (isLetIn: boolean) => void } | undefined;
  #askableMs = 0;
  #wrong = 0;

  /** @param onGuessed called if somebody seems to guess codes or keys */
  constructor(onGuessed: () => void) {
    this.#onGuessed = onGuessed;
  }

  /** @returns a code that is valid once, for a minute */
  newCode(): string {
    const code = secret();
    this.#codes.set(code, sys.now() + CODE_MS);
    return code;
  }

  /** @returns the key for a code; undefined if the code is no longer valid */
  keyFor(code: string): string | undefined {
    const endMs = this.#codes.get(code) ?? -Infinity;
    this.#codes.delete(code);
    return endMs < sys.now() ? this.#refused() : this.#newKey();
  }

  /** @returns whether it is the key of an accepted page */
  isKey(key: string): boolean {
    return this.#keys.has(key) || this.#refused() !== undefined;
  }

  /** Asks for access for a tab; undefined while another tab asks, and for a moment after that. */
  ask(): Asking | undefined {
    if (this.#asking !== undefined || sys.now() < this.#askableMs) return undefined;
    const code = Array.from(randomBytes(4), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
    let decide = (_: boolean) => {};
    const decided = new Promise<boolean>((resolve) => decide = resolve);
    this.#asking = { code, decide };
    this.#tell({ asks: code });
    return { code, key: this.#keyAfter(decided), leave: () => decide(false) };
  }

  /** Lets in or refuses the tab that shows these characters. */
  decide(code: string, isLetIn: boolean): void {
    if (this.#asking?.code === code) this.#asking.decide(isLetIn);
  }

  /** Adds a listener; returns a function that removes it. */
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

/** Returns 192 random bits in a form that an address can contain. */
function secret(): string {
  return Array.from(randomBytes(24), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
