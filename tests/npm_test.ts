/**
 * The npm package as its users get it: built, packed, installed without a network into an empty
 * prefix, and run on Node and Bun from a home that has nothing.
 *
 * @module
 */

import { Client } from "@modelcontextprotocol/client";
import { assert, assertEquals } from "@std/assert";
import { main } from "../cli.ts";
import { FakeIo } from "./cli/fake_io.ts";
import { TOOLS } from "./hosts/host.ts";
import { ChildTransport } from "./hosts/mcp/child_transport.ts";
import { InstalledPackage, isInstalled, type Result } from "./installed_package.ts";
import { BLOCKS, commandsIn } from "./readme_blocks.ts";
import { TempUser } from "./temp_user.ts";

const ROOT = new URL("../", import.meta.url).pathname;

/** Raises a counter under the lock of the library; run by several runtimes at once. */
const COUNTER = `
import { FileLockManager, JsonFile } from "TOOLKIT/lock";

const [path, times] = [process.argv[2], Number(process.argv[3])];
const counter = new JsonFile(path, new FileLockManager({ maxWaitMs: 60_000 }));
for (let n = 0; n < times; n++) await counter.update("me", (now) => ({ count: (now?.count ?? 0) + 1 }));
`;

/** The `package.json` of a zod that nobody may load. */
const ZOD = JSON.stringify({
  name: "zod",
  version: "3.25.0",
  type: "module",
  exports: { ".": "./index.js", "./*": "./index.js" },
});

const DENO_BIN = Deno.execPath().replace(/\/[^/]*$/, "");

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

function assertShows({ code, out, err }: Result, text: string): void {
  assertEquals([code, err], [0, ""]);
  assert(out.includes(text), out);
}

let installed: InstalledPackage;
Deno.test.beforeAll(async () => {
  installed = await InstalledPackage.make();
});
Deno.test.afterAll(() => installed.remove());

/** How the installed program is started on each runtime. */
const PROGRAMS: Record<string, string[]> = { node: [], bun: ["bun", "run", "--bun"] };

/** Those that are here. */
const RUNTIMES: string[] = [];
for (const runtime of Object.keys(PROGRAMS)) {
  if (await isInstalled(runtime)) RUNTIMES.push(runtime);
}

const NODE_18 = `${TOOLS}/node18/node_modules/.bin/node`;

for (const [runtime, start] of Object.entries(PROGRAMS)) {
  const ignore = !RUNTIMES.includes(runtime);
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

    const [program, ...args] = [...start, `${installed.bin}/agentx`, "mcp"];
    const env = { PATH: Deno.env.get("PATH")!, HOME: `${installed.folder}/home` };
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new ChildTransport(program, { args, cwd, env }));
    assertEquals((await client.listTools()).tools.length, 10);
    const listed = await client.callTool({ name: "clarify_list", arguments: { issue: 42 } });
    assert(JSON.stringify(listed.structuredContent).includes("PostgreSQL."));
    await client.close();
  });
}

for (const [runtime, start] of Object.entries(PROGRAMS)) {
  const ignore = !RUNTIMES.includes(runtime);
  Deno.test({ name: `${runtime} and Deno share an index of memory`, ignore }, async () => {
    const cwd = `${installed.folder}/${runtime}-index`;
    Deno.mkdirSync(cwd);
    using _user = new TempUser();
    const head = () => Deno.readTextFileSync(`${cwd}/.agentx/memory/index/head.json`);
    const deno = async (...args: string[]): Promise<Result> => {
      const io = new FakeIo();
      const code = await main([...args, "--root", cwd], io);
      return { code, out: io.out, err: io.err };
    };
    const packaged = (...args: string[]) =>
      installed.run([...start, `${installed.bin}/agentx`, ...args], { cwd });
    assertEquals((await deno("init")).code, 0);
    for (const [writer, reader] of [[deno, packaged], [packaged, deno]]) {
      const note = ["memory", "note", "--agent", "engineer", "--issue", "42"];
      const text = writer === deno ? "Pools are set up once." : "Pools are never closed.";
      assertEquals((await writer(...note, text)).code, 0);
      const written = head();
      assertShows(await reader("memory", "search", "pools"), text);
      assertEquals(head(), written, "it is not made again");
    }
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

Deno.test("the npm package shares a lock between Node, Bun and Deno, and its declarations are checked", async () => {
  const { folder } = installed;
  const project = `${folder}/project`;
  const write = (name: string, text: string) => Deno.writeTextFileSync(`${project}/${name}`, text);
  write("counter.mjs", COUNTER.replace("TOOLKIT", "@agentx/toolkit"));
  write("typed.ts", TYPED);
  write("readme.ts", LIBRARY);
  for (const name of ["typed.ts", "readme.ts"]) {
    await installed.must([Deno.execPath(), "check", "--quiet", `${project}/${name}`]);
  }

  const deno = [Deno.execPath(), "run", "-A", "counter.mjs"];
  const others = [0, 1, 2, 3].map((n) => [RUNTIMES[n % RUNTIMES.length], "counter.mjs"]);
  const data = `${folder}/counter.json`;
  const starts = [deno, ...others];
  await Promise.all(starts.map((start) => installed.must([...start, data, "25"])));
  assertEquals(JSON.parse(Deno.readTextFileSync(data)), { count: 125 });

  const manifest = JSON.parse(Deno.readTextFileSync(`${folder}/built/package.json`));
  assertEquals([manifest.dependencies, manifest.scripts], [undefined, undefined]);
  for (const { name, isFile } of Deno.readDirSync(`${folder}/built`)) {
    const text = isFile ? Deno.readTextFileSync(`${folder}/built/${name}`) : "";
    assert(!text.includes(ROOT), `${name} names a folder of this machine`);
  }
});

/** The examples of the README for the library, in one module. */
const LIBRARY = BLOCKS.filter(({ heading }) => heading === "As a library")
  .map(({ text }) => text).join("\n");

/** What a program of its user prints of it. */
const PRINTED =
  "\nconsole.log(JSON.stringify({ clarificationId, answer, count: counter.read() }));\n";

for (const runtime of Object.keys(PROGRAMS)) {
  const ignore = !RUNTIMES.includes(runtime);
  Deno.test({ name: `the README's library examples run on ${runtime}`, ignore }, async () => {
    const { folder } = installed;
    const project = `${folder}/project`;
    // Another major of zod, as the user's own program may have it.
    const zod = `${project}/node_modules/zod`;
    Deno.mkdirSync(zod, { recursive: true });
    const files = { "package.json": ZOD, "index.js": "throw new Error('the zod of the user');\n" };
    for (const [name, text] of Object.entries(files)) {
      Deno.writeTextFileSync(`${zod}/${name}`, text);
    }

    const env = { HOME: installed.emptyHome() };
    assertEquals((await installed.run(["agentx", "init"], { env })).code, 0);
    const counter = `${folder}/readme-${runtime}.json`;
    const code = LIBRARY.replaceAll(/<\{[^>]*\}>/g, "").replace("/tmp/counter.json", counter);
    Deno.writeTextFileSync(`${project}/library.mjs`, code + PRINTED);
    const { code: exitCode, out, err } = await installed.run([runtime, "library.mjs"], {
      env,
    });
    assertEquals([exitCode, err], [0, ""]);
    const { clarificationId, ...rest } = JSON.parse(out);
    assert(/^CLR-42-00[12]$/.test(clarificationId), clarificationId);
    assertEquals(rest, { answer: null, count: { count: 1 } });
  });
}

Deno.test({
  name: "the npm package says on Node 18 that it is too old, and writes nothing",
  ignore: !await isInstalled(NODE_18),
}, async () => {
  const { folder, bin } = installed;
  const cwd = `${folder}/node18`;
  Deno.mkdirSync(cwd);
  const env = { HOME: installed.emptyHome() };
  const version = (await installed.run([NODE_18, "--version"])).out.trim().slice(1);
  const summary = `Cannot run on Node ${version}: it needs Node 20 or newer`;
  const next = "Install a newer Node, or use Deno or Bun";
  for (const words of [[], ["init"], ["demo", "--keep"], ["clarify"]]) {
    const run = (...more: string[]) =>
      installed.run([NODE_18, `${bin}/agentx`, ...words, ...more], { cwd, env });
    const told = `error: ${summary}\n  ${next}\n`;
    assertEquals(await run(), { code: 1, out: "", err: told });
    const { code, out, err } = await run("--json");
    const { error } = JSON.parse(err);
    assertEquals([code, out, err.split("\n").length], [1, "", 2]);
    assertEquals([error.code, error.message], ["IO_ERROR", `${summary}\n${next}`]);
    assertEquals(Object.keys(error.details), ["operation", "path", "errno"]);
  }
  for (const door of ["", "/lock", "/router", "/memory"]) {
    const script = `import("@agentx/toolkit${door}").catch((error) => console.log(error.message))`;
    const { out } = await installed.run([NODE_18, "-e", script], { env });
    assertEquals(out, `${summary}\n${next}\n`);
  }
  const left = [cwd, env.HOME].flatMap((path) => Array.from(Deno.readDirSync(path)));
  assertEquals(left, []);
});

Deno.test("the README's lines for installing run, with the package in place of its name", async () => {
  const { folder, tarball } = installed;
  const clone = `${folder}/clone`;
  await copyRepository(clone);
  const npmCache = (await installed.must(["npm", "config", "get", "cache"])).trim();
  const home = Deno.env.get("HOME");
  const env = {
    PATH: [`${folder}/global/bin`, `${folder}/deno-root/bin`, DENO_BIN, Deno.env.get("PATH")].join(
      ":",
    ),
    TMPDIR: `${folder}/tmp`,
    npm_config_prefix: `${folder}/global`,
    npm_config_cache: npmCache,
    npm_config_offline: "true",
    DENO_INSTALL_ROOT: `${folder}/deno-root`,
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${home}/.cache/deno`,
    BUN_INSTALL: `${folder}/bun`,
  };
  Deno.mkdirSync(env.TMPDIR);
  const run = async (line: string) => {
    const result = await installed.run(["sh", "-c", line], { cwd: clone, env });
    assertEquals(result.code, 0, `${line}: ${result.err}${result.out}`);
    return result.out;
  };
  const lines = BLOCKS.filter(({ heading, language }) => heading === "Install" && language === "sh")
    .flatMap(commandsIn);
  const npx = /^npx -y \S+/;
  const hasNpx =
    (await installed.run(["sh", "-c", `${lines.at(-1)!.match(npx)} --version`], { env }))
      .code === 0;
  const added = /with Bun: (.*)$/.exec(lines[0])![1];
  if (RUNTIMES.includes("bun")) {
    await run(added.replace("@agentx/toolkit", tarball));
    assertEquals(await run(`${env.BUN_INSTALL}/bin/agentx version`), "agentx 0.1.0\n");
  }
  for (const line of lines) {
    if (/ task test\b/.test(line)) continue; // that is what runs now
    if (npx.test(line) && !hasNpx) {
      console.warn(`not tried, for npx cannot get it without a network: ${line}`);
      continue;
    }
    const out = await run(line.replace("@agentx/toolkit", tarball));
    if (/\bdemo\b/.test(line)) assert(out.includes("[RESOLVED] engineer"), out);
    if (/ install -g /.test(line)) {
      assertEquals(await run("agentx version"), "agentx 0.1.0\n", line);
    }
  }
  assertEquals(Array.from(Deno.readDirSync(env.TMPDIR)), []);
});

/** What a clone would have, without what git and the tools keep there. */
async function copyRepository(target: string): Promise<void> {
  Deno.mkdirSync(target);
  const script = `tar -C "$1" --exclude ./.git --exclude ./dist --exclude ./node_modules -cf - . ` +
    `| tar -C "$2" -xf -`;
  await installed.must(["sh", "-c", script, "sh", ROOT, target]);
}
