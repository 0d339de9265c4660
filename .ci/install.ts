// Installs `agentx` for this user: `deno task install` builds the npm package and has npm install a copy
// of it, below `~/.local` where the prefix of npm belongs to somebody else. The clone may go afterwards.

import { accessSync, constants } from "node:fs";

const root = new URL("../", import.meta.url).pathname;
const { name, version } = JSON.parse(Deno.readTextFileSync(`${root}deno.json`));
const home = Deno.env.get("HOME");

const own = await npm("prefix", "--global");
const isOwn = ["", "/bin", "/lib/node_modules"].every((folder) => isWritable(own + folder));
if (!isOwn && !home?.startsWith("/")) stop("HOME is not set, so there is no place of your own");
const prefix = isOwn ? own : `${home}/.local`;

console.log(`Building ${name} ${version} and installing it below ${prefix} ...`);
await run(Deno.execPath(), "run", "-A", "--quiet", `${root}.ci/npm.ts`);
const options = ["--no-audit", "--no-fund", "--loglevel=error"];
const place = isOwn ? [] : ["--prefix", prefix];
// Without `--install-links`, npm would only link to the folder of this clone.
await npm("install", "--global", "--install-links", ...options, ...place, `${root}dist/npm`);

const bin = `${prefix}/bin`;
const shown = (path: string) =>
  home && path.startsWith(`${home}/`) ? path.replace(home, "~") : path;
console.log(`\nInstalled agentx ${version}: ${shown(bin)}/agentx`);
const path = (Deno.env.get("PATH") ?? "").split(":").map((folder) =>
  folder.replace(/(.)\/+$/, "$1")
);
const first = path.find((folder) => isThere(`${folder}/agentx`));
if (!path.includes(bin)) {
  console.log(`
Its folder is not on your PATH. Run this, and add it to the start file of your shell (~/.profile,
~/.bashrc, ~/.zshrc):

  export PATH="${bin.replace(`${home}/`, "$HOME/")}:$PATH"`);
}
if (first !== undefined && first !== bin) {
  console.log(`\nAnother agentx comes first on your PATH: ${first}/agentx`);
}
console.log(`
Start:   cd your-project && agentx init
Remove:  agentx setup --remove && npm rm -g ${isOwn ? "" : "--prefix ~/.local "}${name}`);

/** Whether a file can be made there, now or once its folder is. */
function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return Deno.statSync(path).isDirectory;
  } catch {
    return !isThere(path) && isWritable(path.replace(/\/[^/]*$/, "") || "/");
  }
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** What npm printed. */
function npm(...args: string[]): Promise<string> {
  return run("npm", ...args);
}

async function run(program: string, ...args: string[]): Promise<string> {
  const output = await new Deno.Command(program, { args, cwd: root }).output()
    .catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return stop(`${program} is not on your PATH; it comes with Node 20 or newer`);
    });
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  if (!output.success) stop(`${program} ${args[0]} failed:\n${text(output.stderr)}`);
  return text(output.stdout);
}

function stop(why: string): never {
  console.error(`error: Cannot install agentx: ${why}`);
  Deno.exit(1);
}
