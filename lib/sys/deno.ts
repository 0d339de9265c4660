/**
 * {@linkcode System} on Deno, without any `node:` module but the one that unpacks, which is loaded where
 * something is packed.
 *
 * @module
 */

import { clock } from "./clock.ts";
import { disk } from "./deno_disk.ts";
import { unlessMissing } from "./deno_files.ts";
import { streams } from "./deno_streams.ts";
import { packText, unpackText, type Zlib } from "./packed_text.ts";
import {
  type ProcessSpace,
  type ProcReader,
  readProcessSpace,
  readProcessStart,
} from "./process_space.ts";
import { endingListeners } from "./signals.ts";
import type { System } from "./system.ts";

/** @returns the operating system as Deno offers it */
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
    ...clock,
    every(ms, action) {
      const timer = setInterval(action, ms);
      Deno.unrefTimer(timer);
      return () => clearInterval(timer);
    },
    run: async (argv, options) => (await import("./deno_run.ts")).denoRun(argv, options),

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
