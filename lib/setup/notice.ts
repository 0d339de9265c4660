// Finds a command on this machine that notifies a person. `$AGENTX_NOTICE` holds the id and the topic of a question.

import { findProgram } from "../sys/find_program.ts";

/** A way to notify a person. */
export interface Notice {
  name: string;
  /** The command, as the value of `inbox.notify`. */
  command: string[];
}

const SAYS = {
  "notify-send": 'notify-send -- agentx "$AGENTX_NOTICE"',
  osascript: "osascript -e 'on run argv' " +
    `-e 'display notification (item 1 of argv) with title "agentx"' -e 'end run' "$AGENTX_NOTICE"`,
};

/** Rings the bell of the terminal, which always exists; silent without a terminal. */
const BELL = "{ printf '\\a' >/dev/tty; } 2>/dev/null || true";

export function noticeHere(): Notice {
  const found = Object.entries(SAYS).find(([name]) => findProgram(name) !== undefined);
  const [name, line] = found ?? ["bell", BELL];
  return { name, command: ["sh", "-c", line] };
}
