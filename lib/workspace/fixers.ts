// Finds the fixers of a project from its own files: eslint, prettier, biome, ruff and gofmt. Nothing is run.

import { objectOf, tryParseJson } from "../base/checks.ts";
import { sys } from "../sys/mod.ts";

const CODE = ["js", "jsx", "ts", "tsx"];

/** Returns program and arguments by glob pattern. A second fixer for the same files gets another pattern. */
export function fixersOf(root: string): Record<string, string[]> {
  const names = sys.readDir(root);
  const read = (name: string) => sys.readTextFile(`${root}/${name}`) ?? "";
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  const manifest = objectOf(tryParseJson(read("package.json")));
  const npx = (...words: string[]) => ["npx", "--no-install", ...words];
  const all = (start: string, ends: readonly string[], command: string[]) =>
    Object.fromEntries(ends.map((end) => [`${start}.${end}`, command]));
  const hasEslint = has(/^(?:\.eslintrc(?:\..+)?|eslint\.config\.\w+)$/) ||
    "eslintConfig" in manifest;
  const hasPrettier = has(/^(?:\.prettierrc(?:\..+)?|prettier\.config\.\w+)$/) ||
    "prettier" in manifest;
  const hasRuff = has(/^\.?ruff\.toml$/) || /^\[tool\.ruff\b/m.test(read("pyproject.toml"));
  return {
    ...has(/^biome\.jsonc?$/) && all("*", [...CODE, "json"], npx("biome", "check", "--write")),
    ...hasEslint && all("*", CODE, npx("eslint", "--fix")),
    ...hasPrettier && all("**/*", [...CODE, "css", "json", "md"], npx("prettier", "--write")),
    ...hasRuff && { "*.py": ["ruff", "check", "--fix"], "**/*.py": ["ruff", "format"] },
    ...has(/^go\.mod$/) && { "*.go": ["gofmt", "-w"] },
  };
}
