import { assert, assertEquals } from "@std/assert";
import { ASK } from "../temp_workspace.ts";
import { ClonedWorkspace, COMMANDS, SECRET } from "./clone.ts";
import { CONFIG_CLONES } from "./config_clones.ts";

for (const clone of CONFIG_CLONES) {
  Deno.test(`a clone runs nothing, and gets no key: ${clone.name}`, async () => {
    using workspace = new ClonedWorkspace(clone);
    await workspace.build();
    for (const argv of COMMANDS) {
      const { code, out, err } = await workspace.run(argv);
      assertEquals(workspace.trace, "", argv.join(" "));
      assert(code !== 70 && !`${out}${err}`.includes(SECRET), `${argv.join(" ")}: ${out}${err}`);
    }
  });
}

/** That each of them would run it, had a person agreed: else the tests above show nothing. */
const LIVE = [
  "a command",
  "a command of a shell",
  "a program of the clone",
  "a script of the clone under a shell",
  "a command, with a program of that name in PATH",
  "BASH_ENV",
  "passEnv for keys",
  "a key twice, the harmless one first",
  "escape sequences and bidi marks in names and commands",
  "a workspace above the folder",
  "a file that the user's own agent names",
];

/** By what the person agreed to, or by the name of the program, which is shown to them as well. */
const GET_KEYS = [
  "a program of the clone",
  "a command, with a program of that name in PATH",
  "passEnv for keys",
];

for (const clone of CONFIG_CLONES.filter(({ name }) => LIVE.includes(name))) {
  Deno.test(`a clone does run it once a person agreed: ${clone.name}`, async () => {
    using workspace = new ClonedWorkspace({ ...clone, after: () => {} });
    await workspace.build();
    await workspace.run(ASK);
    assert(workspace.trace.includes("run\n"));
    assertEquals(workspace.trace.includes(SECRET), GET_KEYS.includes(clone.name));
  });
}

for (const clone of CONFIG_CLONES.filter(({ after }) => after !== undefined)) {
  Deno.test(`a clone does run what it became, once a person agreed again: ${clone.name}`, async () => {
    using workspace = new ClonedWorkspace(clone);
    await workspace.build();
    assertEquals((await workspace.run(["trust"], { terminal: true, stdin: "y\n" })).code, 0);
    await workspace.run(ASK);
    assert(workspace.trace.includes("run\n"));
  });
}

Deno.test("the corpus has thirty clones and more", () => {
  assert(new Set(CONFIG_CLONES.map(({ name }) => name)).size >= 30);
  assertEquals(LIVE.length, CONFIG_CLONES.filter(({ name }) => LIVE.includes(name)).length);
});
