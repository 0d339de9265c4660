// The files of a repository that memory compares its observations with. They are only read. Files outside the
// repository and files of git or agentx are excluded, and the amount is limited.

import { hasCode } from "../base/errors.ts";
import type { SourceTree } from "../memory/anchors/anchors.ts";
import { sys } from "../sys/mod.ts";
import { headCommit, trackedPaths } from "../git/tracked_paths.ts";
import { repositoryAbove } from "../git/repository.ts";

/** How much a {@linkcode WorkingTree} may read. */
export interface TreeLimits {
  /** Maximum number of files to open. */
  files: number;
  /** Maximum number of characters of all files together. */
  characters: number;
}

/** Limits of a capture, which looks for symbols in all sources. */
export const CAPTURE_LIMITS: TreeLimits = { files: 5_000, characters: 20_000_000 };

/** Limits of a recall. They are lower, because a session waits for it. */
export const RECALL_LIMITS: TreeLimits = { files: 100, characters: 2_000_000 };

/** Maximum size of a file to read. A larger file is probably generated, or data. */
const MAX_FILE_BYTES = 1_000_000;

/** Maximum number of paths to consider, however large the repository is. */
const MAX_PATHS = 20_000;

const LEFT_OUT = /(?:^|\/)(?:\.git|\.agentx|node_modules)(?:\/|$)/;

const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|scala|rb|php|cs|swift|c|cc|cpp|h|hpp|ex|exs|lua|sh|sql|tf|vue|svelte)$/;

/** The working tree of a checkout, cached for the run of one command. */
export class WorkingTree implements SourceTree {
  readonly #folder: string;
  readonly #texts = new Map<string, string | null | undefined>();
  #left: TreeLimits;

  constructor(folder: string, limits: TreeLimits) {
    this.#folder = sys.realPath(folder) ?? folder;
    this.#left = { ...limits };
  }

  /** @inheritdoc */
  read(path: string): string | null | undefined {
    if (!this.#texts.has(path)) this.#texts.set(path, this.#readNow(path));
    return this.#texts.get(path);
  }

  /** @inheritdoc */
  *sources(): Iterable<string> {
    const repository = repositoryAbove(this.#folder);
    if (repository === undefined) return;
    for (const path of trackedPaths(this.#folder, repository, MAX_PATHS)) {
      if (this.#isSpent()) return;
      if (SOURCE.test(path) && !LEFT_OUT.test(path)) yield path;
    }
  }

  /** @inheritdoc */
  commit(): string | undefined {
    const repository = repositoryAbove(this.#folder);
    return repository && headCommit(repository);
  }

  #isSpent(): boolean {
    return this.#left.files <= 0 || this.#left.characters <= 0;
  }

  #readNow(path: string): string | null | undefined {
    if (LEFT_OUT.test(path) || path.startsWith("/")) return undefined;
    try {
      const real = sys.realPath(`${this.#folder}/${path}`);
      if (real === undefined) return null;
      if (!real.startsWith(`${this.#folder}/`)) return undefined;
      const info = sys.lstat(real);
      if (info?.kind !== "file" || info.size > MAX_FILE_BYTES || this.#isSpent()) return undefined;
      const text = sys.readTextFile(real);
      this.#left.files--;
      this.#left.characters -= text?.length ?? 0;
      return text ?? null;
    } catch (error) {
      if (hasCode(error, "IO_ERROR")) return undefined;
      throw error;
    }
  }
}
