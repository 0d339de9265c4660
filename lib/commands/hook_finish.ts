/**
 * `agentx hook finish`.
 *
 * @module
 */

import { hookCommand } from "./hook_command.ts";

/** Notes that an agent ends its work. */
export const command = hookCommand("finish", "Note that an agent ends its work");
