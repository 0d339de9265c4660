/**
 * A clock for tests in which waiting takes no time.
 *
 * @module
 */

import { sys } from "../../lib/sys/mod.ts";

/** Waits take no time, and the clock goes on as if they did. */
export function fastClock(): Disposable {
  const { now, wait } = sys;
  let aheadMs = 0;
  sys.now = () => now() + aheadMs;
  sys.wait = async (ms, signal) => {
    aheadMs += ms;
    await wait(Math.min(ms, 5), signal);
  };
  return {
    [Symbol.dispose]() {
      Object.assign(sys, { now, wait });
    },
  };
}
