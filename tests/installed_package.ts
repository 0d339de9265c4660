/**
 * The npm package as its users get it: built, packed, and installed.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { removeFolder } from "./remove_folder.ts";

const ROOT = new URL("../", import.meta.url).pathname;

const INSTALL = ["npm", "install", "--offline", "--no-audit", "--no-fund"];

/** What a program printed. */
export interface Result {
  code: number;
  out: string;
  err: string;
}

/** The package, installed without a network into empty folders. */
export class InstalledPackage {
  readonly folder: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-npm-" }));
  /** As `npm pack` makes it. */
  readonly tarball: string = `${this.folder}/agentx-toolkit-0.2.0.tgz`;
  /** The folder that `npm install --global` puts on the PATH of its users. */
  readonly bin: string = `${this.folder}/prefix/bin`;

  static async make(): Promise<InstalledPackage> {
    const made = new InstalledPackage();
    const { folder, tarball } = made;
    for (const name of ["home", "npm-home", "project", "prefix"]) {
      Deno.mkdirSync(`${folder}/${name}`);
    }
    await made.must([Deno.execPath(), "run", "-A", `${ROOT}.ci/npm.ts`, `${folder}/built`]);
    await made.must(["npm", "pack", "--silent", "--pack-destination", folder, `${folder}/built`]);
    await made.must([...INSTALL, "--global", "--prefix", `${folder}/prefix`, tarball]);
    const home = { HOME: `${folder}/npm-home` };
    await made.must([...INSTALL, "--prefix", `${folder}/project`, tarball], home);
    return made;
  }

  /** A home that no program was in yet. */
  emptyHome(): string {
    return Deno.makeTempDirSync({ dir: this.folder });
  }

  /** Runs a program in a home of its own, and in the folder whose `node_modules` has the package. */
  async run(
    [program, ...args]: string[],
    { env = {}, cwd = `${this.folder}/project`, signal }: Deno.CommandOptions = {},
  ): Promise<Result> {
    const { code, stdout, stderr } = await new Deno.Command(program, {
      args,
      cwd,
      signal,
      clearEnv: true,
      env: {
        PATH: `${this.bin}:${Deno.env.get("PATH")}`,
        HOME: `${this.folder}/home`,
        NO_COLOR: "1",
        ...env,
      },
    }).output();
    const decoder = new TextDecoder();
    return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
  }

  /** Runs a program in the home of the caller, and fails with it. */
  async must(argv: string[], env: Record<string, string> = {}): Promise<string> {
    const { code, out, err } = await this.run(argv, { env: { ...Deno.env.toObject(), ...env } });
    assertEquals(code, 0, `${argv.join(" ")}: ${err}${out}`);
    return out;
  }

  remove(): void {
    removeFolder(this.folder);
  }
}

/** Whether a program can be tried; it is named where not. */
export async function isInstalled(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["--version"] }).output()).success;
  } catch {
    console.warn(`${program} is not on PATH: what needs it was not tried`);
    return false;
  }
}
