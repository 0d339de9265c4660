// Finds the words of a list that occur in a text. The text is read once, for any number of words. Pure.

const SLOTS = 8192;
const UNITS = 3;

/** Finds words by their first three units. */
export class KeywordIndex {
  readonly #isUsed = new Uint8Array(SLOTS);
  readonly #bySlot = new Map<number, string[]>();
  readonly #short: string[] = [];

  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (word.length < UNITS) {
        this.#short.push(word);
        continue;
      }
      const slot = slotAt(word, 0);
      this.#isUsed[slot] = 1;
      this.#bySlot.set(slot, [...this.#bySlot.get(slot) ?? [], word]);
    }
  }

  /** Returns the words that occur in a text, in any order. */
  wordsIn(text: string): Set<string> {
    const found = new Set(this.#short.filter((word) => text.includes(word)));
    for (let at = 0; at + UNITS <= text.length; at++) {
      const slot = slotAt(text, at);
      if (this.#isUsed[slot] === 0) continue;
      for (const word of this.#bySlot.get(slot)!) {
        if (text.startsWith(word, at)) found.add(word);
      }
    }
    return found;
  }
}

function slotAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) %
    SLOTS;
}
