/**
 * Packages for tests, as folders and as archives.
 *
 * @module
 */

import { NAMESPACE, PLUGIN_SCHEMA } from "../../../lib/plugins/manifest.ts";

/** A manifest that fits, with what a test changes. */
export function manifest(more: Record<string, unknown> = {}): string {
  return JSON.stringify({ $schema: PLUGIN_SCHEMA, name: "shop", version: "1.0.0", ...more });
}

/** The files of a package with one command, `go`, that runs a script. */
export function withCommand(
  script: string,
  command: Record<string, unknown> = {},
  file = "go.js",
): Record<string, string> {
  const run = [`./${NAMESPACE}/${file}`];
  const commands = { go: { summary: "Goes", run, ...command } };
  return {
    "plugin.json": manifest({ extensions: { [NAMESPACE]: { commands } } }),
    [`${NAMESPACE}/${file}`]: script,
  };
}

export function skillText(name: string, description = "Greets."): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\nGreet.\n`;
}

/** Writes the files of a package below a folder. */
export function writePackage(folder: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    const full = `${folder}/${path}`;
    Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(full, text, { mode: path.startsWith("bin/") ? 0o755 : 0o644 });
  }
  return folder;
}

/** An entry of an archive; `kind` as tar has it. */
export interface Entry {
  name: string;
  text?: string;
  kind?: string;
}

/** An archive of tar. */
export function tarOf(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = entries.flatMap(({ name, text = "", kind = "0" }) => {
    const content = encoder.encode(text);
    const header = new Uint8Array(512);
    const put = (at: number, value: string) => header.set(encoder.encode(value), at);
    put(0, name);
    put(100, "0000644\0");
    put(124, `${content.length.toString(8).padStart(11, "0")}\0`);
    put(148, "        ");
    put(156, kind);
    put(257, "ustar\x0000");
    const sum = header.reduce((all, byte) => all + byte, 0);
    put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
    const padded = new Uint8Array(Math.ceil(content.length / 512) * 512);
    padded.set(content);
    return [header, padded];
  });
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 1_024));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}
