// What a child process prints, kept up to a limit. Pure.

import { concat } from "../base/bytes.ts";

/** The beginning of an output. */
export class OutputHead {
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns false once there is more than the limit. */
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

/** The end of an output. */
export class OutputTail {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Drops, now and then, what is too far from the end. */
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
