/**
 * How text is shown: width, colours, time. Pure.
 *
 * @module
 */

import type { Style } from "./style.ts";

/** Where text and tables are shown. */
export interface RenderView {
  /** Marks that suit the terminal, or none. */
  style: Style;
  /** Columns. */
  width: number;
  /**
   * Whether a program reads it: text is wrapped as for a terminal, but the cells of a table are whole.
   *
   * @default {false}
   */
  isPiped?: boolean;
}
