/**
 * A user of one real host, with a home of their own, and hooks that run `agentx`.
 *
 * @module
 */

import { AGENTX, TempWorkspace } from "../temp_workspace.ts";
import {
  type Host,
  HOST_PATH,
  HOSTS,
  NEWEST_CLAUDE,
  OTHER_HOSTS,
  programOf,
} from "../hosts/host.ts";
import { CLOSED_URL } from "../hosts/scripted_model.ts";

/** What is fired. */
const EVENTS = ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"];

/** The hooks of a host, as it is told to run them. */
export function entries(host: string, type: string, events: readonly string[] = EVENTS): object {
  return Object.fromEntries(events.map((event) => [event, [{
    hooks: [{ type, command: `${AGENTX} hook host ${host} ${event}`, timeout: 20 }],
  }]]));
}

/** By the name of a host that may use its shell: how it is run by hand, and where its hooks are named. */
const WAYS: Record<string, { args: string[]; hooks: string }> = {
  claude: {
    args: [
      "-p",
      "--output-format",
      "json",
      "--permission-mode",
      "dontAsk",
      "--allowedTools",
      "Bash",
    ],
    hooks: ".claude/settings.json",
  },
  codex: {
    args: [
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      "--dangerously-bypass-hook-trust",
      "-",
    ],
    hooks: ".codex/hooks.json",
  },
  qwen: {
    args: ["--approval-mode", "yolo", "-p", ""],
    hooks: ".qwen/settings.json",
  },
};

/** Those, in each version. */
export const WORKING_HOSTS: readonly Host[] = [...HOSTS, ...OTHER_HOSTS, NEWEST_CLAUDE]
  .filter(({ name }) => Object.hasOwn(WAYS, name));

/** Those that agentx runs by itself. */
export const PRESET_HOSTS: readonly Host[] = WORKING_HOSTS.filter((host) =>
  !OTHER_HOSTS.includes(host)
);

/** A question of the engineer on #42, for a shell. */
export const ASK_AND_GO_ON: string =
  `${AGENTX} clarify ask --issue 42 --from engineer --to architect --topic Database ` +
  `--non-blocking 'PostgreSQL or SQLite?'`;

/** A user of one host, with a home of their own. */
export class HookUser implements Disposable {
  readonly temp = new TempWorkspace({ isTrusted: false });
  readonly home = this.temp.user.path;
  readonly #host: Host;
  readonly #url: string;

  constructor(host: Host, url: string) {
    this.#host = host;
    this.#url = url;
    Deno.mkdirSync(`${this.home}/tmp`);
    Deno.mkdirSync(`${this.home}/bin`);
    Deno.symlinkSync(programOf(host)!, `${this.home}/bin/${host.name}`);
    for (const [path, text] of Object.entries(host.files(url))) this.write(path, text);
  }

  write(path: string, text: string): void {
    const full = `${this.home}/${path}`;
    Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(full, text);
  }

  /** What is in a file of the home; nothing where there is none. */
  json(path: string): object {
    try {
      return JSON.parse(Deno.readTextFileSync(`${this.home}/${path}`));
    } catch {
      return {};
    }
  }

  /** Variables besides the usual ones. */
  readonly more: Record<string, string> = {};

  /** The variables of this user: programs find the host by its name. */
  get env(): Record<string, string> {
    return {
      PATH: `${this.home}/bin:${HOST_PATH}`,
      HOME: this.home,
      XDG_CONFIG_HOME: `${this.home}/config`,
      XDG_STATE_HOME: `${this.home}/state`,
      TMPDIR: `${this.home}/tmp`,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      NO_COLOR: "1",
      HTTP_PROXY: CLOSED_URL,
      HTTPS_PROXY: CLOSED_URL,
      NO_PROXY: "127.0.0.1",
      ...this.#host.settings,
      ...this.#host.login(this.#url),
      ...this.more,
    };
  }

  /** Names the hooks where the host looks for them. */
  installHooks(events?: readonly string[]): void {
    const { name } = this.#host;
    const path = WAYS[name].hooks;
    const hooks = entries(name, "command", events);
    this.write(path, JSON.stringify({ ...this.json(path), hooks }));
  }

  /** Has a host that may use its shell do something. */
  async work(prompt: string) {
    return await this.run(WAYS[this.#host.name].args, prompt);
  }

  /** Runs the host. */
  async run(args: string[], prompt: string) {
    const child = new Deno.Command(programOf(this.#host)!, {
      args,
      cwd: this.temp.root,
      clearEnv: true,
      env: this.env,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(prompt));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
  }

  [Symbol.dispose](): void {
    this.temp[Symbol.dispose]();
  }
}
