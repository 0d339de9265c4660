/**
 * The npm package as its users get it: built, packed, installed without a network into an empty
 * prefix, and run on Node and Bun from a home that has nothing.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../", import.meta.url).pathname;

/** Raises a counter under the lock of the library; run by several runtimes at once. */
const COUNTER = `
import { FileLockManager, JsonFile } from "TOOLKIT/lock";

const [path, times] = [process.argv[2], Number(process.argv[3])];
const counter = new JsonFile(path, new FileLockManager({ maxWaitMs: 60_000 }));
for (let n = 0; n < times; n++) await counter.update("me", (now) => ({ count: (now?.count ?? 0) + 1 }));
`;

/** What a user's editor checks against the declarations of the package. */
const TYPED = `
import { type ClarificationRecord, openWorkspace } from "@agentx/toolkit";
import { FileLockManager, JsonFile } from "@agentx/toolkit/lock";

const counter = new JsonFile<{ count: number }>("/tmp/counter.json", new FileLockManager());
export const count: Promise<{ count: number }> = counter.update("me", () => ({ count: 1 }));
// @ts-expect-error: an answer is a text
export const answer: number = (await openWorkspace()).ledger.getById("CLR-1-001").thread[0].body;
export const record: ClarificationRecord | undefined = undefined;
`;

interface Result {
  code: number;
  out: string;
  err: string;
}

class InstalledPackage {
  readonly folder = Deno.makeTempDirSync();
  /** The folder that `npm install --global` puts on the PATH of its users. */
  readonly bin = `${this.folder}/prefix/bin`;

  static async make(): Promise<InstalledPackage> {
    const made = new InstalledPackage();
    const { folder } = made;
    for (const name of ["home", "project", "prefix"]) Deno.mkdirSync(`${folder}/${name}`);
    await made.must([Deno.execPath(), "run", "-A", `${ROOT}.ci/npm.ts`, `${folder}/built`]);
    await made.must(["npm", "pack", "--silent", "--pack-destination", folder, `${folder}/built`]);
    const tarball = `${folder}/agentx-toolkit-0.1.0.tgz`;
    const install = ["npm", "install", "--offline", "--no-audit", "--no-fund"];
    await made.must([...install, "--global", "--prefix", `${folder}/prefix`, tarball]);
    await made.must([...install, "--prefix", `${folder}/project`, tarball]);
    return made;
  }

  async run(
    [program, ...args]: string[],
    { env = {}, cwd = `${this.folder}/project` }: Deno.CommandOptions = {},
  ): Promise<Result> {
    const { code, stdout, stderr } = await new Deno.Command(program, {
      args,
      cwd,
      clearEnv: true,
      env: {
        PATH: `${this.bin}:${Deno.env.get("PATH")}`,
        HOME: `${this.folder}/home`,
        NO_COLOR: "1",
        ...env,
      },
    }).output();
    const decoder = new TextDecoder();
    return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
  }

  async must(argv: string[]): Promise<string> {
    const { code, out, err } = await this.run(argv, { env: Deno.env.toObject() });
    assertEquals(code, 0, `${argv.join(" ")}: ${err}${out}`);
    return out;
  }

  remove(): void {
    Deno.removeSync(this.folder, { recursive: true });
  }
}

function assertShows({ code, out, err }: Result, text: string): void {
  assertEquals([code, err], [0, ""]);
  assert(out.includes(text), out);
}

async function isInstalled(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["--version"] }).output()).success;
  } catch {
    console.warn(`${program} is not on PATH: the package was not tried on it`);
    return false;
  }
}

let installed: InstalledPackage;
Deno.test.beforeAll(async () => {
  installed = await InstalledPackage.make();
});
Deno.test.afterAll(() => installed.remove());

/** How the installed program is started on each runtime. */
const PROGRAMS: Record<string, string[]> = { node: [], bun: ["bun", "run", "--bun"] };

for (const [runtime, start] of Object.entries(PROGRAMS)) {
  const ignore = !await isInstalled(runtime);
  Deno.test({ name: `the npm package works on ${runtime}`, ignore }, async () => {
    const cwd = `${installed.folder}/${runtime}`;
    Deno.mkdirSync(cwd);
    const agentx = (...args: string[]) => {
      return installed.run([...start, `${installed.bin}/agentx`, ...args], { cwd });
    };
    assertEquals((await agentx("version")).out, "agentx 0.1.0\n");
    assertEquals((await agentx("init")).code, 0);
    const question = ["--issue", "42", "--from", "engineer", "--to", "architect", "--topic", "T"];
    assertEquals((await agentx("clarify", "ask", ...question, "PostgreSQL or SQLite?")).code, 7);
    assertEquals((await agentx("clarify", "answer", "CLR-42-001", "PostgreSQL.")).code, 0);
    assertShows(await agentx("clarify", "--issue", "42"), "PostgreSQL.");
    assertEquals(
      (await agentx(
        "memory",
        "note",
        "--agent",
        "engineer",
        "--issue",
        "42",
        "Pools are set up once.",
      )).code,
      0,
    );
    assertShows(await agentx("memory", "search", "pools"), "Pools are set up once.");
    assertShows(await agentx("demo"), "CLR-42-001");
  });
}

Deno.test("deno install -g makes a program of the package", async () => {
  const { folder } = installed;
  const install = [
    "install",
    "--quiet",
    "--global",
    "--root",
    `${folder}/deno`,
    "-A",
    "-n",
    "agentx",
  ];
  await installed.must([Deno.execPath(), ...install, `${folder}/built/agentx.js`]);
  assertShows(await installed.run([`${folder}/deno/bin/agentx`, "version"]), "agentx 0.1.0");
});

Deno.test("the npm package shares a lock with Deno, and its declarations are checked", async () => {
  const { folder } = installed;
  const project = `${folder}/project`;
  const write = (name: string, text: string) => Deno.writeTextFileSync(`${project}/${name}`, text);
  write("counter.mjs", COUNTER.replace("TOOLKIT", "@agentx/toolkit"));
  write("typed.ts", TYPED);
  await installed.must([
    Deno.execPath(),
    "check",
    "--quiet",
    `${project}/typed.ts`,
  ]);

  const deno = [Deno.execPath(), "run", "-A", "counter.mjs"];
  const starts = [
    ["node", "counter.mjs"],
    ["node", "counter.mjs"],
    ["node", "counter.mjs"],
    deno,
  ];
  const data = `${folder}/counter.json`;
  await Promise.all(starts.map((start) => installed.must([...start, data, "25"])));
  assertEquals(JSON.parse(Deno.readTextFileSync(data)), { count: 100 });

  const manifest = JSON.parse(Deno.readTextFileSync(`${folder}/built/package.json`));
  assertEquals([manifest.dependencies, manifest.scripts], [undefined, undefined]);
  for (const { name, isFile } of Deno.readDirSync(`${folder}/built`)) {
    const text = isFile ? Deno.readTextFileSync(`${folder}/built/${name}`) : "";
    assert(!text.includes(ROOT), `${name} names a folder of this machine`);
  }
});
