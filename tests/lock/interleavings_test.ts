/**
 * The protocol of the lock file in every order of system calls that chance comes upon: processes with
 * and without kernel locks, stopped for seconds or killed between any two calls.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { hasCode } from "../../lib/base/errors.ts";
import { LockAttempt } from "../../lib/lock/lock_attempt.ts";
import { lockPathOf, takeoverPathOf } from "../../lib/lock/paths.ts";
import { Model, type ModelProcess } from "./model.ts";
import { lockText, originalLockText } from "./plant.ts";
import { IS_FULL } from "../often.ts";

const WALKS = IS_FULL ? 200 : 20;
const MAX_STEPS = 2_000;
/** The attempts, of which the last one tells the owner. */
const ATTEMPTS = [false, false, false, true];

const PATH = "/ledger.json";
const LOCK = lockPathOf(PATH);

const EXPIRED = originalLockText(40_000);

/** What the processes find. */
const SCENES: Record<string, (model: Model) => void> = {
  "no lock": () => {},
  "a dead owner with a kernel lock": (model) => model.plant(LOCK, lockText(), 1_000),
  "a dead owner with a heartbeat": (model) =>
    model.plant(LOCK, lockText({ witness: "heartbeat" }), 1_000),
  "an abandoned empty file": (model) => model.plant(LOCK, "", 3_000),
  "an expired lock of the original format": (model) => model.plant(LOCK, EXPIRED, 40_000),
  "a dead owner and a dead taker": (model) => {
    model.plant(LOCK, lockText({ token: "dead-0" }), 1_000);
    model.plant(takeoverPathOf(PATH, "dead-0"), lockText({ token: "dead-1" }), 900);
  },
  "a dead owner and two dead takers": (model) => {
    model.plant(LOCK, lockText({ token: "dead-0" }), 4_000);
    model.plant(takeoverPathOf(PATH, "dead-0"), lockText({ token: "dead-1" }), 3_900);
    model.plant(takeoverPathOf(PATH, "dead-1"), "", 3_800);
  },
};

/** The steps of `JsonFileLock.withLock()`. */
function program(process: ModelProcess): void {
  const lockAttempt = new LockAttempt({ name: PATH, path: PATH }, {
    agent: "model",
    mode: 0o600,
    staleThresholdMs: 30_000,
  });
  try {
    for (const isPatient of ATTEMPTS) {
      const acquired = lockAttempt.attempt(isPatient);
      if (acquired !== undefined) {
        if (acquired.isDisputed) process.settle();
        if (!acquired.isDisputed || acquired.lock.isOurs()) {
          process.setInside(true);
          acquired.lock.verify();
          process.setInside(false);
          acquired.lock.release();
          return;
        }
        acquired.lock.close();
      }
      process.sleep();
    }
  } finally {
    lockAttempt.close();
  }
}

/** What may happen to the processes on a walk, besides their steps. */
interface Mishaps {
  /** All who are between two steps are stopped for so long, once each. */
  stopsMs: number[];
  kills: number;
}

/** Takes steps by chance until everybody has ended; gives what was wrong, if anything. */
function walk(model: Model, { stopsMs, kills }: Mishaps, random: () => number): string | undefined {
  const stops = [...stopsMs];
  let last = model.processes[0];
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const active = model.active();
    if (active.length === 0) return undefined;
    if (stops.length > 0 && random() < 0.02) model.nowMs += stops.pop() ?? 0;
    // Runs of one process are likelier than changes: it is the long stops that hurt.
    const isSame = active.includes(last) && random() < 0.6;
    last = isSame ? last : active[Math.floor(random() * active.length)];
    if (kills > 0 && random() < 0.02) {
      kills--;
      model.kill(last);
      continue;
    }
    try {
      model.step(last);
    } catch (error) {
      if (hasCode(error, "LOCK_LOST")) return "an owner lost its lock";
      throw error;
    }
    if (model.processes.filter(({ isInside }) => isInside).length > 1) return "two owners";
  }
  return "no end";
}

/** Repeatable chance (mulberry32). */
function chance(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const MISHAPS: Record<string, Mishaps> = {
  none: { stopsMs: [], kills: 0 },
  "stops of 1.2 and 2.5 s": { stopsMs: [2_500, 1_200], kills: 0 },
  "a kill and a stop of 2.5 s": { stopsMs: [2_500], kills: 1 },
};

/** What the processes leave open, and beside the lock file. */
function leavings(model: Model): { open: number; paths: string[] } {
  return { open: model.openFiles(), paths: model.paths().filter((path) => path !== LOCK) };
}

for (const [scene, plant] of Object.entries(SCENES)) {
  Deno.test(`LockAttempt lets one in at a time in any order of system calls, finding ${scene}`, () => {
    for (const kinds of ["DD", "DN", "NN", "DDN", "DNN"]) {
      for (const [mishap, mishaps] of Object.entries(MISHAPS)) {
        for (let seed = 1; seed <= WALKS; seed++) {
          using model = new Model(kinds, program);
          plant(model);
          const wrong = walk(model, mishaps, chance(seed));
          assertEquals(wrong, undefined, `${kinds}, ${mishap}, seed ${seed}`);
          // What was stopped or killed during a takeover is left to the next one.
          if (mishaps !== MISHAPS.none) continue;
          assertEquals(leavings(model), { open: 0, paths: [] }, `${kinds}, seed ${seed}`);
        }
      }
    }
  });
}

/** Takes steps of one process until it is inside, has ended, or has taken so many. */
function run(model: Model, who: number, steps: number): void {
  const process = model.processes[who];
  for (let step = 0; step < steps && !process.isInside; step++) {
    if (!model.active().includes(process)) return;
    model.step(process);
  }
}

Deno.test("LockAttempt lets one in at a time when a creator and then its taker are stopped", () => {
  for (const kinds of ["NN", "DN", "ND", "DD"]) {
    for (let stoppedAfter = 0; stoppedAfter < 40; stoppedAfter++) {
      using model = new Model(kinds, program);
      const [creator, taker] = model.processes;
      while (!model.paths().includes(LOCK)) model.step(creator);
      model.nowMs += 2_500;
      run(model, 1, stoppedAfter);
      taker.isStopped = true;
      run(model, 0, 60);
      creator.isStopped = true; // it works for long
      run(model, 1, 60);
      const isTwo = creator.isInside && taker.isInside;
      assertEquals(isTwo, false, `${kinds}, the taker stopped after ${stoppedAfter} calls`);
    }
  }
});
