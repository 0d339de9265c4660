/**
 * A folder for one test.
 *
 * @module
 */

/** A folder that is removed at the end of the block that is `using` it. */
export class TempFolder implements Disposable {
  readonly path: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-lock-" }));

  /** The path of a file in it. */
  file(name: string): string {
    return `${this.path}/${name}`;
  }

  /** What is in it, sorted. */
  names(): string[] {
    return Array.from(Deno.readDirSync(this.path), ({ name }) => name).sort();
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}
