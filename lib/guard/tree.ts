// Decides where the words of a command lead: inside the working tree, out of it, or to a file of secrets. Only the
// text of a word counts; links are not followed. Pure.

import { known, type Word } from "./command_line.ts";

export interface TreePlace {
  root: string;
  cwd: string;
  home: string;
  /** The root as the host spells it, if that path leads through a link. */
  spelledRoot?: string | undefined;
  /** Whether a lock file of the project names a package. */
  isLocked?: (name: string) => boolean;
  /** Whether git tracks a file, given its path relative to the root. */
  isTracked?: (path: string) => boolean;
}

/** Paths that may hold a secret. */
const SECRET = new RegExp(
  String
    .raw`(^|[/=:@])(\.env(?!\.(example|sample|template|dist)$)(\.[^/]*)?|\.envrc|\.netrc|\.npmrc|` +
    String
      .raw`\.pypirc|\.git-credentials|\.pgpass|\.htpasswd|\.dockercfg|\.vault-token|\.boto|\.my\.cnf|` +
    String
      .raw`id_(rsa|dsa|ecdsa|ed25519)|[^/]*\.(env|pem|p12|p8|pfx|ppk|kdbx|jks|keystore|ovpn|key)|` +
    String
      .raw`[^/]*\.tfstate(\.backup)?|[^/]*\.tfvars(\.json)?|([^/]*[-_.])?credentials?(\.(json|toml|ya?ml))?|` +
    String
      .raw`([^/]*[-_.])?(secrets?|service[-_]?account([-_]?key)?|adminsdk[^/]*)\.(json|ya?ml|toml)|` +
    String.raw`secrets?/[^/]+\.(json|ya?ml|toml|txt)|` +
    String.raw`\.aws|\.ssh|\.gnupg|\.kube|kubeconfig|auth\.json)(/|$)`,
  "i",
);

/** Matches folders in the tree that only git and agentx write. */
const KEPT = /(^|\/)\.(git|agentx)(\/|$)/;

/** Matches addresses that runtimes and tools download. */
const REMOTE = /^([a-z][\w+.-]*:\/\/|(npm|jsr|data):)/i;

/** Matches paths that are not files. */
const NOWHERE = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** The working tree, as a command sees it. */
export class Tree {
  readonly #place: TreePlace;
  readonly #folders: readonly Word[];
  /** Whether the command works outside of the tree, or in an unknown folder. */
  readonly isLost: boolean;

  /** @param folders that the command changes into */
  constructor(place: TreePlace, folders: readonly Word[] = []) {
    this.#place = place;
    this.#folders = [];
    this.isLost = this.isOutside(known(place.cwd)) ||
      folders.some((folder) => this.isOutside(folder));
    this.#folders = folders;
  }

  /** Returns the tree for a command that changes into more folders. */
  in(folders: readonly Word[]): Tree {
    return folders.length === 0 ? this : new Tree(this.#place, [...this.#folders, ...folders]);
  }

  /** Whether the command changes its folder, so that a relative path begins in another folder than the call. */
  get moves(): boolean {
    return this.#folders.length > 0;
  }

  /** Whether a word may be a path out of the tree. An option may have such a path as its value. */
  isOutside({ text, isKnown }: Word): boolean {
    if (NOWHERE.test(text)) return false;
    const path = pathIn(text);
    if (!isKnown || path.startsWith("~") || REMOTE.test(path)) return true;
    const isRelative = !path.startsWith("/") && !/^[a-z]:\//i.test(path);
    if (isRelative && (this.isLost || this.moves && /(^|\/)\.\.(\/|$)/.test(path))) {
      return true;
    }
    const full = this.#resolved(path);
    return full !== this.#place.root && !full.startsWith(`${this.#place.root}/`);
  }

  /** Whether deleting a word may delete more than a named part of the tree. */
  isWide(word: Word): boolean {
    if (!word.isKnown || this.isOutside(word)) return true;
    if (/(^|\/)\.[^/]*[*?[]/.test(word.text)) return true; // the pattern may match `.git`
    const path = word.text.replace(/(^|\/)(\*|\.\*|\.\[[^\]]*\]\*|\{\})?\/*$/, "") || ".";
    const full = this.#resolved(path);
    return full === this.#place.root || this.#place.root.startsWith(`${full}/`) ||
      KEPT.test(full.slice(this.#place.root.length)) || full === this.#place.cwd;
  }

  /** Whether a word may name a file of secrets. */
  isSecret({ text }: Word): boolean {
    return SECRET.test(pathIn(text)) || /(^|\/)\.(e[^/]*)?[*?[]/.test(text);
  }

  /** Whether git tracks the file that a word names. */
  isTracked(word: Word): boolean {
    return !this.moves && !this.isOutside(word) &&
      this.#place.isTracked?.(this.relative(word.text)) === true;
  }

  /** Whether a lock file of the project names a package. */
  isLocked(name: string): boolean {
    return this.#place.isLocked?.(name) === true;
  }

  /** Returns a path inside the tree, relative to its root. */
  relative(path: string): string {
    return this.#resolved(path).slice(this.#place.root.length + 1);
  }

  #resolved(path: string): string {
    const { root, cwd, spelledRoot } = this.#place;
    const parts: string[] = [];
    const full = path.startsWith("/") || /^[a-z]:\//i.test(path) ? path : `${cwd}/${path}`;
    for (const part of full.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    const resolved = `/${parts.join("/")}`;
    const isSpelled = spelledRoot !== undefined && `${resolved}/`.startsWith(`${spelledRoot}/`);
    return isSpelled ? root + resolved.slice(spelledRoot.length) : resolved;
  }
}

/** Returns the path in a word. The value of an option may be a path, with or without `=` before it. */
function pathIn(text: string): string {
  if (!/^-./.test(text)) return text;
  const at = text.includes("=") ? text.indexOf("=") + 1 : text.search(/[/~]/);
  return at < 0 ? "." : text.slice(at);
}
