/**
 * Nothing is exported for nobody: what a module gives away, another one takes, and each door of the
 * package shows how.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";

const ROOT = new URL("../", import.meta.url);

const { name: PACKAGE, exports: EXPORTED } = JSON.parse(
  Deno.readTextFileSync(new URL("deno.json", ROOT)),
);

/** The module behind each door of the package: others import these. */
const DOORS = new Map<string, string>(
  Object.entries<string>(EXPORTED).map(([door, path]) => [door, new URL(path, ROOT).href]),
);
/** And what the npm package bundles by itself. */
const BUNDLED = ["daily_program.ts", "hook/guard_program.ts", "hook/hook_program.ts"]
  .map((name) => new URL(`lib/commands/${name}`, ROOT).href);
const DOOR_MODULES = new Set([...DOORS.values(), ...BUNDLED]);

const IMPORTS =
  /\b(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|\*[^"]*?)\s*from\s*"(\.[^"]+)"|\{([^{}]*)\}\s*=\s*(?:\(?\s*await\s+)?import\(\s*"(\.[^"]+)"\s*\)|\bimport\(\s*"(\.[^"]+)"\s*\)/g;
const EXPORTS =
  /^export\s+(?:async\s+|abstract\s+)*(function\*?|const|class|interface|type)\s+(\w+)/gm;
const WHOLE = "*";

/** The code of each module of the repository, by its address and without comments. */
const MODULES = new Map(
  Array.from(
    walkSync(ROOT.pathname, { includeDirs: false, exts: ["ts"], skip: [/node_modules|\/dist\//] }),
    ({ path }) => [
      new URL(path, ROOT).href,
      Deno.readTextFileSync(path).replace(/\/\*[\s\S]*?\*\//g, ""),
    ],
  ),
);

/** Which names of which module are taken, by any other. */
const TAKEN = new Map<string, Set<string>>();
for (const [module, code] of MODULES) {
  for (const [, named, path, loaded, loadedPath, wholePath] of code.matchAll(IMPORTS)) {
    const target = new URL(path ?? loadedPath ?? wholePath, module).href;
    const taken = TAKEN.get(target) ?? new Set();
    TAKEN.set(target, taken);
    for (const name of (named ?? loaded ?? WHOLE).split(",")) {
      taken.add(name.trim().replace(/^type\s+/, "").split(/\s+as\s+|:/)[0].trim());
    }
  }
}

/** A type that another export of its module uses has to be exported, and may be taken by nobody. */
function isTaken(module: string, kind: string, name: string): boolean {
  const taken = TAKEN.get(module);
  if (taken?.has(name) || taken?.has(WHOLE)) return true;
  const uses = MODULES.get(module)!.match(new RegExp(`\\b${name}\\b`, "g"))!.length;
  return (kind === "interface" || kind === "type") && uses > 1;
}

Deno.test("each export of lib/ is imported by another module", () => {
  const lib = new URL("lib/", ROOT).href;
  const unused = Array.from(MODULES).flatMap(([module, code]) =>
    !module.startsWith(lib) || module.startsWith(`${lib}std/`) || DOOR_MODULES.has(module)
      ? []
      : Array.from(code.matchAll(EXPORTS))
        .filter(([, kind, name]) => !isTaken(module, kind, name))
        .map(([, , name]) => `${module.slice(ROOT.href.length)}: ${name}`)
  );
  assertEquals(unused, []);
});

Deno.test("each door of the package has an example in the documentation of its module", () => {
  const without = Array.from(DOORS).filter(([door, module]) => {
    const [documentation] = Deno.readTextFileSync(new URL(module)).split(" */", 1);
    const examples = documentation.match(/^ \* ```ts\n[^]*?^ \* ```$/gm) ?? [];
    return !examples.some((code) => code.includes(` from "${PACKAGE}${door.slice(1)}";`));
  });
  assertEquals(without.map(([door]) => door), []);
});
