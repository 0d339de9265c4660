/**
 * Where a text is shown. Pure.
 *
 * @module
 */

/** Where text for a terminal will be shown. */
export type RenderView = TableView;
