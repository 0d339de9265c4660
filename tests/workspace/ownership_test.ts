import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { type FileInfo, sys } from "../../lib/sys/mod.ts";
import { findWorkspace } from "../../lib/workspace/find.ts";
import { planWorkspace } from "../../lib/workspace/init.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { replace } from "../lock/faults.ts";
import { refusal } from "../refusal.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const SELF = 1000;
const OTHER = 1001;

interface Machine {
  /** The user who runs the toolkit. */
  uid?: number;
  /** The owner of `.agentx/`. */
  owner?: number;
  /** The owner of the folder that holds it. */
  holder?: number;
  env?: Record<string, string>;
  /** What the user's own configuration says. */
  config?: unknown;
}

/** A workspace on a machine with several users. */
class SharedMachine implements Disposable {
  readonly temp: TempWorkspace = new TempWorkspace();
  readonly root: string = this.temp.root;
  readonly #stack = new DisposableStack();

  constructor({ uid = SELF, owner = uid, holder = uid, env = {}, config }: Machine) {
    const owners = new Map([[this.root, holder], [`${this.root}/.agentx`, owner]]);
    const owned = (path: string, info: FileInfo | undefined) => {
      if (info === undefined || !owners.has(path)) return info;
      const { kind, id, links, size, modifiedMs, mode } = info;
      return { kind, id, links, size, modifiedMs, mode, uid: owners.get(path)! };
    };
    const variables: Record<string, string> = { HOME: `${this.temp.user.path}/home`, ...env };
    this.#stack.use(this.temp);
    this.#stack.use(replace("uid", () => () => uid));
    this.#stack.use(replace("env", () => (name) => variables[name]));
    this.#stack.use(replace("lstat", (real) => (path) => owned(path, real(path))));
    if (config !== undefined) this.configure(config);
  }

  /** Writes the user's own configuration. */
  configure(config: unknown, folder = "home/.config"): void {
    const path = `${this.temp.user.path}/${folder}/agentx`;
    Deno.mkdirSync(path, { recursive: true });
    Deno.writeTextFileSync(`${path}/config.json`, JSON.stringify(config));
  }

  [Symbol.dispose](): void {
    this.#stack.dispose();
  }
}

const REFUSED: Record<string, Machine> = {
  "of another user": { owner: OTHER },
  "of another user, to root": { uid: 0, owner: OTHER },
  "of another user, to root whom a third user became": {
    uid: 0,
    owner: OTHER,
    env: { SUDO_UID: `${SELF}` },
  },
  "of another user, whom SUDO_UID of an unprivileged user names": {
    owner: OTHER,
    env: { SUDO_UID: `${OTHER}` },
  },
  "of root": { owner: 0 },
  "in a folder of another user": { holder: OTHER },
};

for (const [name, machine] of Object.entries(REFUSED)) {
  Deno.test(`findWorkspace() refuses a workspace ${name}`, async () => {
    using shared = new SharedMachine(machine);
    const { details, message } = await refusal("UNTRUSTED", () => findWorkspace(shared.root));
    assertEquals(details.reason, "owner");
    assert(message.includes(`"${shared.root}" to the list "safeFolders"`), message);
    assert(message.includes('"shared": true'), message);
  });
}

const ACCEPTED: Record<string, Machine> = {
  "of its user": {},
  "in a folder of root": { holder: 0 },
  "of root, to root": { uid: 0 },
  "of the user who called sudo": {
    uid: 0,
    owner: SELF,
    holder: SELF,
    env: { SUDO_UID: `${SELF}` },
  },
  "that a group shares": { owner: OTHER, holder: OTHER, config: { shared: true } },
};

for (const [name, machine] of Object.entries(ACCEPTED)) {
  Deno.test(`findWorkspace() accepts a workspace ${name}`, () => {
    using shared = new SharedMachine(machine);
    assertEquals(findWorkspace(shared.root).root, shared.root);
  });
}

Deno.test("findWorkspace() refuses what is in a parent folder and belongs to another user", async () => {
  using shared = new SharedMachine({ owner: OTHER });
  shared.temp.write("projects/mine/x.ts", "");
  await refusal("UNTRUSTED", () => findWorkspace(`${shared.root}/projects/mine`));
});

Deno.test("findWorkspace() refuses an .agentx that everybody may write to", async () => {
  for (const mode of [0o777, 0o1777, 0o702]) {
    using shared = new SharedMachine({ config: { shared: true } });
    Deno.chmodSync(`${shared.root}/.agentx`, mode);
    const { details } = await refusal("UNTRUSTED", () => findWorkspace(shared.root));
    assertEquals(details, { path: `${shared.root}/.agentx`, reason: "world-writable" });
  }
});

Deno.test("findWorkspace() refuses a workspace in a folder that everybody may write to", async () => {
  using shared = new SharedMachine({});
  Deno.chmodSync(shared.root, 0o777);
  const { details } = await refusal("UNTRUSTED", () => findWorkspace(shared.root));
  assertEquals(details, { path: shared.root, reason: "world-writable" });
});

Deno.test("findWorkspace() accepts a workspace in a folder with the sticky bit", () => {
  using shared = new SharedMachine({ holder: 0 });
  Deno.chmodSync(shared.root, 0o1777);
  assertEquals(findWorkspace(shared.root).root, shared.root);
});

Deno.test("findWorkspace() accepts what the user's own configuration names", () => {
  using shared = new SharedMachine({ owner: OTHER });
  shared.configure({ safeFolders: ["/elsewhere", shared.root] });
  assertEquals(findWorkspace(shared.root).root, shared.root);
});

Deno.test("findWorkspace() reads the user's own configuration where XDG_CONFIG_HOME says", async () => {
  using shared = new SharedMachine({ owner: OTHER, env: { XDG_CONFIG_HOME: "/nowhere" } });
  shared.configure({ safeFolders: [shared.root] });
  await refusal("UNTRUSTED", () => findWorkspace(shared.root));
});

Deno.test("findWorkspace() takes no consent from the configuration of the workspace", async () => {
  using shared = new SharedMachine({ owner: OTHER });
  const config = { safeFolders: [shared.root], shared: "group" };
  shared.temp.write(".agentx/config.json", JSON.stringify(config));
  await refusal("UNTRUSTED", () => findWorkspace(shared.root));
});

Deno.test("findWorkspace() takes no configuration that lies in the repository for the user's own", async () => {
  using shared = new SharedMachine({ owner: OTHER, env: { XDG_CONFIG_HOME: "/elsewhere" } });
  const variables: Record<string, string> = { XDG_CONFIG_HOME: `${shared.root}/conf` };
  using _env = replace("env", () => (name) => variables[name]);
  shared.temp.write("conf/agentx/config.json", JSON.stringify({ safeFolders: [shared.root] }));
  await refusal("UNTRUSTED", () => findWorkspace(shared.root));
});

Deno.test("findWorkspace() names the user's own configuration where that is broken", async () => {
  using shared = new SharedMachine({ owner: OTHER });
  shared.configure([]);
  const { details } = await refusal("INVALID_CONFIG", () => findWorkspace(shared.root));
  assertEquals(details.path, `${shared.temp.user.path}/home/.config/agentx/config.json`);
});

Deno.test("planWorkspace() refuses to complete a workspace of another user", async () => {
  using shared = new SharedMachine({ owner: OTHER });
  await refusal("UNTRUSTED", () => planWorkspace(shared.root));
});

Deno.test("planWorkspace() makes no workspace that would be refused afterwards", async () => {
  using shared = new SharedMachine({ holder: OTHER });
  Deno.removeSync(`${shared.root}/.agentx`, { recursive: true });
  await refusal("UNTRUSTED", () => planWorkspace(shared.root));
});

Deno.test("agentx clarify refuses a workspace of another user with exit code 6", async () => {
  using shared = new SharedMachine({ owner: OTHER });
  const { code, out, err } = await shared.temp.run(["clarify", "--json"]);
  assertEquals([code, out, JSON.parse(err).error.code], [6, "", "UNTRUSTED"]);
});

Deno.test("doctor fails on a workspace of another user, and says how to allow it", async () => {
  using shared = new SharedMachine({ owner: OTHER });
  const io = new FakeIo();
  const code = await main(["doctor", "--json", "--root", shared.root], io);
  const { findings } = JSON.parse(io.out);
  assertEquals([code, findings.length, findings[0].level], [1, 1, "fail"]);
  assert(findings[0].next.includes("safeFolders"));
});

Deno.test("sys tells the owner and the mode of a file", () => {
  using temp = new TempWorkspace();
  Deno.chmodSync(temp.root, 0o1750);
  const info = sys.lstat(temp.root);
  assertEquals([info?.uid, info?.mode], [Deno.uid(), 0o1750]);
});
