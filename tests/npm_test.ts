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
import { ChildTransport } from "./mcp/child_transport.ts";
import { InstalledPackage, isInstalled, type Result } from "./installed_package.ts";
import { BLOCKS, commandsIn } from "./readme_blocks.ts";
import { failureOf, REPORTS } from "./reports/inputs.ts";
import { TempUser } from "./temp_user.ts";

const ROOT = new URL("../", import.meta.url).pathname;

/** Raises a counter under the lock of the library; run by several runtimes at once. */
const COUNTER = `
import { updateJson } from "@agentx/toolkit/lock";

const [path, times] = [process.argv[2], Number(process.argv[3])];
const raise = (now) => ({ count: (now?.count ?? 0) + 1 });
for (let n = 0; n < times; n++) await updateJson(path, raise, { maxWaitMs: 60_000 });
`;

/** The `package.json` of a zod that nobody may load. */
const ZOD = JSON.stringify({
  name: "zod",
  version: "3.25.0",
  type: "module",
  exports: { ".": "./index.js", "./*": "./index.js" },
});

const DENO_BIN = Deno.execPath().replace(/\/[^/]*$/, "");

/** The programs of docs/library.md. */
const LIBRARY = BLOCKS.filter(({ page }) => page === "docs/library.md");

/** What a user's editor checks against the declarations of the package. */
const TYPED = `
import { type ClarificationRecord, openWorkspace } from "@agentx/toolkit";
import { FileLockManager } from "@agentx/toolkit/compat";
import { answerHook } from "@agentx/toolkit/hooks";
import { updateJson } from "@agentx/toolkit/lock";
import { openMemory } from "@agentx/toolkit/memory";

export const exitCode: Promise<number> = answerHook("claude", "Stop").then((done) => done.exitCode);
export const id: Promise<string> = openMemory("a").search("b").then(([hit]) => hit.id);
export const count: Promise<{ count: number }> = updateJson("a.json", () => ({ count: 1 }));
export const one: Promise<1> = new FileLockManager().withSafeLock("a.json", "me", () => 1 as const);
// @ts-expect-error: an answer is a text
export const answer: number = (await (await openWorkspace()).get("CLR-1-001")).thread[0].body;
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

/** The first one that keeps what it compiles. */
const NODE_22 = `${TOOLS}/inspector/node_modules/.bin/node`;

const NODE_18 = `${TOOLS}/node18/node_modules/.bin/node`;

for (const [runtime, start] of Object.entries(PROGRAMS)) {
  const ignore = !RUNTIMES.includes(runtime);
  Deno.test({ name: `the npm package works on ${runtime}`, ignore }, async () => {
    const cwd = `${installed.folder}/${runtime}`;
    Deno.mkdirSync(cwd);
    const agentx = (...args: string[]) => {
      return installed.run([...start, `${installed.bin}/agentx`, ...args], { cwd });
    };
    assertEquals((await agentx("version")).out, "agentx 0.2.0\n");
    assertEquals((await agentx("init")).code, 0);
    const command = JSON.stringify({
      ...{ session_id: "s-1", cwd, hook_event_name: "PreToolUse", tool_name: "Bash" },
      tool_input: { command: "git reset --hard" },
    });
    const hook = `echo '${command}' | "$0" "$@" hook host claude PreToolUse`;
    const words = [...start, `${installed.bin}/agentx`];
    assertShows(await installed.run(["sh", "-c", hook, ...words], { cwd }), '"deny"');
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
    const found = await agentx("memory", "search", "pools"); // Node 20 says that it has no index
    assertEquals([found.code, found.out.includes("Pools are set up once.")], [0, true], found.err);
    assertShows(await agentx("template", "show", "prd"), "Problem Statement");
    assertShows(await agentx("demo"), "CLR-42-001");
    await agentx("issue", "create", "Pay", "-b", "Pay **now**");
    assertEquals((await agentx("board", "--out", "board.html")).code, 0);
    assert(Deno.readTextFileSync(`${cwd}/board.html`).includes("<strong>now</strong>"));

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

Deno.test({
  name: "the door ./cli does what the program does",
  ignore: !RUNTIMES.includes("node"),
}, async () => {
  const cwd = `${installed.folder}/door`;
  Deno.mkdirSync(cwd);
  const door = `${installed.folder}/project/door.mjs`;
  Deno.writeTextFileSync(
    door,
    'import { runProgram } from "@agentx/toolkit/cli";\nawait runProgram();\n',
  );
  const agentx = (...args: string[]) => installed.run(["node", door, ...args], { cwd });
  assertEquals((await agentx("init")).code, 0);
  assertShows(await agentx("template", "list"), "prd");
  assertShows(await agentx("template", "show", "prd"), "Problem Statement");
  assertEquals((await agentx("issue", "create", "-t", "Pay", "-l", "type:feature")).code, 0);
  const planned = await agentx("workflow", "run", "1", "--dry-run");
  assertEquals([planned.code, planned.out.includes("prd")], [0, true], planned.err);
});

for (const report of REPORTS) {
  Deno.test(`the npm package does what is right in the report ${report}`, async () => {
    assertEquals(await failureOf(report, `node ${installed.bin}/agentx`), "");
  });
}

Deno.test("no file of the package takes a name of a module that has a default export alone", () => {
  const built = `${installed.folder}/built`;
  const code = Array.from(Deno.readDirSync(built), ({ name }) => name)
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, Deno.readTextFileSync(`${built}/${name}`)]);
  const common = code.filter(([, text]) => /^export default require_\w+\(\);/m.test(text));
  assert(common.length > 0, "lunr is one");
  for (const [name] of common) {
    for (const [, text] of code) {
      for (const [, after] of text.matchAll(new RegExp(`import\\("./${name}"\\)(.{0,9})`, "g"))) {
        assertEquals(after, ").default", name);
      }
    }
  }
});

for (const [runtime, start] of Object.entries(PROGRAMS)) {
  const ignore = !RUNTIMES.includes(runtime);
  Deno.test({ name: `${runtime} and Deno share a memory`, ignore }, async () => {
    const cwd = `${installed.folder}/${runtime}-index`;
    Deno.mkdirSync(cwd);
    using _user = new TempUser();
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
      const { code, out, err } = await reader("memory", "search", "pools");
      assertEquals([code, out.includes(text)], [0, true], err);
    }
  });
}

/** Whatever Bun loads of the folder in which it is started. */
const BUN_TRAPS: Record<string, string> = {
  "bunfig.toml": 'preload = ["./trap.ts"]\n',
  "trap.ts": 'import { writeFileSync } from "node:fs";\nwriteFileSync("ran", "preload");\n',
  ".env": "ANTHROPIC_BASE_URL=http://127.0.0.1:9/stranger\nAGENTX_ROOT=/stranger\n",
  "tsconfig.json": '{ "compilerOptions": { "paths": { "*": ["./trap/*"] } } }\n',
  "package.json": '{ "name": "trap", "main": "trap.ts", "module": "trap.ts" }\n',
};

Deno.test({
  name: "what setup writes under Bun loads nothing of the folder in which a host starts it",
  ignore: !RUNTIMES.includes("bun"),
  async fn() {
    const { folder } = installed;
    const real = (path: string) => Deno.realPathSync(path);
    const bun = real((await installed.must(["sh", "-c", "command -v bun"])).trim());
    const node = real((await installed.must(["sh", "-c", "command -v node"])).trim());
    const main = real(`${installed.bin}/agentx`);
    const clone = `${folder}/trapped`;
    for (const [name, text] of Object.entries(BUN_TRAPS)) {
      Deno.mkdirSync(`${clone}/trap${main.replace(/[^/]*$/, "")}`, { recursive: true });
      Deno.writeTextFileSync(`${clone}/${name}`, text);
    }
    Deno.copyFileSync(`${clone}/trap.ts`, `${clone}/trap${main}`);
    for (const [name, target] of Object.entries({ node, bun })) {
      const programs = `${folder}/${name}-programs`; // where there is no Node, `node` is Bun, as its images have it
      Deno.mkdirSync(programs);
      Deno.symlinkSync(target, `${programs}/node`);
      const home = installed.emptyHome();
      Deno.mkdirSync(`${home}/.claude`);
      const env = { HOME: home, PATH: `${programs}:/nowhere` };
      await installed.must([bun, main, "setup", "claude"], env);
      const { hooks } = JSON.parse(Deno.readTextFileSync(`${home}/.claude/settings.json`));
      const line: string = hooks.SessionStart[0].hooks[0].command;
      const [command, ...args]: string[] = ((server) => [server.command, ...server.args])(
        JSON.parse(Deno.readTextFileSync(`${home}/.claude.json`)).mcpServers.agentx,
      );
      assertEquals(line.includes(" --no-env-file "), name === "bun", line);
      const input = JSON.stringify({
        hook_event_name: "SessionStart",
        session_id: "s",
        cwd: clone,
      });
      const hook = ["/bin/sh", "-c", `printf %s '${input}' | (${line})`];
      assertEquals((await installed.run(hook, { cwd: clone, env })).code, 0);
      await installed.run([command, ...args.slice(0, -3), "version"], { cwd: clone, env });
      assert(!Deno.readDirSync(clone).some(({ name }) => name === "ran"), `${name}: ${line}`);
    }
  },
});

Deno.test("a hook of a program that was removed ends in silence, and the host goes on", async () => {
  const { folder, bin } = installed;
  const home = installed.emptyHome();
  for (const name of [".claude", ".codex", ".copilot", ".gemini", ".cursor", ".config/Code"]) {
    Deno.mkdirSync(`${home}/${name}`, { recursive: true });
  }
  Deno.mkdirSync(`${folder}/gone`);
  for (const name of ["lib", "bin"]) {
    await installed.must(["cp", "-a", `${folder}/prefix/${name}`, `${folder}/gone/${name}`]);
  }
  const env = { HOME: home, PATH: `${folder}/gone/bin:${Deno.env.get("PATH")}` };
  assertEquals((await installed.run(["agentx", "setup", "all"], { env })).code, 0);
  Deno.removeSync(`${folder}/gone`, { recursive: true });
  const files = await installed.must(["grep", "-rlE", "hook host ", home]);
  const lines = files.trim().split("\n").flatMap((path) =>
    [...Deno.readTextFileSync(path).matchAll(/"(?:command|bash)": ("(?:.*) hook host .*")/g)]
      .map(([, line]) => JSON.parse(line) as string)
  );
  assert(lines.length >= 20, String(lines.length));
  for (const line of lines) {
    assert(line.includes("/gone/bin/agentx"), line);
    for (const COPILOT_PROJECT_DIR of ["", "/work"]) {
      const result = await installed.run(["/bin/sh", "-c", line], { env: { COPILOT_PROJECT_DIR } });
      assertEquals(result, { code: 0, out: "", err: "" }, line);
    }
  }
  assert(bin !== `${folder}/gone/bin`);
});

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
  await installed.must([Deno.execPath(), ...install, `${folder}/built/agentx.cjs`]);
  assertShows(await installed.run([`${folder}/deno/bin/agentx`, "version"]), "agentx 0.2.0");
});

Deno.test("a daily command loads at most 1 MB, and does what the whole program does", async () => {
  const { folder } = installed;
  assert(Deno.statSync(`${folder}/built/daily.cjs`).size <= 1_000_000);
  const cwd = Deno.makeTempDirSync({ dir: folder });
  const agentx = (...words: string[]) => installed.run(["agentx", ...words], { cwd });
  await agentx("init");
  await agentx("issue", "create", "--title", "Pay", "-l", "type:bug", "--body", "Pay at once");
  const lines = ["status", "inbox", "ready", "ready --claim nobody", "issue list --nope"];
  lines.push(
    "issue view 1 --json",
    "issue view 9",
    "memory search pools",
    "status --help",
    "issue list -h",
  );
  for (const line of lines) {
    const daily = await agentx(...line.split(" "));
    const whole = await agentx("--root", cwd, ...line.split(" ")); // begins with no daily command
    const parts = ({ code, out, err }: Result) =>
      [code, out, err].join("\n").replace(/ +\d+ s/g, "");
    assertEquals(parts(daily), parts(whole), line);
  }
});

Deno.test("a hook at a prompt or after a tool loads at most 300 KB, and leaves what is due to the whole program", async () => {
  const { folder } = installed;
  assert(Deno.statSync(`${folder}/built/hook.cjs`).size <= 300_000);
  const cwd = Deno.makeTempDirSync({ dir: folder });
  const env = { AGENTX_AGENT: "engineer" };
  const agentx = (...words: string[]) => installed.run(["agentx", ...words], { cwd, env });
  let calls = 0;
  const hook = async (event: string, more: object = {}) => {
    const call = { hook_event_name: event, session_id: "s-1", cwd, tool_use_id: `${calls++}` };
    const piped = `echo '${
      JSON.stringify({ ...call, ...more })
    }' | agentx hook host claude ${event}`;
    const { code, out, err } = await installed.run(["sh", "-c", piped], { cwd, env });
    assertEquals([code, err], [0, ""]);
    return out;
  };
  await agentx("init");
  await agentx("memory", "note", "--agent", "engineer", "-i", "42", "Pools are set up once.");
  await hook("SessionStart", { source: "startup" });
  const prompt = { prompt: "How are the pools set up?" };
  assert((await hook("UserPromptSubmit", prompt)).includes("Pools are set up once."));
  assertEquals(await hook("UserPromptSubmit", { prompt: "Go on" }), "");
  const question = ["architect", "-i", "42", "--non-blocking", "PostgreSQL or SQLite?"];
  assertEquals((await agentx("ask", ...question)).code, 0);
  assertEquals(await hook("PostToolUse"), "");
  const asArchitect = { cwd, env: { AGENTX_AGENT: "architect" } };
  await installed.run(["agentx", "answer", "CLR-42-001", "PostgreSQL."], asArchitect);
  assert((await hook("PostToolUse")).includes("PostgreSQL."));
  assertEquals(await hook("PostToolUse"), "");
});

Deno.test({
  name: "a start needs no folder for what is compiled, and leaves none in the folder it runs in",
  ignore: !await isInstalled(NODE_22),
}, async () => {
  const cwd = Deno.makeTempDirSync({ dir: installed.folder });
  const home = installed.emptyHome();
  const places: Record<string, string>[] = [
    { HOME: "/proc/none" },
    { HOME: home, XDG_CACHE_HOME: "caches" },
  ];
  for (const env of places) {
    const signal = AbortSignal.timeout(20_000);
    const { out } = await installed.run([NODE_22, `${installed.bin}/agentx`, "version"], {
      ...{ cwd, env, signal },
    });
    assertEquals([out, [...Deno.readDirSync(cwd)]], ["agentx 0.2.0\n", []]);
  }
  assertEquals(Deno.statSync(`${home}/.cache/agentx`).mode! & 0o777, 0o700);
});

Deno.test("the npm package shares a lock between Node, Bun and Deno, and its declarations are checked", async () => {
  const { folder } = installed;
  const project = `${folder}/project`;
  const write = (name: string, text: string) => Deno.writeTextFileSync(`${project}/${name}`, text);
  write("counter.mjs", COUNTER);
  write("typed.ts", TYPED);
  await installed.must([Deno.execPath(), "check", "--quiet", `${project}/typed.ts`]);

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

/** What Node 20 says once. */
const WITHOUT_SQLITE =
  "note: Memory is searched without its index: this runtime has no SQLite with FTS5; Node 22.16, " +
  "Deno and Bun have it\n";

for (const runtime of [...Object.keys(PROGRAMS), "deno"]) {
  const ignore = runtime !== "deno" && !RUNTIMES.includes(runtime);
  Deno.test({ name: `each program of docs/library.md runs on ${runtime}`, ignore }, async () => {
    const project = `${installed.folder}/project`;
    // Another major of zod, as the user's own program may have it.
    const zod = `${project}/node_modules/zod`;
    Deno.mkdirSync(zod, { recursive: true });
    const files = { "package.json": ZOD, "index.js": "throw new Error('the zod of the user');\n" };
    for (const [name, text] of Object.entries(files)) {
      Deno.writeTextFileSync(`${zod}/${name}`, text);
    }
    const start = runtime === "deno" ? [Deno.execPath(), "run", "-A", "--quiet"] : [runtime];
    const input = JSON.stringify({ session_id: "s-1", cwd: project, source: "startup" });
    assertEquals(LIBRARY.length, 7);
    for (const { heading, text } of LIBRARY) {
      Deno.writeTextFileSync(`${project}/program.mjs`, text.replaceAll(": string[]", ""));
      const env = { HOME: installed.emptyHome(), INPUT: input };
      const piped = ["sh", "-c", 'printf "%s" "$INPUT" | "$@"', "sh", ...start, "program.mjs"];
      const { code, err } = await installed.run(piped, { env });
      assertEquals([heading, code, err.replace(WITHOUT_SQLITE, "")], [heading, 0, ""]);
    }
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
  for (const door of ["", "/lock", "/memory", "/hooks", "/compat"]) {
    const script = `import("@agentx/toolkit${door}").catch((error) => console.log(error.message))`;
    const { out } = await installed.run([NODE_18, "-e", script], { env });
    assertEquals(out, `${summary}\n${next}\n`);
  }
  const left = [cwd, env.HOME].flatMap((path) => Array.from(Deno.readDirSync(path)));
  assertEquals(left, []);
});

Deno.test("the README's lines for installing run in a clone", async () => {
  const { folder, tarball } = installed;
  const clone = `${folder}/clone`;
  await copyRepository(clone);
  const npmCache = (await installed.must(["npm", "config", "get", "cache"])).trim();
  const home = installed.emptyHome();
  const env = {
    PATH: [DENO_BIN, Deno.env.get("PATH")].join(":"),
    HOME: home,
    TMPDIR: `${folder}/tmp`,
    NODE_DISABLE_COMPILE_CACHE: "1", // npm would keep one there
    npm_config_prefix: `${tarball}/prefix`, // nobody can write there
    npm_config_cache: npmCache,
    npm_config_offline: "true",
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
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
  const hasNpx = (await installed.run(["sh", "-c", `${npx.exec(lines[0])} --version`], { env }))
    .code === 0;
  for (const line of lines) {
    if (/ task test\b/.test(line)) continue; // that is what runs now
    const out = await run(hasNpx ? line : line.replace(npx, "deno"));
    if (/\bdemo\b/.test(line)) assert(out.includes("[RESOLVED] engineer"), out);
    if (!/ task install\b/.test(line)) continue;
    const path = out.split("\n").find((each) => each.trim().startsWith("export PATH="));
    assert(path !== undefined, out);
    assertEquals(await run(`${path.trim()}; cd /; agentx version`), "agentx 0.2.0\n");
    const remove = /^Remove: .*&& (npm rm .*)$/m.exec(out)![1];
    await run(remove);
    assertEquals(Array.from(Deno.readDirSync(`${home}/.local/bin`)), []);
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
