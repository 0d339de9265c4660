// The version of this program.

import config from "../../deno.json" with { type: "json" };

export const VERSION: string = config.version;

/** The version assumed for files that do not name one. */
export const UNNOTED_VERSION = "0.1.0";
