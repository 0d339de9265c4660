// Keeps claims as refs that git reads and writes.

import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import {
  type ClaimAt,
  claimRef,
  type ClaimRefs,
  CLAIMS,
  claimsIn,
  encodeClaim,
  moveClaim,
  type RemoteClaim,
} from "./claims.ts";
import type { FetchOptions, GitRemote } from "./git_remote.ts";

/** Maximum attempts to change a ref that is locked. */
const MAX_TRIES = 60;

export class GitClaims implements ClaimRefs {
  readonly #git: GitRemote;

  constructor(git: GitRemote) {
    this.#git = git;
  }

  async fetchAll(how?: FetchOptions): Promise<void> {
    await this.#git.fetch(CLAIMS, how);
  }

  async all(): Promise<Map<string, ClaimAt>> {
    return claimsIn(await this.#git.refs(CLAIMS));
  }

  async known(key: string): Promise<ClaimAt | undefined> {
    return claimsIn(await this.#git.refs(claimRef(key))).get(key);
  }

  async read(key: string): Promise<ClaimAt | undefined> {
    await this.#git.fetch(claimRef(key));
    return await this.known(key);
  }

  async write(claim: RemoteClaim, before: string | null): Promise<boolean> {
    const { key } = claim;
    const nowMs = sys.now();
    const id = await this.#git.commit(encodeClaim(claim), { parent: before ?? undefined, nowMs });
    const send = async () => {
      try {
        const [pushed] = await this.#git.push([{ name: claimRef(key), id, before }]);
        return pushed;
      } catch (error) {
        if (!hasCode(error, "SYNC_ERROR") || error.details.isRefused) throw error;
        return "unclear";
      }
    };
    const remote = this.#git.name;
    return await moveClaim(this, { key, id, before, tries: MAX_TRIES, remote, send });
  }
}
