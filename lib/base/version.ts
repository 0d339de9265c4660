// The version of this program.

import config from "../../deno.json" with { type: "json" };

export const VERSION: string = config.version;

/** The version of files that note none. */
export const UNNOTED_VERSION = "0.1.0";
