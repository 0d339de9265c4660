/**
 * Clones and copies under Node, Deno and Bun, as `agentx setup` starts each, and what the kernel saw of it: no
 * program is run, no file of another project is read, no ledger is changed. One for each runtime, unless
 * `AGENTX_STRESS=full`; the clones are tried in one process by the tests beside this one.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { BUN_OPTIONS } from "../../lib/sys/program.ts";
import { InstalledPackage, isInstalled } from "../installed_package.ts";
import type { HostileClone } from "./clone.ts";
import { CONFIG_CLONES } from "./config_clones.ts";
import { COPIES, OWN_AGENTS, PRIVATE_FILE } from "./copies.ts";
import { DRIVER, everyCall } from "./every_command.ts";
import { GIT_CLONES } from "./git_clones.ts";
import { addHostFiles, HOST_CLONE } from "./host_files.ts";
import { STATE_CLONES } from "./state_clones.ts";
import { IS_FULL } from "../often.ts";
import { removeFolder } from "../remove_folder.ts";

/** Those that need a person's consent first are tried in `config_clones_test.ts`. */
const ALL: readonly HostileClone[] = [
  ...COPIES,
  ...STATE_CLONES,
  HOST_CLONE,
  ...GIT_CLONES,
  ...CONFIG_CLONES.filter(({ after, userConfig }) => !after && !userConfig),
];

/** Has an overdue question, too. */
const OF_RUNTIMES = COPIES.filter(({ name }) => name.endsWith("settings of Bun, Deno and Node"));

const CLONES = IS_FULL ? ALL : OF_RUNTIMES;

const COMMANDS = [
  "clarify",
  "ready",
  "hook start engineer 1",
  "memory search notes",
  ...IS_FULL ? ["status", "doctor", "inbox", "hook finish engineer 1", "clarify run"] : [],
];

const HOOK = "hook host claude SessionStart";

let installed: InstalledPackage;
Deno.test.beforeAll(async () => {
  installed = await InstalledPackage.make();
});
Deno.test.afterAll(() => installed.remove());

const HAS_STRACE = await isInstalled("strace");

const STARTS: Record<string, (main: string) => string[]> = {
  node: (main) => ["node", main],
  deno: (main) => [Deno.execPath(), "run", "-A", "--quiet", main],
  bun: (main) => ["bun", ...BUN_OPTIONS, main],
};

/** A clone, a program that leaves a trace, and a user whose own agents are that program. */
class Place implements Disposable {
  readonly outside = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-test-" }));
  readonly root = `${this.outside}/work/clone`;
  readonly beacon = `${this.outside}/beacon`;
  readonly log = `${this.outside}/strace`;
  readonly #env = Deno.env.toObject();

  async build({ build }: HostileClone, { hasOwnAgents = true } = {}): Promise<void> {
    const write = (path: string, text: string, mode = 0o644) => {
      Deno.mkdirSync(`${this.outside}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(`${this.outside}/${path}`, text, { mode });
    };
    write("beacon", `#!/bin/sh\necho run >>"${this.outside}/trace"\necho yes\n`, 0o755);
    write(PRIVATE_FILE, '{"type":"user","message":{"role":"user","content":"private notes"}}\n');
    if (hasOwnAgents) {
      write("home/.config/agentx/config.json", JSON.stringify(OWN_AGENTS(this.beacon)));
    }
    write("home/.gitconfig", "[user]\n\tname = t\n\temail = t@example.org\n");
    Deno.mkdirSync(`${this.root}/.agentx`, { recursive: true });
    await build(this.root, this.beacon);
    addHostFiles(this.root, this.beacon);
    for (const [name, value] of Object.entries(Deno.env.toObject())) {
      if (this.#env[name] !== value) Deno.env.delete(name); // a clone sets none of its reader's
    }
  }

  async run(start: string[], words: string, folder = "."): Promise<string> {
    const tracer = [
      "strace",
      "-f",
      "-qq",
      "-e",
      "trace=execve,execveat,open,openat",
      "-o",
      this.log,
    ];
    const argv = [...HAS_STRACE ? tracer : [], ...start, ...words.split(" ")];
    const input = { hook_event_name: "SessionStart", session_id: "s1", cwd: this.root };
    const child = new Deno.Command(argv[0], {
      args: argv.slice(1),
      cwd: `${this.root}/${folder}`,
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH")!,
        HOME: `${this.outside}/home`,
        DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
        NO_COLOR: "1",
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(JSON.stringify(input))).catch(() => {});
    await writer.close().catch(() => {});
    const { stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    return decoder.decode(stdout) + decoder.decode(stderr);
  }

  /** What of the folder the program itself had executed, and the private file where it was opened. */
  seen(): string[] {
    if (!HAS_STRACE) return [];
    const lines = Deno.readTextFileSync(this.log).split("\n");
    const paths = lines.flatMap((line) => {
      const [, call, path] = /(execve|execveat|openat|open)\([^"]*"([^"]*)"/.exec(line) ?? [];
      return path === undefined ? [] : [{ isRun: call.startsWith("exec"), path }];
    });
    return paths.filter(({ isRun, path }) =>
      path.startsWith(this.outside) && (isRun || path.endsWith(PRIVATE_FILE))
    ).map(({ path }) => path);
  }

  get hasRun(): boolean {
    return Array.from(Deno.readDirSync(this.outside), ({ name }) => name).includes("trace");
  }

  ledgers(): Record<string, string> {
    return Object.fromEntries(
      Array.from(walkSync(`${this.outside}/work`, { includeDirs: false }), ({ path }) => path)
        .filter((path) => path.includes("/clarifications/"))
        .map((path) => [path, Deno.readTextFileSync(path)]),
    );
  }

  [Symbol.dispose](): void {
    removeFolder(this.outside);
  }
}

for (const [runtime, startOf] of Object.entries(STARTS)) {
  const ignore = !await isInstalled(runtime);
  for (const clone of CLONES) {
    const name = `under ${runtime} nothing is run, read or decided for ${clone.name}`;
    Deno.test({ name, ignore }, async () => {
      using place = new Place();
      await place.build(clone);
      const before = place.ledgers();
      const main = Deno.realPathSync(`${installed.bin}/agentx`);
      for (const words of [...COMMANDS, HOOK]) {
        const printed = await place.run(startOf(main), words, clone.folder);
        assertEquals([words, place.seen(), place.hasRun], [words, [], false], printed);
      }
      assertEquals(place.ledgers(), before);
    });
  }
}

for (const [runtime, startOf] of Object.entries(STARTS)) {
  const ignore = !await isInstalled(runtime) || !HAS_STRACE;
  const some = [HOST_CLONE, ...runtime === "node" ? GIT_CLONES.slice(0, 3) : []];
  const clones = IS_FULL ? ALL : some;
  for (const clone of clones) {
    const name =
      `under ${runtime} no command, hook, server or runner starts anything of ${clone.name}`;
    Deno.test({ name, ignore }, async () => {
      using place = new Place();
      await place.build(clone, { hasOwnAgents: false });
      // A commit in the main checkout runs the hooks of its repository, as that of a person does.
      const isOfHooks = clone.name.includes("hooks");
      const calls = (await everyCall(place.root)).filter(({ words }) =>
        !isOfHooks || words.join(" ") !== "issue commit"
      );
      const path = `${place.outside}/calls.json`;
      Deno.writeTextFileSync(path, JSON.stringify(calls));
      const driver = `${installed.folder}/project/driver.mjs`;
      Deno.writeTextFileSync(driver, DRIVER);
      const printed = await place.run(startOf(driver), path, clone.folder);
      const ended = printed.split("\n").filter((line) => line.startsWith("[")).length;
      assertEquals(ended, calls.length, printed.slice(-2_000));
      assertEquals([place.seen(), place.hasRun], [[], false], printed);
    });
  }
}

Deno.test("the corpus has enough clones and copies, each with its own name", () => {
  assertEquals(OF_RUNTIMES.length, 1);
  const names = ALL.map(({ name }) => name);
  assert(new Set(names).size === names.length && names.length >= 40, String(names.length));
});
