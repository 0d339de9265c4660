// Claims as refs that are read and written through GitHub's REST API, for a clone that has a token but cannot push with
// git. The refs are the same, so clones of both kinds see each other's claims.
//
// `POST /git/refs` refuses to create a ref that exists. `PATCH` with `force: false` accepts a child of the commit that
// was read, and refuses it if the ref has moved. Nothing here deletes a ref, because a deletion has no precondition.

import { isObject, type JsonObject, objectOf, stringOf } from "../base/checks.ts";
import type { GitHubClient } from "../github/client.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
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

/** Statuses of a repository without commits, and of a token that may not read or write its refs. */
const NO_REFS = [403, 404, 409];

/** Maximum attempts for a change without an answer. */
const MAX_TRIES = 8;

/** A small tree for the commits of claims, so that fetching the ref downloads no file of the repository. */
const TREE = [{ path: "claim", mode: "100644", type: "blob", content: "A claim of agentx\n" }];

/** The commit of each ref as last read, with the first paragraph of its message. */
type Known = Record<string, { id: string; subject: string }>;

export interface GitHubClaimsOptions {
  /** Returns a client with the user's token; called before the first request. */
  client: () => Promise<GitHubClient>;
  /** Such as `github.com/acme/shop`. */
  name: string;
  /** The folder in the user's own state that keeps the claims read so far. */
  folder: string;
  /** Called with one sentence if claims hold on this machine only. */
  notify: (message: string) => void;
}

export class GitHubClaims implements ClaimRefs {
  readonly #options: GitHubClaimsOptions;
  readonly #known: JsonFile<Known>;
  readonly #git: string;
  #isNoted = false;

  constructor(options: GitHubClaimsOptions) {
    this.#options = options;
    this.#git = `/repos/${options.name.slice(options.name.indexOf("/") + 1)}/git`;
    this.#known = new JsonFile(`${options.folder}/github-claims.json`, new FileLockManager(), {
      problemWith: (value) => isObject(value) ? undefined : "it must hold commits by ref",
      kind: "state",
      fsync: false,
    });
  }

  async fetchAll(): Promise<void> {
    const client = await this.#options.client();
    const path = `${this.#git}/matching-refs/${CLAIMS.slice("refs/".length)}`;
    const { items } = await client.list(path, { emptyOn: NO_REFS });
    const before = this.#known.read() ?? {};
    const now: Known = {};
    for (const item of items) {
      const name = stringOf(item.ref);
      const id = commitOf(item);
      if (name === undefined || id === undefined || !name.startsWith(CLAIMS)) continue;
      const known = Object.hasOwn(before, name) ? before[name] : undefined;
      now[name] = known?.id === id ? known : { id, subject: await this.#subject(id) };
    }
    await this.#known.update("claims", () => now);
  }

  all(): Promise<Map<string, ClaimAt>> {
    const known = Object.entries(this.#known.read() ?? {});
    return Promise.resolve(claimsIn(known.map(([name, ref]) => ({ name, ...ref }))));
  }

  async known(key: string): Promise<ClaimAt | undefined> {
    return (await this.all()).get(key);
  }

  async read(key: string): Promise<ClaimAt | undefined> {
    const name = claimRef(key);
    const client = await this.#options.client();
    const ref = await client.find(`${this.#git}/ref/${name.slice("refs/".length)}`, NO_REFS);
    const id = ref && commitOf(ref);
    await this.#note(name, id === undefined ? undefined : { id, subject: await this.#subject(id) });
    return await this.known(key);
  }

  async write(claim: RemoteClaim, before: string | null): Promise<boolean> {
    const tree = await this.#make("trees", { tree: TREE });
    const message = `${encodeClaim(claim)}\n\n[skip ci]`;
    const parents = before === null ? [] : [before];
    const id = tree && await this.#make("commits", { message, tree, parents });
    if (id === undefined) {
      // Claims of others were read before, but nobody else can learn of this one.
      if (!this.#isNoted) this.#options.notify(this.#whyAlone());
      this.#isNoted = true;
      return true;
    }
    const client = await this.#options.client();
    const name = claimRef(claim.key);
    const send = async () => {
      const sent = before === null
        ? await client.send("POST", `${this.#git}/refs`, { ref: name, sha: id })
        : await client.send("PATCH", `${this.#git}/${name}`, { sha: id, force: false });
      if (sent === "unclear" || [409, 422].includes(sent.status)) return "unclear";
      if (sent.status < 300) return "done";
      throw client.refusal(`it refuses the claim (${stringOf(sent.body.message) ?? sent.status})`);
    };
    const move = { key: claim.key, id, before, tries: MAX_TRIES, remote: this.#options.name, send };
    const isWon = await moveClaim(this, move);
    if (isWon) await this.#note(name, { id, subject: encodeClaim(claim) });
    return isWon;
  }

  #whyAlone(): string {
    return `Claims are this machine's alone: ${this.#options.name} has no commit yet, or the token ` +
      "may not write there (contents: write)";
  }

  /**
   * Creates an object and returns its id, which depends only on the content; undefined if the token may not create it.
   */
  async #make(kind: "trees" | "commits", body: JsonObject): Promise<string | undefined> {
    const client = await this.#options.client();
    for (let left = MAX_TRIES;; left--) {
      const sent = await client.send("POST", `${this.#git}/${kind}`, body);
      if (sent === "unclear" && left > 0) continue;
      if (sent === "unclear") throw client.refusal("it did not answer a claim");
      if (NO_REFS.includes(sent.status)) return undefined;
      const sha = stringOf(sent.body.sha);
      if (sent.status === 201 && sha !== undefined) return sha;
      throw client.refusal(`it refuses the claim (${stringOf(sent.body.message) ?? sent.status})`);
    }
  }

  async #note(name: string, ref: Known[string] | undefined): Promise<void> {
    await this.#known.update("claims", ({ [name]: _before, ...others } = {}) => {
      return ref === undefined ? others : { ...others, [name]: ref };
    });
  }

  async #subject(id: string): Promise<string> {
    const { message } = await (await this.#options.client()).get(`${this.#git}/commits/${id}`);
    return (stringOf(message) ?? "").split(/\n\s*\n/)[0].replaceAll("\n", " ");
  }
}

function commitOf(ref: JsonObject): string | undefined {
  const { type, sha } = objectOf(ref.object);
  return type === "commit" ? stringOf(sha) : undefined;
}
