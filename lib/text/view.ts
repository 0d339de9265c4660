// The properties of the place where text is shown. Pure.

import type { Style } from "./style.ts";

/** The place where text and tables are shown. */
export interface RenderView {
  /** Marks for the terminal; functions without an effect if it has none. */
  style: Style;
  /** Columns of a line, at least 40 in the output of a command. */
  width: number;
  /** Whether a program reads the output. Then text is wrapped as on a terminal, but table cells are not cut. */
  isPiped?: boolean;
}
