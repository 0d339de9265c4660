// Builds the npm package: `deno task npm` makes `dist/npm`, ready for `npm pack` and `npm i -g`.
//
// The code is bundled with what it imports, so the package has no dependencies, runs no install
// script and never meets another copy of a library. One bundle for the entry points of the library; another
// one, a single file, is the program: Node opens, and looks up in its cache, one file and not a hundred.
// Hooks, which run at each step of an agent, and daily commands have bundles of their own: a start reads less.
// All are CommonJS, for which Node starts without its loader of ES modules, and which asks for a module of Node
// where it is needed.
// The declarations come from `deno pack`.

import { DAILY } from "../lib/commands/daily.ts";
import { HOSTS } from "../lib/hosts/hosts.ts";
import { buildPackages } from "./packages.ts";
import { bundlePrograms, deno, exists, files, manifest, root, run, tidyBundles } from "./bundle.ts";

const target = Deno.args[0] ?? `${root}dist/npm`;

/**
 * Source of the `agentx` program: the version is checked before anything newer is loaded. What Node 22
 * compiles it keeps for the next start, among the user's own caches: a folder of all users, as Node has it
 * by default, would let another user say what is run. The folder is made here: Node 22.23.3 was seen to try for
 * ever where the system makes none, as in \`/proc\`.
 */
const PROGRAM = `#!/usr/bin/env node
const { mkdirSync, statSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { refusalOfNode } = require("./node_version.cjs");
const { argv, env, execPath, versions } = process;
const message = refusalOfNode(versions.node);
const caches = [env.XDG_CACHE_HOME, env.HOME + "/.cache"].find((path) => path?.startsWith("/"));
const isCached = message === undefined && enableCompileCache !== undefined &&
  caches !== undefined && isFolder(caches) && isFolder(caches + "/agentx") &&
  enableCompileCache(caches + "/agentx")?.directory !== undefined;
const bundle = argv[2] === "hook" && argv[3] === "host" && BUNDLES[argv[5]];
if (message === undefined) {
  const runProgram = (left) => require("./program.cjs").runProgram(left);
  if (bundle) load(bundle).run().then(runProgram);
  else if (isDaily(argv.slice(2))) require("./daily.cjs").runProgram();
  else runProgram();
} else {
  const details = { operation: "start", path: execPath, errno: "ENOTSUP" };
  const json = JSON.stringify({ error: { code: "IO_ERROR", message, details } });
  console.error(argv.includes("--json") ? json : "error: " + message.replace("\\n", "\\n  "));
  process.exitCode = 1;
}
function isDaily(words) {
  return DAILY.some((name) => name === words[0] || name === words.slice(0, 2).join(" ")) &&
    !words.includes("--help") && !words.includes("-h");
}
function load(bundle) {
  const v8 = isCached && bundle === "guard" ? require("node:v8") : undefined;
  v8?.setFlagsFromString("--no-lazy"); // the cache has what is compiled at once, and most of it runs
  const loaded = require("./" + bundle + ".cjs");
  v8?.setFlagsFromString("--lazy");
  return loaded;
}
function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch {}
  try {
    mkdirSync(path, 0o700);
    return true;
  } catch {
    return false;
  }
}
`;

/** What a start loads, by its name in the package. */
const PROGRAMS = {
  node_version: "lib/sys/node_version.ts",
  guard: "lib/commands/hook/guard_program.ts",
  hook: "lib/commands/hook/hook_program.ts",
  daily: "lib/commands/daily_program.ts",
  program: "cli.ts",
};

/** By the event of a host, which of them answers it. */
const BUNDLES = Object.fromEntries(
  Object.values(HOSTS).flatMap(({ hooks: { events, guard } }) => [
    ...Object.keys(events).filter((event) => ["prompt", "tool"].includes(events[event]))
      .map((event) => [event, "hook"]),
    ...guard ? [[guard.event, "guard"]] : [],
  ]),
);

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
await buildPackages(`${target}/plugins`);
write(
  "agentx.cjs",
  PROGRAM.replace("BUNDLES", () => JSON.stringify(BUNDLES).replace("{", "{__proto__:null,"))
    .replace("DAILY", () => JSON.stringify(["--version", ...Object.keys(DAILY)])),
);
Deno.chmodSync(`${target}/agentx.cjs`, 0o755);
write("package.json", JSON.stringify(packageJson(), null, 2) + "\n");
console.log(`Built ${manifest.name} ${manifest.version} in ${target}`);

async function bundle(): Promise<void> {
  await deno("bundle", "--quiet", "--code-splitting", "--outdir", target, ...entries);
  await bundlePrograms(target, PROGRAMS);
  tidyBundles(target);
}

/** Makes a tarball of one module per file; only its declarations are used. */
async function addDeclarations(): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await deno("pack", "--quiet", "--allow-dirty", "--no-source-maps", "-o", `${folder}/all.tgz`);
    await run("tar", "xzf", `${folder}/all.tgz`, "-C", folder);
    for (const path of files(`${folder}/package`, /\.d\.ts$/)) {
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
    bin: { agentx: "agentx.cjs" },
    exports: { ...Object.fromEntries(doors), "./package.json": "./package.json" },
    engines: { node: ">=20" },
  };
}

function write(path: string, text: string): void {
  const full = `${target}/${path}`;
  Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(full, text);
}
