/**
 * A disk that is really full: a little memory, where mounting is allowed.
 *
 * @module
 */

/** A disk of its own, unmounted at the end. */
export class SmallDisk implements Disposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Mounts one of so many KB; undefined where that is not allowed, and says so. */
  static mount(kilobytes: number): SmallDisk | undefined {
    const path = Deno.makeTempDirSync({ prefix: "agentx-disk-" });
    if (run("mount", "-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", path)) {
      return new SmallDisk(path);
    }
    Deno.removeSync(path);
    console.warn("cannot mount a tmpfs: skipping the real ENOSPC");
    return undefined;
  }

  /** Takes all the space that is left. */
  fill(): void {
    while (true) {
      try {
        Deno.writeFileSync(`${this.path}/filler`, new Uint8Array(4_096), { append: true });
      } catch {
        return;
      }
    }
  }

  /** Gives some of it back. */
  free(bytes: number): void {
    const { size } = Deno.statSync(`${this.path}/filler`);
    Deno.truncateSync(`${this.path}/filler`, Math.max(0, size - bytes));
  }

  [Symbol.dispose](): void {
    run("umount", this.path);
    Deno.removeSync(this.path);
  }
}

function run(...[program, ...args]: string[]): boolean {
  try {
    return new Deno.Command(program, { args, stderr: "null" }).outputSync().success;
  } catch {
    return false; // there is no such program, as on macOS
  }
}
