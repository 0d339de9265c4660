/**
 * A step of a real coding agent over the Agent Client Protocol, in a sandbox, in a hostile clone. Its role may change
 * what is below `src`.
 *
 * @module
 */

import { assert } from "@std/assert";
import { HOSTS as KNOWN, isHost } from "../../lib/hosts/hosts.ts";
import { type Step, WorkingModel } from "../hooks/working_model.ts";
import { type Host, HOSTS, NEWEST_CLAUDE, OTHER_HOSTS, programOf } from "./host.ts";
import { harmlessActions, marksOutside } from "./harmless_actions.ts";
import { hostileFiles } from "./hostile_files.ts";
import { TwoHosts } from "./two_hosts.ts";

/** How an agent names its tools. */
export interface Tools {
  write: (path: string, text: string) => Step;
  shell: (line: string) => Step;
  /** A tool of the server of agentx, with what must be called before; undefined where it has no such tools. */
  own?: (tool: string, input: object) => Step[];
}

const TOOLS: Record<string, Tools> = {
  claude: {
    write: (file_path, content) => ({ tool: "Write", input: { file_path, content } }),
    shell: (command) => ({ tool: "Bash", input: { command, description: "x" } }),
    own: (tool, input) => [
      { tool: "ToolSearch", input: { query: `select:mcp__agentx__${tool}`, max_results: 5 } },
      { tool: `mcp__agentx__${tool}`, input },
    ],
  },
  codex: {
    write: (path, text) => ({
      patch: `*** Begin Patch\n*** Add File: ${path}\n+${text.trim()}\n*** End Patch`,
    }),
    // In a sandbox, its own one does not start as root: it asks to run the command without it.
    shell: (cmd) => ({
      tool: "exec_command",
      input: { cmd, sandbox_permissions: "require_escalated", justification: "x" },
    }),
    own: (tool, input) => [{ tool, namespace: "mcp__agentx", input }],
  },
  gemini: { // it starts no servers in a folder that its user does not trust
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    shell: (command) => ({ tool: "run_shell_command", input: { command, description: "x" } }),
  },
  copilot: { // offline, it starts no servers
    write: (path, file_text) => ({ tool: "create", input: { path, file_text } }),
    shell: (command) => ({ tool: "bash", input: { command, description: "x" } }),
  },
  opencode: {
    write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
    shell: (command) => ({ tool: "bash", input: { command, description: "x" } }),
    own: (tool, input) => [{ tool: `agentx_${tool}`, input }],
  },
  qwen: {
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    shell: (command) => ({
      tool: "run_shell_command",
      input: { command, description: "x", is_background: false },
    }),
    own: (tool, input) => [{ tool: `mcp__agentx__${tool}`, input }],
  },
  pi: {
    write: (path, content) => ({ tool: "write", input: { path, content } }),
    shell: (command) => ({ tool: "bash", input: { command } }),
  },
};

/** An agent that speaks the protocol, itself or by its adapter. */
export interface AcpAgent {
  host: Host;
  command: readonly string[];
  tools: Tools;
  isInstalled: boolean;
}

/** All that are tried. */
export const AGENTS: readonly AcpAgent[] = [NEWEST_CLAUDE, ...HOSTS.slice(1), ...OTHER_HOSTS]
  .map((host) => ({
    host,
    command: isHost(host.name) && KNOWN[host.name].acp?.command || [],
    tools: TOOLS[host.name],
    isInstalled: [host, host.adapter].every((each) => !each || programOf(each) !== undefined),
  }));

/** What stands in a file of keys. */
export const KEY = "no-real-key-3141";

/** What the agreed command prints. */
export const AGREED = "the agreed command ran";

const WORKFLOW =
  '[[steps]]\nid = "implement"\nagent = "engineer"\nevidence = [["sh", "test.sh"]]\n';

/** Where what a model does is written down: the tree of the step, and the home around the repository. */
export interface Places {
  tree: string;
  home: string;
}

/** Removed at the end of the block that is `using` it. */
export class AcpStep implements AsyncDisposable {
  /** What the model has not done, since the agent did not ask it again. */
  readonly left: Step[];
  readonly agent: string;
  readonly #model: WorkingModel;
  readonly #user: TwoHosts;
  readonly #command: readonly string[];

  constructor(
    { host, command, tools }: AcpAgent,
    steps: (tools: Tools, places: Places) => Step[],
  ) {
    this.#model = new WorkingModel(() => this.left.shift() ?? { text: "Nothing is left to do." });
    this.#user = new TwoHosts([host], this.#model.url, "/var/tmp");
    this.#command = command;
    this.agent = host.name;
    const { home, root } = this.#user;
    this.left = steps(tools, { tree: this.tree, home });
    const files: Record<string, string> = {
      ...hostileFiles((name) => `touch '${home}/marks/${name}'`),
      ".agentx/workflows/feature.toml": WORKFLOW,
      ".github/agents/engineer.agent.md": "---\nmay_change: [src/**]\n---\n\nYou write code.\n",
      "test.sh": `echo ${AGREED}\ngrep -q new src/new.txt || exit 1\n${
        harmlessActions(this.tree, root, home)
      }`,
      "src/old.txt": "old\n", // Copilot makes no folder
      "docs/a.md": "text\n",
    };
    for (const [path, text] of Object.entries(files)) this.#write(`${root}/${path}`, text);
    this.#write(`${home}/marks/.keep`, "");
    this.#write(`${home}/.ssh/id`, `${KEY}\n`);
    this.#write(`${home}/.config/opencode/.gitignore`, ""); // opencode makes one at first
    if (host.name === "codex") { // a model with this name has the tool for patches
      const config = `${home}/.codex/config.toml`;
      this.#write(config, Deno.readTextFileSync(config).replace('"m"', '"gpt-5.5"'));
    }
  }

  #write(path: string, text: string): void {
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(path, text);
  }

  #git(...args: string[]): string {
    const { stdout } = new Deno.Command("git", { args, cwd: this.#user.root }).outputSync();
    return new TextDecoder().decode(stdout).trim();
  }

  /** The tree of the step. */
  get tree(): string {
    return `${this.#user.root}/.agentx/state/worktrees/1-implement`;
  }

  /** @returns what it printed, on one line */
  async run(): Promise<string> {
    const agentx = (words: readonly string[], env?: Record<string, string>) =>
      this.#user.run("agentx", words, { env });
    this.#git("init", "-q", "-b", "main");
    await agentx(["init"]);
    this.#git("config", "user.name", "t");
    this.#git("config", "user.email", "t@example.org");
    this.#git("add", "-A");
    this.#git("commit", "-qm", "begin");
    const settings = { preset: "acp", acp: JSON.stringify(this.#command) };
    for (const [key, value] of Object.entries(settings)) {
      await agentx(["config", "set", "--global", `agents.engineer.${key}`, value]);
    }
    await agentx(["issue", "create", "--title", "App", "--label", "type:feature"]);
    const start = async () => {
      const { hash } = JSON.parse((await agentx(["trust", "--print", "--json"])).out);
      const { out, err } = await agentx(["workflow", "run", "1"], {
        AGENTX_TRUST: hash,
        CI: "true",
      });
      return (out + err).replaceAll(/\s+/g, " ");
    };
    const refused = await start();
    assert(refused.includes("only a sandbox limits"), refused);
    await agentx(["config", "set", "--global", "agents.engineer.sandbox", "workspace"]);
    return await start();
  }

  /** A file as the step's branch has it; empty where it has none. */
  show(path: string): string {
    return this.#git("show", `agentx/1-implement:${path}`);
  }

  /** What the model was told, in all requests. */
  get heard(): string {
    return this.#model.requests.join("\n");
  }

  /** The lines of what was noted. */
  get notes(): string {
    const args = ["-rh", ".", `${this.#user.root}/.agentx/memory`];
    const { stdout } = new Deno.Command("grep", { args, stderr: "null" }).outputSync();
    return new TextDecoder().decode(stdout);
  }

  /** What the clone has started. */
  get marks(): string[] {
    return this.named("marks", /^[^.]/);
  }

  /** What was left outside of the folder that the role may change. */
  get outside(): string[] {
    return marksOutside(`${this.tree}/src`, this.#user.home);
  }

  /** The names of files of the home, below a folder of it. */
  named(folder: string, pattern: RegExp): string[] {
    return Array.from(Deno.readDirSync(`${this.#user.home}/${folder}`), ({ name }) => name)
      .filter((name) => pattern.test(name));
  }

  /** Whether a file is in the tree of the step. */
  has(path: string): boolean {
    try {
      return Deno.statSync(`${this.tree}/${path}`).isFile;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#user[Symbol.dispose]();
    await this.#model[Symbol.asyncDispose]();
  }
}
