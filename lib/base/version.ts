// The version of this program.

import config from "../../deno.json" with { type: "json" };

export const VERSION: string = config.version;

/** What notes no version was written by this one. */
export const UNNOTED_VERSION = "0.1.0";
