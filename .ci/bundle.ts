// Bundles programs of this repository with what they import, for the npm package and for the extension of VS Code.

interface Manifest {
  name: string;
  version: string;
  license: string;
  exports: Record<string, string>;
}

export const root = new URL("../", import.meta.url).pathname;

export const manifest: Manifest = JSON.parse(Deno.readTextFileSync(`${root}deno.json`));

/** What of a package few commands need is a file of its own, by `.ci/apart/`: what each start reads stays small. */
const APART = {
  "croner": "croner",
  "lunr": "lunr",
  "markdown-it": "markdown_it",
  "@modelcontextprotocol/server": "mcp_server",
  "@modelcontextprotocol/server/stdio": "mcp_server",
  "yaml": "yaml",
  "unbash": "unbash",
};

/** A line that esbuild leaves for a module outside the repository: it names a folder of this machine. */
const OUTSIDE = /^\/\/ (\.\.\/\S+|\/\S+)\n/gm;

/** What a stack shows has its names. */
const SHORT = ["--format", "cjs", "--minify", "--keep-names"];

/** Makes a file of each program, by its name, and the files of {@linkcode APART} beside them. */
export async function bundlePrograms(
  target: string,
  programs: Readonly<Record<string, string>>,
): Promise<void> {
  const outside = Object.keys(APART).flatMap((name) => ["--external", name]);
  for (const [name, path] of Object.entries(programs)) {
    const file = `${target}/${name}.cjs`;
    const apart = name === "guard" ? [] : outside; // each of its runs parses bash
    await deno("bundle", "--quiet", ...SHORT, ...apart, "-o", file, path);
    let code = Deno.readTextFileSync(file);
    for (const [specifier, name] of Object.entries(APART)) {
      const part = ["lunr", "markdown-it"].includes(specifier) ? ".default" : "";
      code = code.replaceAll(`require("${specifier}")`, `require("./${name}.cjs")${part}`);
    }
    Deno.writeTextFileSync(file, code);
  }
  for (const name of new Set(Object.values(APART))) {
    const path = `.ci/apart/${name}.ts`;
    await deno("bundle", "--quiet", ...SHORT, "-o", `${target}/${name}.cjs`, path);
  }
}

/** Takes folders of this machine out of all bundles, and writes the licenses of what is in them. */
export function tidyBundles(target: string): void {
  const bundled = new Set<string>();
  for (const path of files(target, /\.c?js$/)) {
    const code = Deno.readTextFileSync(path);
    for (const [, module] of code.matchAll(OUTSIDE)) bundled.add(packageFolder(module));
    Deno.writeTextFileSync(path, code.replace(OUTSIDE, ""));
  }
  if (bundled.size === 0) return;
  const licenses = [...bundled].sort().map(licenseOf).join("\n");
  Deno.writeTextFileSync(`${target}/THIRD_PARTY_LICENSES`, licenses);
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

export function* files(folder: string, ending: RegExp): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* files(`${folder}/${name}`, ending);
    else if (ending.test(name)) yield `${folder}/${name}`;
  }
}

export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

export function deno(...args: string[]): Promise<void> {
  return run(Deno.execPath(), ...args);
}

/** Says what went wrong only where something did: `deno pack` comments on every module. */
export async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, cwd: root }).output();
  if (success) return;
  throw new Error(`${program} ${args[0]} failed:\n${new TextDecoder().decode(stderr)}`);
}
