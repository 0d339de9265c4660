// Uses the whole screen of a terminal, like `less`. The earlier content is restored at the end, and while Ctrl-Z
// stops the program.

import { process } from "./builtin.ts";

const ENTER = "\x1b[?1049h";
const LEAVE = "\x1b[?1049l";

/** The screen of a program, until the program leaves it. */
export interface Screen {
  /** Returns the present number of lines. */
  rows(): number;
  /** Restores the terminal. A second call does nothing. */
  leave(): void;
}

/**
 * Switches to the whole screen. `onChange` is called when the screen must be drawn again, because its size changed or
 * the program was stopped.
 */
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
