/**
 * Ordinary text in which every cut is a false alarm: this repository's own files, read as they are, and
 * excerpts of READMEs and CHANGELOGs under `prose/`, each with its source and licence in its first lines.
 *
 * Left out are this folder and `lib/redact`: they speak of secrets by trade.
 *
 * @module
 */

import { walkSync } from "@std/fs/walk";
import type { Ordinary } from "./score.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const TRADE = /^tests\/redact\/|^lib\/redact|^bench\/retrieval\//;

/**
 * @param half which excerpts
 * @returns the files of `prose/`
 */
export function prose(half: "dev" | "held_out"): Ordinary[] {
  return filesIn(`tests/redact/prose/${half}`);
}

/** @returns the text files of this repository */
export function ownFiles(): Ordinary[] {
  const folders = ["lib", "tests", "bench", "docs", "workers", ".github"].flatMap(filesIn);
  const top = ["README.md", "LICENSE", "mod.ts", "cli.ts", "deno.json", "deno.lock"].map(read);
  return [...folders, ...top].filter(({ name }) => !TRADE.test(name));
}

function filesIn(folder: string): Ordinary[] {
  return Array.from(
    walkSync(ROOT + folder, { includeDirs: false }),
    ({ path }) => path.slice(ROOT.length),
  ).sort().map(read);
}

function read(name: string): Ordinary {
  return { name, text: Deno.readTextFileSync(ROOT + name) };
}
