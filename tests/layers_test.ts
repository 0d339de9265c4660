/**
 * The shape of the house (DESIGN section 2): imports point down the layers, source is ASCII, only
 * `lib/sys/` touches the runtime, and ARCHITECTURE names what there is.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";

const ROOT = new URL("../", import.meta.url).pathname;

/** Top to bottom, a room in each row: imports go down, or stay inside a room. */
const LAYERS: string[][] = [
  ["mod.ts", "cli.ts"],
  ["lib/compat/"],
  ["lib/commands/"],
  ["lib/setup/"],
  ["lib/doctor/"],
  ["lib/mcp/"],
  ["lib/board/"],
  ["lib/cli/"],
  ["lib/inbox/"],
  ["lib/workspace/"],
  ["lib/run/"],
  ["lib/hooks/"],
  ["lib/pipeline/"],
  ["lib/guard/"],
  ["lib/work/"],
  ["lib/gate/"],
  ["lib/memory/"],
  ["lib/clarify/"],
  ["lib/agents/"],
  ["lib/config/"],
  ["lib/lines/"],
  ["lib/transcripts/"],
  ["lib/who/"],
  ["lib/git/"],
  ["lib/events/"],
  ["lib/lock/"],
  ["lib/redact/"],
  ["lib/hosts/"],
  ["lib/text/"],
  ["lib/sys/"],
  ["lib/base/"],
];

const FILES = Array.from(
  walkSync(ROOT, { includeDirs: false, exts: ["ts"] }),
  ({ path }) => path.slice(ROOT.length),
).sort();

const SOURCES = FILES.filter((path) => /^(mod\.ts|cli\.ts|lib\/)/.test(path));

function read(path: string): string {
  return Deno.readTextFileSync(ROOT + path);
}

/** The code without comments and without the text of strings that stand on a line of their own. */
function code(path: string): string {
  return read(path).replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

/** The modules that a module names, those too that are wanted for their types alone. */
function importsOf(path: string, text = code(path)): string[] {
  const folder = path.split("/").slice(0, -1);
  return Array.from(text.matchAll(/\bfrom "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g), (match) => {
    const parts = [...folder];
    for (const part of (match[1] ?? match[2]).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== ".") parts.push(part);
    }
    return parts.join("/");
  }).filter((target) => target.endsWith(".ts"));
}

/** The modules that are loaded with a module. */
function loadedWith(path: string): string[] {
  const types = /\b(import|export) type [^;]*;|\bimport \{(\s*type \w+,?)+\s*\} from [^;]*;/g;
  return importsOf(path, code(path).replace(types, ""));
}

/** All that is reached from a module by `next`, itself first. */
function reachedFrom(path: string, next: (path: string) => string[]): Set<string> {
  const reached = new Set([path]);
  for (const from of reached) for (const target of next(from)) reached.add(target);
  return reached;
}

/** Index of the row, and the entry of the row, that a file belongs to. */
function placeOf(path: string): { row: number; entry: string } | undefined {
  return LAYERS.flatMap((entries, row) => entries.map((entry) => ({ row, entry })))
    .filter(({ entry }) => entry.endsWith("/") ? path.startsWith(entry) : path === entry)
    .sort((one, other) => other.entry.length - one.entry.length)[0];
}

Deno.test("every source file has a layer", () => {
  assertEquals(SOURCES.filter((path) => placeOf(path) === undefined), []);
});

Deno.test("imports point down the layers", () => {
  const wrong = SOURCES.flatMap((path) => {
    const from = placeOf(path);
    return importsOf(path).filter((target) => {
      const to = placeOf(target);
      if (from === undefined || to === undefined) return true;
      return from.entry === to.entry ? false : to.row <= from.row;
    }).map((target) => `${path} -> ${target}`);
  });
  assertEquals(wrong, []);
});

Deno.test("only lib/sys/ touches the runtime", () => {
  const wrong = SOURCES.filter((path) =>
    !path.startsWith("lib/sys/") && /\bDeno\.|"node:|\bprocess\./.test(code(path))
  );
  assertEquals(wrong, []);
});

Deno.test("lib/ uses nothing that Node 20 lacks", () => {
  const newer =
    /\b(?:Map|Object)\.groupBy\b|\bPromise\.(?:withResolvers|try)\b|\bArray\.fromAsync\b|\bRegExp\.escape\b|(?:\.(?:values|keys|entries)\(\)|\.matchAll\([^()]*\))\s*\.(?:map|filter|flatMap|some|every|find|take|drop|toArray|reduce)\(|\b(?:to|from)(?:Base64|Hex)\(|\bIterator\.from\b/;
  const wrong = SOURCES.filter((path) => newer.test(code(path)));
  assertEquals(wrong, []);
});

Deno.test("no module imports itself on a way round, not for a type either", () => {
  const imports = new Map(FILES.map((path) => [path, importsOf(path)]));
  const wrong = SOURCES.filter((path) => {
    const targets = reachedFrom(path, (from) => imports.get(from)!.filter((to) => to !== path));
    return [...targets].some((from) => imports.get(from)!.includes(path));
  });
  assertEquals(wrong, []);
});

Deno.test("what calls itself pure reaches neither disk, network nor clock, nor does what it loads", () => {
  const isPure = (path: string) => /^\/\*\*(?:(?!\*\/)[^])*\bPure\b/.test(read(path));
  const touches = /\bsys\b\./.source +
    /|\bfetch\(|Date\.now\b|new Date\(\)|performance\.now\b|Math\.random\b/.source;
  const wrong = SOURCES.filter(isPure).flatMap((path) =>
    Array.from(reachedFrom(path, loadedWith))
      .filter((reached) => new RegExp(touches).test(code(reached)))
      .map((reached) => `${path} -> ${reached}`)
  );
  assertEquals(wrong, []);
});

Deno.test("what runs agents is loaded only where one is run, or looked at", () => {
  const runs = /^lib\/agents\/(?:configured|fallback|host_reply|installed|preset|http\/)/;
  const types = /\b(import|export) type [^;]*;/g;
  const atStart = (path: string) =>
    importsOf(path, code(path).replace(types, "").replace(/\bimport\("[^"]+"\)/g, ""));
  const starts = SOURCES.filter((path) =>
    /^(cli\.ts|lib\/(commands|workspace|doctor)\/)/.test(path) &&
    !/^lib\/commands\/(?:agents|run|agents\/test|workflow\/run)\.ts$/.test(path)
  );
  const wrong = starts.flatMap((path) =>
    Array.from(reachedFrom(path, atStart)).filter((reached) => runs.test(reached))
      .map((reached) => `${path} -> ${reached}`)
  );
  assertEquals(wrong, []);
});

Deno.test("source is ASCII", () => {
  const all = [
    ...FILES,
    "CHANGELOG.md",
    "README.md",
    ...Array.from(
      walkSync(`${ROOT}docs`, { includeDirs: false, skip: [/\.png$/] }),
      ({ path }) => path.slice(ROOT.length),
    ),
    "deno.json",
    ".ci/run",
    ".github/ARCHITECTURE.md",
    ".github/CONTRIBUTING.md",
  ];
  // deno-lint-ignore no-control-regex -- that is what ASCII is
  assertEquals(all.filter((path) => /[^\x00-\x7f]/.test(read(path))), []);
});

const DESIGN = Array.from(
  Deno.readDirSync(`${ROOT}docs/design`),
  ({ name }) => `docs/design/${name}`,
);

Deno.test("ARCHITECTURE and docs/design: each file and folder that they name exists", () => {
  const paths = Array.from(walkSync(ROOT, { skip: [/\/\.git\//] }), ({ path, isDirectory }) => {
    return `/${path.slice(ROOT.length)}${isDirectory ? "/" : ""}`;
  });
  // Some are named from a folder on; `state/` is in the workspace of a user.
  const wrong = [".github/ARCHITECTURE.md", ...DESIGN].flatMap((page) => {
    const named = Array.from(read(page).matchAll(/`([\w./]+)`/g), ([, name]) => name)
      .filter((name) => /\/|\.ts$/.test(name) && !/^state\//.test(name));
    return named.filter((name) =>
      !["", ".ts", "/"].some((end) => paths.some((path) => path.endsWith(`/${name}${end}`)))
    ).map((name) => `${page}: ${name}`);
  });
  assertEquals(wrong, []);
});

Deno.test("ARCHITECTURE: each room of lib/ has its place in the tree", () => {
  const cells = read(".github/ARCHITECTURE.md").matchAll(/(?<=^\| )`(lib\/\w+\/)`/gm);
  const rooms = LAYERS.flat().filter((room) => room.endsWith("/"));
  assertEquals(Array.from(cells, ([, name]) => name), rooms);
});

Deno.test("the top level holds nothing but what the house names", () => {
  const allowed =
    /^(deno\.json|deno\.lock|mod\.ts|cli\.ts|lib|workers|tests|bench|docs|dist|README\.md|CHANGELOG\.md|LICENSE|\..+)$/;
  const names = Array.from(Deno.readDirSync(ROOT), ({ name }) => name);
  assertEquals(names.filter((name) => !allowed.test(name)), []);
});
