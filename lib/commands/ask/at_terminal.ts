// A question to the human at a terminal: the block, a countdown that any key stops, and the answer.
//
// The letter of an option and then Enter gives that answer; Enter alone resumes the countdown. Ctrl-D and Escape close
// the question for good. If the terminal closes, the question waits until its deadline.

import type { Context } from "../../cli/command.ts";
import { type Io, viewOf } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { pressedKey } from "../../cli/person.ts";
import { hasCode } from "../../base/errors.ts";
import type { HumanGate } from "../../gate/gate.ts";
import type { GateInteraction } from "../../gate/interaction.ts";
import { renderQuestion } from "../../gate/render/interaction.ts";
import { type GateWaitOptions, untilEnded } from "../../gate/wait.ts";
import { isVerifiedFor } from "./input.ts";

/** Ctrl-D and Escape. */
const CLOSING = ["\x04", "\x1b"];

const ENTER = /[\r\n]/;

/** Waits for the outcome of a question that the human at this terminal may answer. */
export async function askAtTerminal(
  { io, signal }: Context,
  gate: HumanGate,
  asked: GateInteraction,
  options: GateWaitOptions,
): Promise<GateInteraction> {
  const { id } = asked;
  io.stderr(`${renderQuestion(asked, viewOf(io, "stderr"))}\n\n`);
  for (;;) {
    signal.throwIfAborted();
    const stopped = new AbortController();
    const stop = () => stopped.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const press = io.readKey();
    const countdown = showCountdown(io, asked);
    try {
      const ended = untilEnded(gate, id, {
        ...options,
        signal: stopped.signal,
        onLook: (interaction, leftMs) => countdown.show(interaction, leftMs),
      });
      const first = await Promise.race([ended, press.key]);
      if (first !== null && typeof first === "object") return first;
      if (first === null) { // the terminal has closed
        countdown.clear();
        return await ended;
      }
      stop();
      await ended.catch(() => {});
      countdown.clear();
      signal.throwIfAborted();
      const answered = await answerTo(first, { io, gate, asked });
      if (answered !== undefined) return answered;
    } finally {
      signal.removeEventListener("abort", stop);
      press.stop();
      countdown.clear();
    }
  }
}

/** Reads the answer that begins with a key; undefined if the human resumes the countdown. */
async function answerTo(
  key: string,
  { io, gate, asked }: { io: Io; gate: HumanGate; asked: GateInteraction },
): Promise<GateInteraction | undefined> {
  const { id, request } = asked;
  const labels = request.options.map(({ label }) => label);
  const pressed = labels.find((label) => label === key.trim().toLowerCase());
  try {
    if (CLOSING.includes(key)) {
      return await gate.dismiss(id, "cancelled", { verified: await isVerifiedFor(io, asked) });
    }
    await gate.hold(id, true);
    if (pressed !== undefined && (ENTER.test(key) || await isConfirmed(io, pressed))) {
      return await gate.answer(id, pressed, { verified: await isVerifiedFor(io, asked) });
    }
    for (;;) {
      io.stderr(
        `  ${
          labels.join(", ")
        }, or your own words; "decline"; Enter alone to resume the countdown: `,
      );
      const answer = (await io.readLine()).trim();
      if (answer === "") {
        await gate.hold(id, false);
        return undefined;
      }
      const verified = await isVerifiedFor(io, asked);
      if (/^decline$/i.test(answer)) return await gate.dismiss(id, "declined", { verified });
      try {
        return await gate.answer(id, answer, { verified });
      } catch (error) {
        if (!hasCode(error, "INVALID_INPUT")) throw error;
        note(io, error.oneLine);
      }
    }
  } catch (error) {
    if (!hasCode(error, "INVALID_TRANSITION")) throw error;
    note(io, error.oneLine); // somebody else answered first
    return await gate.get(id);
  }
}

/** Whether the human confirms with Enter. If the terminal closes, nothing is confirmed. */
async function isConfirmed(io: Io, label: string): Promise<boolean> {
  const question = `  Enter for ${label}, any other key to type an answer: `;
  try {
    return ENTER.test(await pressedKey(io, question) ?? "");
  } finally {
    io.stderr("\n");
  }
}

/** Returns functions that show the countdown, always on the same line, and clear it. */
function showCountdown(io: Io, { id }: GateInteraction) {
  let shown = "";
  const write = (text: string) => {
    if (text === shown) return;
    io.stderr(`\r${text.padEnd(shown.length)}\r`);
    shown = text;
  };
  return {
    show({ heldBy, deadline, request }: GateInteraction, leftMs: number) {
      const rest = deadline === null
        ? "it is open until you answer"
        : heldBy !== null
        ? "somebody is answering it"
        : `${clock(leftMs)} until option (${request.fallback.option}) is taken`;
      write(`  ${id}: ${rest}; press a key to answer`);
    },
    clear: () => write(""),
  };
}

/** Formats a time as `4:59`. */
function clock(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / 1_000);
  return `${Math.trunc(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
