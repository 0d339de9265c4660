/**
 * A git repository in a temp folder, with room for worktrees beside it.
 *
 * @module
 */

import { removeFolder } from "../remove_folder.ts";

const HAS_GIT = hasGit();

/** A test that needs git itself: a bare machine, which has none, leaves it out. */
export function testWithGit(name: string, fn: () => void | Promise<void>): void {
  Deno.test({ name, ignore: !HAS_GIT, fn });
}

/** Removed at the end of the block that is `using` it. */
export class TempRepository implements Disposable {
  /** Holds the repository and whatever stands beside it. */
  readonly outside: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-test-" }));
  readonly root = `${this.outside}/main`;

  constructor() {
    Deno.mkdirSync(`${this.root}/.git`, { recursive: true });
    if (!HAS_GIT) {
      Deno.writeTextFileSync(`${this.root}/.git/HEAD`, "ref: refs/heads/main\n");
      return;
    }
    this.git("init", "--quiet");
    this.git("commit", "--quiet", "--allow-empty", "--message", "begin");
  }

  /** Runs git in the main checkout, or in another folder. */
  git(...args: string[]): void {
    this.gitIn(this.root, ...args);
  }

  gitIn(folder: string, ...args: string[]): void {
    this.#run(folder, args);
  }

  /** Runs git in the main checkout. Returns the words that it prints. */
  outputOf(...args: string[]): string[] {
    return this.#run(this.root, args).trim().split(/\s+/);
  }

  #run(folder: string, args: string[]): string {
    const settings = ["user.name=t", "user.email=t@example.org", "protocol.file.allow=always"];
    const { success, stdout, stderr } = new Deno.Command("git", {
      args: ["-C", folder, ...settings.flatMap((setting) => ["-c", setting]), ...args],
      env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    }).outputSync();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  }

  /** Makes a linked worktree beside the main checkout. */
  worktree(name = "second"): string {
    const path = `${this.outside}/${name}`;
    this.git("worktree", "add", "--quiet", "--detach", path);
    return path;
  }

  /** Makes folders under the one that holds the repository. */
  folder(path: string): string {
    Deno.mkdirSync(`${this.outside}/${path}`, { recursive: true });
    return `${this.outside}/${path}`;
  }

  [Symbol.dispose](): void {
    removeFolder(this.outside);
  }
}

function hasGit(): boolean {
  try {
    return new Deno.Command("git", { args: ["--version"] }).outputSync().success;
  } catch {
    return false; // there is no such program
  }
}
