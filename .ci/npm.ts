// Builds the npm package: `deno task npm` makes `dist/npm`, ready for `npm pack` and `npm i -g`.
//
// The code is bundled with what it imports, so the package has no dependencies, runs no install
// script and never meets another copy of a library. One bundle for the entry points of the library; another
// one, a single file, is the program: Node opens, and looks up in its cache, one file and not a hundred.
// A third one, a fifth as large, is the hook before a tool.
// The declarations come from `deno pack`.

interface Manifest {
  name: string;
  version: string;
  license: string;
  exports: Record<string, string>;
}

const root = new URL("../", import.meta.url).pathname;
const target = Deno.args[0] ?? `${root}dist/npm`;

/**
 * Source of the `agentx` program: the version is checked before anything newer is loaded. What Node 22
 * compiles it keeps for the next start, among the user's own caches: a folder of all users, as Node has it
 * by default, would let another user say what is run.
 */
const PROGRAM = `#!/usr/bin/env node
import * as module from "node:module";
import { refusalOfNode } from "./lib/sys/node_version.js";
const { argv, env, execPath, versions } = process;
const message = refusalOfNode(versions.node);
const cache = env.XDG_CACHE_HOME || (env.HOME && env.HOME + "/.cache");
if (cache) module.enableCompileCache?.(cache + "/agentx");
const isHook = argv[2] === "hook" && argv[3] === "host";
const isGuard = isHook && /^(PreToolUse|preToolUse|BeforeTool)$/.test(argv[5]);
if (message === undefined) {
  if (!isGuard || !await (await import("./guard.js")).runGuard()) {
    await (await import("./program.js")).runProgram();
  }
} else {
  const details = { operation: "start", path: execPath, errno: "ENOTSUP" };
  const json = JSON.stringify({ error: { code: "IO_ERROR", message, details } });
  console.error(argv.includes("--json") ? json : "error: " + message.replace("\\n", "\\n  "));
  process.exitCode = 1;
}
`;

/** What is loaded first, alone. */
const FIRST = "lib/sys/node_version.ts";

/** What a hook before a tool runs. */
const GUARD = "lib/commands/hook/guard_program.ts";

/** A line that esbuild leaves for a module outside the repository: it names a folder of this machine. */
const OUTSIDE = /^\/\/ (\.\.\/\S+|\/\S+)\n/gm;

const manifest: Manifest = JSON.parse(Deno.readTextFileSync(`${root}deno.json`));
const entries = [...new Set(Object.values(manifest.exports))].map((path) => path.slice(2));

if (exists(target)) Deno.removeSync(target, { recursive: true });
Deno.mkdirSync(target, { recursive: true });
await bundle();
await addDeclarations();
for (const name of ["README.md", "CHANGELOG.md", "LICENSE"]) {
  Deno.copyFileSync(root + name, `${target}/${name}`);
}
for (const folder of ["docs", "docs/schemas"]) { // other folders of docs/ are not for users
  Deno.mkdirSync(`${target}/${folder}`);
  for (const { name, isFile } of Deno.readDirSync(root + folder)) {
    if (isFile) Deno.copyFileSync(`${root}${folder}/${name}`, `${target}/${folder}/${name}`);
  }
}
write("agentx.js", PROGRAM);
Deno.chmodSync(`${target}/agentx.js`, 0o755);
write("package.json", JSON.stringify(packageJson(), null, 2) + "\n");
console.log(`Built ${manifest.name} ${manifest.version} in ${target}`);

async function bundle(): Promise<void> {
  await deno("bundle", "--quiet", "--code-splitting", "--outdir", target, ...entries);
  await deno("bundle", "--quiet", "-o", `${target}/${FIRST.replace(/ts$/, "js")}`, FIRST);
  const short = ["--minify", "--keep-names"]; // what is read at each start; a stack has its names
  await deno("bundle", "--quiet", ...short, "-o", `${target}/program.js`, "cli.ts");
  await deno("bundle", "--quiet", ...short, "-o", `${target}/guard.js`, GUARD);
  const bundled = new Set<string>();
  for (const path of files(target, ".js")) {
    const code = Deno.readTextFileSync(path);
    for (const [, module] of code.matchAll(OUTSIDE)) bundled.add(packageFolder(module));
    Deno.writeTextFileSync(path, code.replace(OUTSIDE, ""));
  }
  write("THIRD_PARTY_LICENSES", [...bundled].sort().map(licenseOf).join("\n"));
}

/** Makes a tarball of one module per file; only its declarations are used. */
async function addDeclarations(): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await deno("pack", "--quiet", "--allow-dirty", "--no-source-maps", "-o", `${folder}/all.tgz`);
    await run("tar", "xzf", `${folder}/all.tgz`, "-C", folder);
    for (const path of files(`${folder}/package`, ".d.ts")) {
      write(path.slice(`${folder}/package/`.length), Deno.readTextFileSync(path));
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function packageJson(): object {
  const { name, version, license, exports } = manifest;
  const built = (path: string) => path.replace(/\.ts$/, "");
  const doors = Object.entries(exports).map(([door, path]) => [
    door,
    { types: `${built(path)}.d.ts`, default: `${built(path)}.js` },
  ]);
  return {
    name,
    version,
    description: "Coding agents on one repository ask each other instead of guessing",
    license,
    type: "module",
    bin: { agentx: "agentx.js" },
    exports: { ...Object.fromEntries(doors), "./package.json": "./package.json" },
    engines: { node: ">=20" },
  };
}

/** The folder of the npm package that a bundled module belongs to, in the cache it came from. */
function packageFolder(module: string): string {
  const path = new URL(module, `file://${root}`).pathname;
  const [folder] = /^.*\/npm\/[^/]+\/(@[^/]+\/)?[^/]+\/[^/]+\//.exec(path) ?? [];
  if (folder === undefined) throw new Error(`Cannot tell which package "${module}" belongs to`);
  return folder;
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(Deno.readTextFileSync(`${folder}package.json`));
  const file = ["LICENSE", "LICENSE.md"].find((name) => exists(folder + name));
  const text = file === undefined ? "" : `\n${Deno.readTextFileSync(folder + file).trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}

function* files(folder: string, ending: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* files(`${folder}/${name}`, ending);
    else if (name.endsWith(ending)) yield `${folder}/${name}`;
  }
}

function write(path: string, text: string): void {
  const full = `${target}/${path}`;
  Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(full, text);
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function deno(...args: string[]): Promise<void> {
  return run(Deno.execPath(), ...args);
}

/** Says what went wrong only where something did: `deno pack` comments on every module. */
async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, cwd: root }).output();
  if (success) return;
  throw new Error(`${program} ${args[0]} failed:\n${new TextDecoder().decode(stderr)}`);
}
