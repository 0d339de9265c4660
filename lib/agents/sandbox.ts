// The sandbox in which an agent runs: its host's own where that has one, else `bwrap` on Linux and
// `sandbox-exec` on macOS. Where there is none, the agent is not run.
//
// Guaranteed: only the system's temporary folder, the host's own state and - in `workspace` - the
// working tree can be written, and of the tree not the files that say what runs there. Not
// guaranteed: that what may be read stays secret, besides some folders of keys; a network that is
// not off reaches anything.

import { checkoutNamedBy, repositoryAbove } from "../git/repository.ts";
import { stateHolder } from "../git/state_holder.ts";
import { findProgram } from "../sys/find_program.ts";
import { sys } from "../sys/mod.ts";

/** What an agent may write. */
export type Sandbox = "read-only" | "workspace";

/** How an agent is confined. */
export interface SandboxOptions {
  sandbox: Sandbox;
  /** Whether it reaches the network. */
  hasNetwork: boolean;
  cwd: string;
  home: string;
  platform: string;
  /** Whether a program can be run. */
  has: (program: string) => boolean;
  /** Whether a path is there. */
  exists: (path: string) => boolean;
}

/** What a host keeps in the user's home; it does not start without. */
const STATE: Readonly<Record<string, readonly string[]>> = {
  claude: [".claude", ".claude.json"],
  copilot: [".copilot"],
  gemini: [".gemini"],
  opencode: [".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
};

/** Files that say what runs, of a tree or of a home. */
const FIXED = [".claude/settings.json", ".gemini/settings.json", ".copilot/config.json"];
const FIXED_IN_TREE = [...FIXED, ".codex", ".github/hooks", ".git/hooks", ".git/config"]
  .concat(".agentx/config.json", ".agentx/policy.toml");

/** Folders of keys. */
const KEYS = [".ssh", ".gnupg", ".aws", ".kube"];

/** The command that runs it confined; a text says why there is none. */
export function sandboxed(command: readonly string[], options: SandboxOptions): string[] | string {
  const { platform, has } = options;
  const program = command[0].slice(command[0].lastIndexOf("/") + 1);
  if (program === "codex") return ofCodex(command, options);
  if (platform === "linux" && has("bwrap")) return [...bwrap(program, options), ...command];
  if (platform === "darwin" && has("sandbox-exec")) {
    return ["sandbox-exec", "-p", profile(program, options), ...command];
  }
  return `${platform} has no sandbox that agentx knows: bwrap on Linux, sandbox-exec on macOS`;
}

/** Its commands run in its own sandbox, without the network unless its settings say otherwise. */
function ofCodex(
  [program, ...words]: readonly string[],
  { sandbox, hasNetwork }: SandboxOptions,
): string[] | string {
  const own = /^(-s|--sandbox|--full-auto|--yolo|--dangerously-bypass\S*)(=|$)|sandbox_/;
  const mode = sandbox === "workspace" ? "workspace-write" : "read-only";
  const at = words.findIndex((word) => own.test(word));
  const isSame = words[at] === "-s" && ["read-only", mode].includes(words[at + 1]);
  if (at >= 0 && !isSame) return `its own option ${words[at]} says another sandbox`;
  const isOff = hasNetwork ? [] : ["-c", "sandbox_workspace_write.network_access=false"];
  const more = [...isSame ? [] : ["-s", mode], ...isOff];
  return [program, ...words.toSpliced(words[0] === "exec" ? 1 : 0, 0, ...more)];
}

function bwrap(program: string, options: SandboxOptions): string[] {
  const { hasNetwork, cwd, home, exists } = options;
  const of = (kind: string, paths: readonly string[]) =>
    paths.filter(exists).flatMap((path) => [kind, path, path]);
  return [
    ...["bwrap", "--die-with-parent", "--new-session", "--unshare-pid", "--unshare-ipc"],
    ...hasNetwork ? [] : ["--unshare-net"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
    ...KEYS.map((name) => `${home}/${name}`).filter(exists).flatMap((path) => ["--tmpfs", path]),
    // A tree below /tmp would be hidden.
    ...cwd.startsWith("/tmp/") ? ["--ro-bind", treeOf(cwd), treeOf(cwd)] : [],
    ...of("--bind", writable(program, options)),
    ...of("--ro-bind", fixed(options)),
    ...["--chdir", cwd, "--"],
  ];
}

function profile(program: string, options: SandboxOptions): string {
  const { hasNetwork, home, exists } = options;
  const of = (paths: readonly string[]) =>
    paths.filter(exists).map((path) => `(subpath ${JSON.stringify(path)})`).join(" ");
  const places = ["/dev", "/private/tmp", "/private/var/folders", ...writable(program, options)];
  const keys = of(KEYS.map((name) => `${home}/${name}`));
  return [
    "(version 1)(allow default)(deny file-write*)",
    `(allow file-write* ${of(places)})`,
    `(deny file-write* ${of(fixed(options))})`,
    `(deny file-read* ${keys})`,
    hasNetwork ? "" : "(deny network*)",
  ].filter((rule) => !/^\(deny file-\S+ \)$/.test(rule)).join("");
}

function writable(program: string, { sandbox, cwd, home }: SandboxOptions): string[] {
  const state = (STATE[program] ?? []).map((name) => `${home}/${name}`);
  if (sandbox === "read-only") return state;
  const shared = repositoryAbove(cwd)?.sharedFolder;
  const root = elsewhere(cwd);
  // In a worktree, git and the record of what was done lie elsewhere.
  return [
    treeOf(cwd),
    ...shared?.startsWith(`${treeOf(cwd)}/`) === false ? [shared] : [],
    ...root === undefined ? [] : [`${root}/.agentx/state`],
    ...state,
  ];
}

function fixed({ cwd, home, sandbox }: SandboxOptions): string[] {
  const root = elsewhere(cwd);
  return [
    ...FIXED.map((name) => `${home}/${name}`),
    ...sandbox === "read-only" ? [] : [treeOf(cwd), ...root === undefined ? [] : [root]]
      .flatMap((tree) => FIXED_IN_TREE.map((name) => `${tree}/${name}`)),
  ];
}

/** The folder of the workspace in the checkout that holds its state; undefined where that is this one. */
function elsewhere(cwd: string): string | undefined {
  const repository = repositoryAbove(cwd);
  if (repository === undefined) return undefined;
  const below = cwd.slice(repository.checkout.length);
  const holder = stateHolder(repository, below) ?? checkoutNamedBy(repository.sharedFolder);
  return holder === repository.checkout || holder === undefined ? undefined : holder + below;
}

function treeOf(cwd: string): string {
  return repositoryAbove(cwd)?.checkout ?? cwd;
}

/** The sandbox of this machine. */
export function sandboxedHere(
  command: readonly string[],
  options: Pick<SandboxOptions, "sandbox" | "hasNetwork" | "cwd"> & { path: string },
): string[] | string {
  return sandboxed(command, {
    ...options,
    home: sys.env("HOME") ?? "/",
    platform: sys.platform,
    has: (program) => findProgram(program, { tree: "/", path: options.path }) !== undefined,
    exists: (path) => sys.lstat(path) !== undefined,
  });
}
