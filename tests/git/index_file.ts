/**
 * An index of git, written without git.
 *
 * @module
 */

/** One path in an index. */
export interface PlantedEntry {
  path: string;
  /**
   * Kind and permissions: `0o160000` for a submodule, `0o120000` for a link, `0o40000` for a folder
   * that is left out of the checkout.
   *
   * @default {0o100644}
   */
  mode?: number;
}

/** Options of {@linkcode plantIndex}. */
export interface PlantOptions {
  /** @default {2} */
  version?: 2 | 3 | 4;
  /** @default {20} */
  hashBytes?: 20 | 32;
  /** The folder that is `.git`. @default {`${checkout}/.git`} */
  gitFolder?: string;
  /** Put the entries into a shared part beside the index. @default {false} */
  isSplit?: boolean;
}

/** Makes a folder a repository whose index tracks some paths. */
export function plantIndex(
  checkout: string,
  entries: ReadonlyArray<string | PlantedEntry>,
  options: PlantOptions = {},
): void {
  const { hashBytes = 20, gitFolder = `${checkout}/.git`, isSplit = false } = options;
  Deno.mkdirSync(gitFolder, { recursive: true });
  Deno.writeTextFileSync(`${gitFolder}/HEAD`, "ref: refs/heads/main\n");
  const format = hashBytes === 32 ? "[extensions]\n\tobjectFormat = sha256\n" : "";
  Deno.writeTextFileSync(`${gitFolder}/config`, `[core]\n\tbare = false\n${format}`);
  const full = entries.map((entry) => typeof entry === "string" ? { path: entry } : entry);
  const index = indexBytes(full, options);
  if (!isSplit) return Deno.writeFileSync(`${gitFolder}/index`, index);
  const link = join(
    text("link"),
    number(20 + 24),
    new Uint8Array(20).fill(0xab),
    new Uint8Array(24),
  );
  Deno.writeFileSync(`${gitFolder}/sharedindex.${"ab".repeat(20)}`, index);
  Deno.writeFileSync(`${gitFolder}/index`, indexBytes([], options, link));
}

function indexBytes(
  entries: readonly PlantedEntry[],
  { version = 2, hashBytes = 20 }: PlantOptions,
  extension: Uint8Array = new Uint8Array(),
): Uint8Array {
  const sorted = [...entries].sort((a, b) => a.path < b.path ? -1 : 1);
  const parts = sorted.map(({ path, mode = 0o100644 }, index) => {
    const stat = join(new Uint8Array(24), number(mode), new Uint8Array(12));
    const flags = version === 3 ? Uint8Array.of(0x40, 0, 0x20, 0) : new Uint8Array(2);
    const head = join(stat, new Uint8Array(hashBytes), flags);
    if (version === 4) {
      const before = sorted[index - 1]?.path ?? "";
      return join(head, offset(before.length), text(path), new Uint8Array(1));
    }
    const length = head.length + path.length;
    return join(head, text(path), new Uint8Array(8 - length % 8));
  });
  const header = join(text("DIRC"), number(version), number(entries.length));
  return join(header, ...parts, extension, new Uint8Array(hashBytes));
}

/** How much of the path before is given up: less than 16,512 bytes. */
function offset(value: number): Uint8Array {
  if (value < 128) return Uint8Array.of(value);
  return Uint8Array.of(128 | (value - 128) >> 7, (value - 128) & 127);
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function number(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
