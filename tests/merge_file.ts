/**
 * Merging one file as git does it.
 *
 * @module
 */

/**
 * @param options `--union`, as `merge=union` in `.gitattributes` has it; or none: with conflict marks
 * @param texts ours, what both began with, and theirs
 * @returns the merged text
 */
export function mergeFile(options: readonly string[], ...texts: readonly string[]): string {
  const folder = Deno.makeTempDirSync();
  const paths = texts.map((text, index) => {
    const path = `${folder}/${index}`;
    Deno.writeTextFileSync(path, text);
    return path;
  });
  const args = ["merge-file", "-p", ...options, ...paths];
  const { stdout } = new Deno.Command("git", { args }).outputSync();
  Deno.removeSync(folder, { recursive: true });
  return new TextDecoder().decode(stdout);
}
