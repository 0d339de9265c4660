/**
 * Somebody who writes to a bare repository as no machine of ours does.
 *
 * @module
 */

import { git } from "./temp_machines.ts";

/** The id of its machine. */
export const STRANGER = "stranger0000";

/** Writes an object into the bare repository; returns its id. */
export async function object(
  bare: string,
  type: string,
  content: string | Uint8Array,
): Promise<string> {
  const child = new Deno.Command("git", {
    args: ["hash-object", "-w", "-t", type, "--literally", "--stdin"],
    cwd: bare,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(typeof content === "string" ? new TextEncoder().encode(content) : content);
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout).trim();
}

/** Writes a commit; returns its id. */
export async function commit(bare: string, subject: string, tree: string): Promise<string> {
  const who = "x <x@example.com> 1790000000 +0000";
  return await object(
    bare,
    "commit",
    `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\n${subject}\n`,
  );
}

/** Writes a tree of files by their ids; returns its id. */
export async function treeOf(bare: string, files: Record<string, string>): Promise<string> {
  const rows = Object.entries(files).map(([name, id]) => `100644 blob ${id}\t${name}\n`).join("");
  const child = new Deno.Command("git", {
    args: ["mktree", "--missing"],
    cwd: bare,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(rows));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout).trim();
}

/** The lines of a stranger, as its ref has them. */
export async function stranger(
  bare: string,
  lines: readonly unknown[],
  id = STRANGER,
): Promise<void> {
  const text = lines.map((line) => typeof line === "string" ? line : JSON.stringify(line));
  const blob = await object(bare, "blob", `${text.join("\n")}\n`);
  await headOf(bare, { "0001.jsonl": blob }, id);
}

/** The ref of a machine with files of these ids. */
export async function headOf(
  bare: string,
  files: Record<string, string>,
  id = STRANGER,
): Promise<void> {
  const head = {
    v: 1,
    machine: { id, name: "stranger", login: "mallory" },
    files: Object.keys(files).length,
    at: new Date().toISOString(),
    serves: [],
  };
  const made = await commit(bare, JSON.stringify(head), await treeOf(bare, files));
  git(bare, "update-ref", `refs/agentx/machines/${id}`, made);
}
