/**
 * The input of `agentx config show`, apart from the command: a call without arguments does not load
 * zod.
 *
 * @module
 */

import * as z from "zod/mini";
import { isGlobal } from "./file.ts";

/** Without the flag, what applies here. */
export const input = z.object({ global: z.optional(isGlobal) });
