// `System` on Deno, without any `node:` module but the one that unpacks, which is loaded where
// something is packed.

import { readAncestors } from "./ancestors.ts";
import { clock } from "./clock.ts";
import { disk } from "./deno_disk.ts";
import { decoder, encoder, unlessMissing } from "./deno_files.ts";
import { checkSize, MAX_INPUT_BYTES, MAX_LINE_BYTES } from "./guard.ts";
import { errnoOf, ioError } from "./io_error.ts";
import { packText, unpackText, type Zlib } from "./packed_text.ts";
import {
  type ProcessSpace,
  type ProcReader,
  readProcessSpace,
  readProcessStart,
} from "./process_space.ts";
import { endingListeners, HUNG_UP } from "./signals.ts";
import type { System } from "./system.ts";
import { writeAll } from "./write_all.ts";

/** The operating system as Deno offers it. */
export function denoSystem(): System {
  const proc: ProcReader = {
    pid: Deno.pid,
    read: (path) => unlessMissing("read", path, () => Deno.readTextFileSync(path)),
    readLink: (path) => Deno.readLinkSync(path),
  };
  let hostname: string | undefined;
  let space: { known: ProcessSpace | undefined } | undefined;
  return {
    pid: Deno.pid,
    get hostname() {
      return hostname ??= Deno.hostname();
    },
    platform: Deno.build.os,
    execPath: Deno.execPath(),

    ...disk,
    packText: (text) => packText(zlib(), text),
    unpackText: (packed) => unpackText(zlib(), packed),

    cwd: () => Deno.cwd(),
    uid: () => Deno.uid(),
    env: (name) => Deno.env.get(name),
    envEntries: () => Object.entries(Deno.env.toObject()),
    processSpace: () => (space ??= { known: readProcessSpace(proc) }).known,
    processStart: (pid) => readProcessStart(proc, pid),
    ancestors: () => readAncestors(proc),
    ...clock,
    every(ms, action) {
      const timer = setInterval(action, ms);
      Deno.unrefTimer(timer);
      return () => clearInterval(timer);
    },
    run: async (argv, options) => (await import("./deno_run.ts")).denoRun(argv, options),
    killGroup(pid) {
      try {
        Deno.kill(-pid, "SIGKILL");
      } catch {
        // The group is gone already, which is what was wanted, or is another user's.
      }
    },

    ...streams,
    onInterrupt(handler) {
      const stops = endingListeners(proc, handler).map(([signal, listener]) => {
        Deno.addSignalListener(signal, listener);
        return () => Deno.removeSignalListener(signal, listener);
      });
      return () => stops.forEach((stop) => stop());
    },
  };
}

/** Deno itself has only a stream for it, which cannot be waited for under a lock. */
function zlib(): Zlib {
  // @ts-ignore: the type of the global is that of Node, which is not loaded
  return globalThis.process.getBuiltinModule("node:zlib");
}

/** What is done with the standard streams and the terminal. */
const streams: Pick<
  System,
  | "writeStdout"
  | "writeStderr"
  | "readStdin"
  | "readLine"
  | "readKey"
  | "isTerminal"
  | "columns"
> = {
  writeStdout: (text) => writeStream(Deno.stdout, text),
  writeStderr: (text) => void writeStream(Deno.stderr, text, HUNG_UP),
  readStdin: readInput,
  async readLine() {
    let line = "";
    const buffer = new Uint8Array(MAX_LINE_BYTES);
    while (line.length < MAX_LINE_BYTES && !line.includes("\n")) {
      const length = await Deno.stdin.read(buffer);
      if (length === null) break;
      line += decoder.decode(buffer.subarray(0, length));
    }
    return line.split("\n", 1)[0];
  },
  readKey() {
    const setRaw = (isRaw: boolean) => {
      try {
        Deno.stdin.setRaw(isRaw, { cbreak: isRaw }); // Ctrl-C stays a signal
      } catch {
        // it has hung up
      }
    };
    const read = async () => {
      const buffer = new Uint8Array(MAX_LINE_BYTES);
      try {
        const length = await Deno.stdin.read(buffer);
        return length === null ? null : decoder.decode(buffer.subarray(0, length));
      } catch {
        return null; // it has hung up
      } finally {
        setRaw(false);
      }
    };
    setRaw(true);
    return { key: read(), stop: () => setRaw(false) };
  },
  isTerminal: (stream) => Deno[stream].isTerminal(),
  columns() {
    try {
      return Deno.consoleSize().columns;
    } catch {
      return undefined; // not a terminal
    }
  },
};

/** As much as a pipe holds. */
const STDIN_BYTES = 65_536;

async function readInput(): Promise<string> {
  const chunks = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Its stream is not used: setting one up takes as long as all the rest of a small command.
  const buffer = new Uint8Array(STDIN_BYTES);
  for (let length; (length = await Deno.stdin.read(buffer)) !== null;) {
    checkSize("standard input", bytes += length, MAX_INPUT_BYTES);
    text += chunks.decode(buffer.subarray(0, length), { stream: true });
  }
  return text + chunks.decode();
}

function writeStream(
  stream: { writeSync(bytes: Uint8Array): number },
  text: string,
  unread: readonly string[] = [],
): boolean {
  try {
    writeAll(encoder.encode(text), (rest) => stream.writeSync(rest));
    return true;
  } catch (error) {
    // A reader such as `head` that has seen enough is not a failure.
    const errno = errnoOf(error);
    if (errno === "EPIPE" || unread.includes(errno)) return false;
    throw ioError("write to", "the output", error);
  }
}
