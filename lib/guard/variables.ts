// Finds the variables that change what programs do. A person is asked before such a variable is set. Pure.

import type { Word } from "./command_line.ts";
import type { Tree } from "./tree.ts";

/** Variables that only change a program's output, the amount of output, or the address that the program listens on. */
const HARMLESS =
  /^(CI|NODE_ENV|GO(OS|ARCH)|GIT_(SHA|COMMIT|BRANCH|TAG|REF|REV|TERMINAL_PROMPT|OPTIONAL_LOCKS)|RUST_(LOG|BACKTRACE)|CARGO_(TERM_COLOR|INCREMENTAL)|PYTHON(UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|UTF8)|UV_(NO_SYNC|FROZEN|OFFLINE)|CGO_ENABLED|AWS_(PROFILE|(DEFAULT_)?REGION)|TF_(INPUT|IN_AUTOMATION)|DEBUG|VERBOSE)$/;

/** Names of variables by which programs find code, other programs, settings or other machines. */
const RISKY = new RegExp(
  "^(IFS|ENV|HOME|SHELL|BASH_.*|PS\\d|XDG_.*|TMPDIR|(LD|DYLD|GIT|NODE|NPM|YARN|PNPM|PYTHON|PERL|RUBY|GEM|" +
    "BUNDLE|JAVA|JDK|MAVEN|GRADLE|CARGO|RUST|GO|CGO|MAKE|DOCKER|COMPOSE|KUBE|AWS|GOOGLE|AZURE|SSH|LESS|MAN|" +
    "PIP|UV|POETRY|DENO|BUN|CLAUDE|CODEX|GEMINI|COPILOT|OPENCODE|AGENTX|PG|MYSQL|REDIS|DATABASE|DB|TF)[A-Z]*" +
    "(_.*)?|CC|CXX|CPP|LD|AR|AS|NM|npm_.*|.*_proxy|.*(PATH|EDITOR|PAGER|BROWSER|VISUAL|OPTIONS|OPTS|FLAGS|" +
    "PRELOAD|COMMAND|CMD|WRAPPER|ASKPASS|PROXY|HOOKS?|LOADER|CONFIG|_HOME|ROOT|STARTUP|RC))$",
);

/** Values with which a risky variable is harmless. */
const VALUES: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: /^(--max-old-space-size=\d+|--no-warnings|--trace-warnings|--enable-source-maps)$/,
  PAGER: /^cat$/,
  GIT_PAGER: /^cat$/,
  GIT_EDITOR: /^(true|:)$/,
  RUSTFLAGS: /^-D ?warnings$/,
};

/** Whether a variable with this value may change what other programs run. */
export function isRisky(name: string, value: Word, tree: Tree): boolean {
  if (HARMLESS.test(name) || !RISKY.test(name)) return false;
  if (/^(PYTHON|NODE_)PATH$/.test(name)) {
    const folders = value.text.split(":").filter((folder) => folder !== "");
    return !value.isKnown || folders.some((text) => tree.isOutside({ ...value, text }));
  }
  return !(value.isKnown && VALUES[name]?.test(value.text));
}
