import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { main } from "../../cli.ts";
import { adopt } from "../../lib/workspace/state_origin.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { replace } from "../lock/faults.ts";
import type { HostileClone } from "./clone.ts";
import { STATE_CLONES } from "./state_clones.ts";
import { removeFolder } from "../remove_folder.ts";

/** Everything that reads, and both hooks. */
const COMMANDS = [
  "clarify",
  "clarify --issue 1",
  "clarify stale",
  "stats",
  "clarify graph",
  "ready",
  "state",
  "issue list",
  "hook start engineer 1",
  "hook finish engineer 1",
  "memory search x",
  "config show",
  "doctor",
  "clarify",
];

/** A folder with a clone in it, and a program that leaves a trace. */
class Cloned implements Disposable {
  readonly outside: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-test-" }));
  readonly root = `${this.outside}/work/clone`;

  constructor({ build }: HostileClone) {
    const beacon = `${this.outside}/beacon`;
    Deno.writeTextFileSync(beacon, `#!/bin/sh\necho run >> "${this.outside}/trace"\necho answer\n`);
    Deno.chmodSync(beacon, 0o755);
    Deno.mkdirSync(this.root, { recursive: true });
    build(this.root, beacon);
  }

  async run(words: string): Promise<void> {
    await main(["--root", this.root, ...words.split(" ")], new FakeIo());
  }

  /** Every ledger, of whichever project, with its content. */
  ledgers(): Record<string, string> {
    const entries = Array.from(walkSync(this.outside, { includeDirs: false }), ({ path }) => path)
      .filter((path) => path.includes("/clarifications/"))
      .map((path) => [path, Deno.readTextFileSync(path)]);
    return Object.fromEntries(entries);
  }

  hasRun(): boolean {
    return Array.from(Deno.readDirSync(this.outside), ({ name }) => name).includes("trace");
  }

  [Symbol.dispose](): void {
    removeFolder(this.outside);
  }
}

for (const clone of STATE_CLONES) {
  Deno.test(`nothing is run, retried or escalated for ${clone.name}`, async () => {
    using cloned = new Cloned(clone);
    const before = cloned.ledgers();
    const started: string[] = [];
    using _ = replace("run", (real) => (argv, options) => {
      started.push(argv.join(" "));
      return real(argv, options);
    });
    for (const words of COMMANDS) await cloned.run(words);
    assertEquals([started, cloned.hasRun()], [[], false]);
    assertEquals(cloned.ledgers(), before);
  });
}

Deno.test("the corpus of state has enough clones, each with its own name", () => {
  const names = STATE_CLONES.map(({ name }) => name);
  assert(new Set(names).size === names.length && names.length >= 12);
});

for (const name of ["overdue question", "overdue twice", "deadlock", "repeat", "gives up"]) {
  Deno.test(`the monitor would act in the clone "${name}" without its index, once a person adopted it`, async () => {
    const clone = STATE_CLONES.find((clone) => clone.name.includes(name))!;
    using cloned = new Cloned(clone);
    Deno.removeSync(`${cloned.root}/.git/index`);
    const before = cloned.ledgers();
    await cloned.run("clarify");
    assertEquals(cloned.ledgers(), before);
    adopt(cloned.root);
    await cloned.run("clarify");
    assert(JSON.stringify(cloned.ledgers()) !== JSON.stringify(before));
  });
}
