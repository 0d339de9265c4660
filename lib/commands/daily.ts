// The commands that people and sessions call most. The npm package has them in a separate bundle, so Node reads half as
// much to start.

import type { Load } from "../cli/command.ts";

/** Daily commands by name. Their summaries are in `mod.ts`, since only help shows them. */
export const DAILY: Readonly<Record<string, Load>> = {
  status: () => import("./status.ts"),
  inbox: () => import("./inbox.ts"),
  ready: () => import("./ready.ts"),
  "issue list": () => import("./issue/list.ts"),
  "issue view": () => import("./issue/view.ts"),
  "memory search": () => import("./memory/search.ts"),
  version: () => import("./version.ts"),
};
