// Keeps the output of a child process up to a limit. Pure.

/** Keeps the beginning of an output. */
export class OutputHead {
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk; returns false once the output exceeds the limit. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    const fits = this.#bytes <= this.#maxBytes;
    if (fits) this.#chunks.push(chunk);
    return fits;
  }

  get text(): string {
    return new TextDecoder().decode(concat(this.#chunks));
  }
}

/** Keeps the end of an output. */
export class OutputTail {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk, and from time to time drops bytes that are too far from the end. */
  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= 2 * this.#maxBytes) return;
    this.#chunks = [concat(this.#chunks).slice(-this.#maxBytes)];
    this.#bytes = this.#maxBytes;
  }

  get text(): string {
    return new TextDecoder().decode(concat(this.#chunks).subarray(-this.#maxBytes));
  }
}

/** Returns the parts joined together. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const part of parts) {
    whole.set(part, start);
    start += part.length;
  }
  return whole;
}
