import { assertEquals } from "@std/assert";
import {
  type ProcReader,
  readProcessSpace,
  readProcessStart,
} from "../../lib/sys/process_space.ts";

const FILES: Record<string, string> = {
  "/proc/sys/kernel/random/boot_id": "b7f0\n",
  "/proc/self/stat": stat(7, "S", 900),
  "/proc/7/stat": stat(7, "S", 900),
  "/proc/1/stat": stat(1, "S", 1),
};

const LINKS: Record<string, string> = {
  "/proc/self": "7",
  "/proc/self/ns/pid": "pid:[4026531836]",
};

/** A line of the kernel, for a program with an awkward name. */
function stat(pid: number, state: string, start: number): string {
  return `${pid} (a) Z (b) ${state} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 ${start} 20 21\n`;
}

function proc(files = FILES, links = LINKS): ProcReader {
  const readLink = (path: string) => {
    if (links[path] === undefined) throw new Error("refused");
    return links[path];
  };
  return { pid: 7, read: (path) => files[path], readLink };
}

Deno.test("readProcessSpace() names the boot, the namespace and the start of the process", () => {
  const space = { boot: "b7f0", pidNamespace: "4026531836", start: "900" };
  assertEquals(readProcessSpace(proc()), space);
});

Deno.test("readProcessSpace() says nothing where /proc shows another space, or less than that", () => {
  assertEquals(readProcessSpace(proc(FILES, { ...LINKS, "/proc/self": "4711" })), undefined);
  assertEquals(readProcessSpace(proc({}, LINKS)), undefined);
  assertEquals(readProcessSpace(proc(FILES, {})), undefined);
});

Deno.test("readProcessStart() takes a zombie to have ended", () => {
  for (const state of ["Z", "X"]) {
    const files = { ...FILES, "/proc/8/stat": stat(8, state, 950) };
    assertEquals(readProcessStart(proc(files), 8), null);
  }
});

Deno.test("readProcessStart() says nothing of a process that may only be hidden", () => {
  assertEquals(readProcessStart(proc(), 8), null);
  assertEquals(readProcessStart(proc({}), 8), undefined);
});

Deno.test("readProcessStart() says nothing of what may not be read", () => {
  const refuse = (): never => {
    throw new Error("refused");
  };
  assertEquals(readProcessStart({ ...proc(), read: refuse }, 7), undefined);
});
