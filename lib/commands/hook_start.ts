/**
 * `agentx hook start`.
 *
 * @module
 */

import { hookCommand } from "./hook_command.ts";

/** Notes that an agent begins its work. */
export const command = hookCommand("start", "Note that an agent begins its work");
