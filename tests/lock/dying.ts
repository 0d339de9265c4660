/**
 * A process that dies at one of its writes: those before it are made, and none after it.
 *
 * @module
 */

import type { System } from "../../lib/sys/mod.ts";
import { replace } from "./faults.ts";

/** What a dead process throws. */
export class Killed extends Error {}

/** Until the end of the block that is `using` it, writes count. */
export class Death implements Disposable {
  readonly #stack = new DisposableStack();
  #left: number;
  #isDead = false;

  /**
   * @param writes so many are let through
   * @param names the parts of `sys` that write
   */
  constructor(writes: number, names: readonly (keyof System)[]) {
    this.#left = writes;
    for (const name of names) this.use(replace(name, (real) => this.guard(real as never)));
  }

  /** Whether it has died. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** Whether it dies at its next write. */
  get isNext(): boolean {
    return !this.#isDead && this.#left === 0;
  }

  /** Makes a write of a function. */
  guard<Args extends unknown[], Result>(real: (...args: Args) => Result) {
    return (...args: Args): Result => {
      if (this.#isDead || this.#left-- === 0) {
        this.#isDead = true;
        throw new Killed("the process is dead");
      }
      return real(...args);
    };
  }

  /** Takes another replacement back at the end. */
  use(replacement: Disposable): void {
    this.#stack.use(replacement);
  }

  [Symbol.dispose](): void {
    this.#stack.dispose();
  }
}
