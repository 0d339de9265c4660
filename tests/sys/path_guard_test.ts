/**
 * Links, pipes, devices and folders in the place of files, and in the place of the folders above
 * them, with both kinds of files that stay open.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { hasCode } from "../../lib/base/errors.ts";
import { MAX_FILE_BYTES } from "../../lib/sys/path_guard.ts";
import { nodeSystem } from "../../lib/sys/node.ts";
import { sys, type System } from "../../lib/sys/mod.ts";
import { TempFolder } from "../lock/temp_folder.ts";

const SYSTEMS: Record<string, System> = { sys, nodeSystem: nodeSystem({ isDeno: false }) };

const SECRET = "nobody's business\n";

/** Every way to what is in a file. */
const USES: Record<string, (sys: System, path: string) => unknown> = {
  readTextFile: (sys, path) => sys.readTextFile(path),
  readPart: (sys, path) => sys.readPart(path, 0, 10),
  openFile: (sys, path) => sys.openFile(path),
  appendTextFile: (sys, path) => sys.appendTextFile(path, "x"),
};

/** Every way to make something. */
const MAKES: Record<string, (sys: System, path: string) => unknown> = {
  createFile: (sys, path) => sys.createFile(`${path}/new`),
  writeNewFile: (sys, path) => sys.writeNewFile(`${path}/new`, "x", { fsync: false }),
  appendTextFile: (sys, path) => sys.appendTextFile(`${path}/new`, "x"),
  makeDir: (sys, path) => sys.makeDir(`${path}/new`),
  readDir: (sys, path) => sys.readDir(path),
};

function errnoOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (hasCode(error, "IO_ERROR")) return error.details.errno;
    throw error;
  }
}

function run(...[program, ...args]: string[]): void {
  const { success } = new Deno.Command(program, { args }).outputSync();
  if (!success) throw new Error(`${program} ${args.join(" ")} failed`);
}

/** What stands in the place of a file, by the error that names it. */
const PLANTS: Record<string, [errno: string, plant: (path: string, outside: string) => void]> = {
  "a link": ["ELOOP", (path, outside) => Deno.symlinkSync(outside, path)],
  "a link to a device": ["ELOOP", (path) => Deno.symlinkSync("/dev/zero", path)],
  "a link to nothing": ["ELOOP", (path, outside) => Deno.symlinkSync(`${outside}.none`, path)],
  "a named pipe": ["ENXIO", (path) => run("mkfifo", path)],
  "a folder": ["EISDIR", (path) => Deno.mkdirSync(path)],
};

for (const [name, sys] of Object.entries(SYSTEMS)) {
  for (const [what, [errno, plant]] of Object.entries(PLANTS)) {
    Deno.test(`${name} refuses ${what} in the place of a file`, () => {
      using folder = new TempFolder();
      const outside = folder.file("outside");
      Deno.writeTextFileSync(outside, SECRET);
      plant(folder.file("a"), outside);
      for (const use of Object.values(USES)) {
        assertEquals(errnoOf(() => use(sys, folder.file("a"))), errno);
      }
      assertEquals(Deno.readTextFileSync(outside), SECRET);
      assertEquals(folder.names(), ["a", "outside"]);
    });
  }

  for (const link of [".agentx", ".agentx/state", ".agentx/state/deep"]) {
    Deno.test(`${name} follows no link at ${link}`, () => {
      using folder = new TempFolder();
      const outside = folder.file("outside");
      Deno.mkdirSync(`${outside}/state/deep/new`, { recursive: true });
      Deno.writeTextFileSync(`${outside}/state/deep/a`, SECRET);
      const end = link.lastIndexOf("/");
      if (end !== -1) Deno.mkdirSync(folder.file(link.slice(0, end)), { recursive: true });
      Deno.symlinkSync(outside + link.slice(".agentx".length), folder.file(link));
      const inside = folder.file(".agentx/state/deep");
      for (const use of Object.values(USES)) {
        assertEquals(errnoOf(() => use(sys, `${inside}/a`)), "ELOOP");
      }
      for (const make of Object.values(MAKES)) {
        assertEquals(errnoOf(() => make(sys, inside)), "ELOOP");
      }
      assertEquals(Deno.readTextFileSync(`${outside}/state/deep/a`), SECRET);
      assertEquals(sys.readDir(`${outside}/state/deep`), ["a", "new"]);
    });
  }

  Deno.test(`${name} sees that a folder was exchanged for a link`, () => {
    using folder = new TempFolder();
    const inside = folder.file(".agentx/state");
    sys.makeDir(inside);
    sys.writeNewFile(`${inside}/a`, "ours", { fsync: false });
    assertEquals(sys.readTextFile(`${inside}/a`), "ours");
    Deno.renameSync(inside, folder.file("elsewhere"));
    Deno.symlinkSync(folder.file("elsewhere"), inside);
    assertEquals(errnoOf(() => sys.readTextFile(`${inside}/a`)), "ELOOP");
  });

  Deno.test(`${name} follows links above a workspace, and a folder that is a link outside of one`, () => {
    using folder = new TempFolder();
    Deno.mkdirSync(folder.file("real/.agentx/state"), { recursive: true });
    Deno.symlinkSync(folder.file("real"), folder.file("link"));
    for (const path of ["link/.agentx/state/a", "link/b"].map((path) => folder.file(path))) {
      sys.writeNewFile(path, "1", { fsync: false });
      sys.appendTextFile(path, "2");
      assertEquals(sys.readTextFile(path), "12");
    }
    sys.makeDir(folder.file("link/.agentx/log"));
    sys.makeDir(folder.file("link"));
    assertEquals(sys.readDir(folder.file("link/.agentx")), ["log", "state"]);
  });

  Deno.test(`${name}.makeDir() makes no folder that all may write to, unless it is told to`, () => {
    using folder = new TempFolder();
    const before = Deno.umask(0);
    try {
      sys.makeDir(folder.file(".agentx/issues"));
    } finally {
      Deno.umask(before);
    }
    const modes = [".agentx", ".agentx/issues"].map((path) => sys.lstat(folder.file(path))?.mode);
    assertEquals(modes, [0o775, 0o775]);
  });

  Deno.test(`${name} takes no way out of a workspace by ..`, () => {
    using folder = new TempFolder();
    Deno.mkdirSync(folder.file(".agentx/memory"), { recursive: true });
    Deno.writeTextFileSync(folder.file("a"), SECRET);
    const path = folder.file(".agentx/memory/../../a");
    assertEquals(errnoOf(() => sys.readTextFile(path)), "ELOOP");
  });

  Deno.test(`${name}.readTextFile() refuses what is too large, and names the limit`, () => {
    using folder = new TempFolder();
    const path = folder.file("a");
    Deno.writeTextFileSync(path, "12345");
    assertEquals(sys.readTextFile(path, 5), "12345");
    assertEquals(errnoOf(() => sys.readTextFile(path, 4)), "EFBIG");
    Deno.truncateSync(path, MAX_FILE_BYTES + 1);
    assertEquals(errnoOf(() => sys.readTextFile(path)), "EFBIG");
    assertEquals(errnoOf(() => sys.readPart(path, 0, Infinity)), "EFBIG");
    assertEquals(sys.readPart(path, 0, 2)?.bytes, new TextEncoder().encode("12"));
  });

  Deno.test(
    `${name}.readTextFile() reads the files of the system, which say that they are empty`,
    {
      ignore: Deno.build.os !== "linux",
    },
    () => {
      assertEquals(sys.readTextFile("/proc/self/comm")?.endsWith("\n"), true);
    },
  );

  Deno.test(`${name}.readTextFile() reads one of the files that replace each other`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a");
    Deno.writeTextFileSync(path, "0");
    const child = new Deno.Command("sh", {
      args: [
        "-c",
        `i=0; while [ $i -lt 3000 ] && [ ! -e stop ]; do i=$((i+1)); echo $i > a.$i; mv a.$i a; done`,
      ],
      cwd: folder.path,
      stderr: "null",
    }).spawn();
    for (let i = 0; i < 2_000; i++) assertEquals(/^\d+\n?$/.test(sys.readTextFile(path)!), true);
    Deno.writeTextFileSync(folder.file("stop"), "");
    await child.status;
  });

  for (const umask of [0o000, 0o022, 0o077, 0o777]) {
    Deno.test(`${name} gives the mode that it was asked for under umask ${umask.toString(8)}`, async () => {
      using folder = new TempFolder();
      Deno.mkdirSync(folder.file(".agentx"));
      Deno.chmodSync(folder.file(".agentx"), 0o755);
      const inside = folder.file(".agentx/state/deep");
      const { success } = await new Deno.Command("sh", {
        args: [
          "-c",
          `umask ${umask.toString(8)}; exec "$0" run -A --quiet "$@"`,
          Deno.execPath(),
          new URL("modes_program.ts", import.meta.url).pathname,
          name,
          inside,
        ],
      }).output();
      assertEquals(success, true);
      const modeOf = (path: string) => sys.lstat(folder.file(path))?.mode;
      const folders = [".agentx", ".agentx/state", ".agentx/state/deep"];
      assertEquals(folders.map(modeOf), [0o755, 0o2770, 0o2770]);
      for (const turn of [1, 2]) {
        const files = ["created", "written", "appended"].map((file) =>
          `.agentx/state/deep/${file}${turn}`
        );
        assertEquals(files.map(modeOf), [0o600, 0o660, 0o600]);
      }
    });
  }
}
