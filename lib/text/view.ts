/**
 * Where a text is shown. Pure.
 *
 * @module
 */

import type { Style } from "./style.ts";

/** Where text for a terminal will be shown. */
export interface RenderView {
  /** Marks that suit the terminal, or none. */
  style: Style;
  /** Columns. */
  width: number;
}
