// How text is shown: width, colours, time. Pure.

import type { Style } from "./style.ts";

/** The place where text and tables are shown. */
export interface RenderView {
  /** Marks that suit the terminal, or none. */
  style: Style;
  /** Columns: 40 at least where a command shows it. */
  width: number;
  /**
   * Whether a program reads the output: text is wrapped as on a terminal, but table cells are not cut.
   */
  isPiped?: boolean;
}
