// Where the words of a command lead: inside the working tree, out of it, to a file of secrets. By their
// text alone: links are not followed. Pure.

import type { Word } from "./command_line.ts";

export interface Place {
  root: string;
  cwd: string;
  home: string;
}

/** What a path may be that holds a secret. */
const SECRET =
  /(^|[/=:@])(\.env(?!\.(example|sample|template|dist)$)(\.[^/]*)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.pgpass|id_(rsa|dsa|ecdsa|ed25519)|[^/]*\.(env|pem|p12|pfx|kdbx|jks|keystore)|[^/]*private[^/]*\.key|credentials(\.json|\.toml)?|secrets?\.(json|ya?ml|toml)|\.aws|\.ssh|\.gnupg|\.kube|auth\.json)(\/|$)/i;

/** Paths below the tree that only their own programs write. */
const KEPT = /(^|\/)\.(git|agentx)(\/|$)/;

/** What runtimes and tools fetch. */
const REMOTE = /^([a-z][\w+.-]*:\/\/|(npm|jsr|data):)/i;

/** Paths that lead nowhere. */
const NOWHERE = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** The working tree, as a command sees it. */
export class Tree {
  readonly #place: Place;
  /** Whether the command leaves its folder, so that nobody knows what a relative path is. */
  readonly #isLost: boolean;
  readonly #moves: boolean;

  /** @param folders into which the command changes */
  constructor(place: Place, folders: readonly Word[] = []) {
    this.#place = place;
    this.#moves = folders.length > 0;
    this.#isLost = folders.some((folder) => this.isOutside(folder));
  }

  /** Whether a word may be a path out of the tree; an option may have one as its value. */
  isOutside({ text, isKnown }: Word): boolean {
    if (NOWHERE.test(text)) return false;
    const path = pathIn(text);
    if (!isKnown || path.startsWith("~") || REMOTE.test(path)) return true;
    const isRelative = !path.startsWith("/") && !/^[a-z]:\//i.test(path);
    if (isRelative && (this.#isLost || this.#moves && /(^|\/)\.\.(\/|$)/.test(path))) {
      return true;
    }
    const full = this.#resolved(path);
    return full !== this.#place.root && !full.startsWith(`${this.#place.root}/`);
  }

  /** Whether deleting a word deletes more than a named part of the tree. */
  isWide(word: Word): boolean {
    if (!word.isKnown || this.isOutside(word)) return true;
    if (/(^|\/)\.[^/]*[*?[]/.test(word.text)) return true; // may be `.git`
    const path = word.text.replace(/(^|\/)(\*|\.\*|\.\[[^\]]*\]\*|\{\})?\/*$/, "") || ".";
    const full = this.#resolved(path);
    return full === this.#place.root || this.#place.root.startsWith(`${full}/`) ||
      KEPT.test(full.slice(this.#place.root.length)) || full === this.#place.cwd;
  }

  /** Whether a word names what may hold secrets. */
  isSecret({ text }: Word): boolean {
    return SECRET.test(pathIn(text)) || /(^|\/)\.(e[^/]*)?[*?[]/.test(text);
  }

  /** A path inside the tree, from its top. */
  relative(path: string): string {
    return this.#resolved(path).slice(this.#place.root.length + 1);
  }

  #resolved(path: string): string {
    const parts: string[] = [];
    const full = path.startsWith("/") || /^[a-z]:\//i.test(path)
      ? path
      : `${this.#place.cwd}/${path}`;
    for (const part of full.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return `/${parts.join("/")}`;
  }
}

/** The value of an option may be a path, with `=` before it or not. */
function pathIn(text: string): string {
  if (!/^-./.test(text)) return text;
  const at = text.includes("=") ? text.indexOf("=") + 1 : text.search(/[/~]/);
  return at < 0 ? "." : text.slice(at);
}
