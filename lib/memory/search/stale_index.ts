/**
 * The one failure of the search index. Pure.
 *
 * @module
 */

/** The index is missing, damaged or out of step with the files of memory. */
export class StaleIndex extends Error {
  /** Whether something is broken, rather than late. */
  readonly isDamaged: boolean;

  constructor(message: string, isDamaged = false) {
    super(message);
    this.isDamaged = isDamaged;
  }
}
