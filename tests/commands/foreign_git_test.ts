/**
 * Copies of repositories, made as an archive makes them, whose settings of git name a program: a command that looks at
 * files makes git start none of it, and says by name what it would be.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { TempWorkspace } from "../temp_workspace.ts";

const COMMANDS = ["review 1", "issue validate 1 engineer", "stats", "scan --staged"];

/** What of the settings git would start, and the attributes that it takes; each leaves a mark. */
const FILTERS: Record<string, { settings: Record<string, string>; attributes: string }> = {
  "filter.x.clean": {
    settings: { "filter.x.clean": "PROGRAM" },
    attributes: "* filter=x\n",
  },
  "filter.x.process": {
    settings: { "filter.x.process": "PROGRAM", "filter.x.required": "true" },
    attributes: "* filter=x\n",
  },
  "filter.lfs.clean": {
    settings: { "filter.lfs.clean": "PROGRAM" },
    attributes: "* filter=lfs\n",
  },
};

/** What only names programs for other ends: git is told to start none. */
const OTHERS: Record<string, string>[] = [
  { "core.fsmonitor": "PROGRAM" },
  { "core.hooksPath": "hooks" },
  { "log.showSignature": "true", "gpg.program": "PROGRAM" },
  { "diff.external": "PROGRAM", "diff.x.textconv": "PROGRAM" },
  { "submodule.recurse": "true" },
];

class Copy implements Disposable {
  readonly temp = new TempWorkspace({ isTrusted: false });
  readonly #program = `${this.temp.user.path}/program`;

  async begin(settings: Record<string, string>, attributes: string): Promise<this> {
    const { temp } = this;
    const program = `#!/bin/sh\ntouch '${this.#program}-ran'\ncat\n`;
    Deno.writeTextFileSync(this.#program, program, { mode: 0o755 });
    this.#git("init", "-q", "-b", "main");
    temp.write(".gitignore", ".agentx/state/\n.agentx/log/\n");
    temp.write("a.txt", "a\n");
    temp.write(".github/agents/engineer.agent.md", "---\nmay_change: ['**']\n---\n");
    await temp.run(["issue", "create", "-t", "Cache"]);
    await temp.run(["ready", "--claim", "engineer"]);
    this.#git("add", "-A");
    const tree = this.#git("write-tree");
    const signed =
      `tree ${tree}\nauthor t <t@e.org> 1 +0000\ncommitter t <t@e.org> 2000000000 +0000\n` +
      "gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\nbegin\n";
    Deno.writeTextFileSync(`${temp.user.path}/commit`, signed);
    const commit = this.#git("hash-object", "-t", "commit", "-w", `${temp.user.path}/commit`);
    this.#git("update-ref", "refs/heads/main", commit);
    temp.write(".gitattributes", attributes);
    temp.write("a.txt", "b\n");
    temp.write("hooks/post-index-change", program);
    Deno.chmodSync(`${temp.root}/hooks/post-index-change`, 0o755);
    for (const [key, value] of Object.entries(settings)) {
      this.#git("config", key, value.replace("PROGRAM", this.#program));
    }
    return this;
  }

  get isMarked(): boolean {
    return Array.from(Deno.readDirSync(this.temp.user.path))
      .some(({ name }) => name === "program-ran");
  }

  #git(...args: string[]): string {
    const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const { success, stdout, stderr } = new Deno.Command("git", {
      args,
      cwd: this.temp.root,
      env,
    }).outputSync();
    assert(success, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim();
  }

  [Symbol.dispose](): void {
    this.temp[Symbol.dispose]();
  }
}

for (const [key, { settings, attributes }] of Object.entries(FILTERS)) {
  Deno.test(`review and issue validate refuse by name where a copied repository sets ${key}`, async () => {
    using copy = await new Copy().begin(settings, attributes);
    for (const line of COMMANDS.slice(0, 2)) {
      const { code, err } = await copy.temp.run(line.split(" "));
      assertEquals([line, code, copy.isMarked], [line, 6, false]);
      assert(err.includes(key) && err.includes("agentx trust"), err);
    }
    assertEquals((await copy.temp.trust()).code, 0);
    await copy.temp.run(["review", "1"]);
    assertEquals(copy.isMarked, !key.includes("lfs"), "the user has agreed");
  });
}

Deno.test("commands that look at files start no program that a copied repository names", async () => {
  for (const settings of OTHERS) {
    using copy = await new Copy().begin(settings, "* diff=x\n");
    for (const line of COMMANDS) {
      const { code, err } = await copy.temp.run(line.split(" "));
      assert(code === 0 || code === 6, err);
      assertEquals([line, Object.keys(settings), copy.isMarked], [
        line,
        Object.keys(settings),
        false,
      ]);
    }
  }
});

Deno.test("issue commit refuses by name where a copied repository says which program signs or filters", async () => {
  const all: Record<string, string>[] = [
    { "gpg.program": "PROGRAM", "commit.gpgSign": "true", "user.signingKey": "A" },
    { "gpg.ssh.program": "PROGRAM", "gpg.format": "ssh", "commit.gpgSign": "true" },
    { "filter.x.clean": "PROGRAM" },
  ];
  for (const settings of all) {
    using copy = await new Copy().begin(settings, "* filter=x\n");
    for (const line of ["issue commit", "review 1"]) {
      const { code, out, err } = await copy.temp.run(line.split(" "));
      assertEquals([line, code, copy.isMarked], [line, 6, false], err);
      assert((out + err).includes(Object.keys(settings)[0]), out + err);
    }
  }
});
