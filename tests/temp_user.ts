/**
 * The own folders of a user, in a temp folder: no test reads or writes those of whoever runs it.
 *
 * @module
 */

import { type Ancestor, sys } from "../lib/sys/mod.ts";
import { isSessionVariable } from "../lib/who/host_session.ts";
import { removeFolder } from "./remove_folder.ts";

/** The shell that runs a program, as a person has it. */
export const SHELL: Ancestor = { pid: 2, programs: ["bash"], variables: ["PATH"] };

// Whoever runs the tests, an agent too: in this process nobody's session is seen, and no terminal.
sys.ancestors = () => [SHELL];
sys.isTerminal = () => false;
for (const name of Object.keys(Deno.env.toObject()).filter(isSessionVariable)) {
  Deno.env.delete(name);
}

/** What says where the folders are, and whether all is trusted. */
export const USER_VARIABLES = [
  "HOME",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "AGENTX_TRUST",
  "CI",
] as const;

/** Options of {@linkcode TempUser}. */
export interface TempUserOptions {
  /**
   * Whether the user agrees to whatever a repository would run, as on a throw-away machine.
   *
   * @default {false}
   */
  trustsAll?: boolean;
}

/** The environment names it while it is in use; it is removed at the end. */
export class TempUser implements Disposable {
  readonly path: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-user-" }));
  readonly #before = USER_VARIABLES.map((name) => [name, Deno.env.get(name)] as const);

  constructor({ trustsAll = false }: TempUserOptions = {}) {
    for (const name of ["AGENTX_TRUST", "CI"]) Deno.env.delete(name);
    if (trustsAll) {
      Deno.env.set("AGENTX_TRUST", "1");
      Deno.env.set("CI", "true");
    }
    Deno.env.set("XDG_CONFIG_HOME", `${this.path}/config`);
    Deno.env.set("XDG_STATE_HOME", `${this.path}/state`);
  }

  /** Their questions stay open for a second. */
  hasOneSecond(): void {
    this.configure({ gate: { timeout: "1s" } });
  }

  /** Writes the user's own configuration. */
  configure(config: object): void {
    Deno.mkdirSync(`${this.path}/config/agentx`, { recursive: true });
    Deno.writeTextFileSync(`${this.path}/config/agentx/config.json`, JSON.stringify(config));
  }

  [Symbol.dispose](): void {
    for (const [name, value] of this.#before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
    removeFolder(this.path);
  }
}
