// The whole screen of a terminal, as `less` has it. The earlier content comes back at the end, and while Ctrl-Z stops
// the program.

import { process } from "./builtin.ts";

const ENTER = "\x1b[?1049h";
const LEAVE = "\x1b[?1049l";

/** The screen of a program, until it leaves it. */
export interface Screen {
  /** How many lines it has now. */
  rows(): number;
  /** Gives it back; a second call does nothing. */
  leave(): void;
}

/** `onChange` is called when the screen needs a new drawing: its size changed, or the program left it meanwhile. */
export function enterScreen(write: (text: string) => void, onChange: () => void): Screen {
  const stop = () => {
    write(LEAVE);
    process.kill(process.pid, "SIGSTOP");
  };
  const resume = () => {
    write(ENTER);
    onChange();
  };
  const listeners = { SIGTSTP: stop, SIGCONT: resume, SIGWINCH: onChange } as const;
  const signals = Object.keys(listeners) as (keyof typeof listeners)[];
  for (const signal of signals) process.on(signal, listeners[signal]);
  write(ENTER);
  let isLeft = false;
  return {
    rows: () => process.stdout.rows ?? 24,
    leave() {
      if (isLeft) return;
      isLeft = true;
      for (const signal of signals) process.off(signal, listeners[signal]);
      write(LEAVE);
    },
  };
}
