/**
 * An installed agentx of the first version, replaced by this one: hooks and git hooks go on, and so does
 * every claim, question and step that it left open.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { InstalledPackage, isInstalled } from "./installed_package.ts";

/** The last commit of 0.1.0. */
const OLD = "02c5045a";

const ROOT = new URL("../", import.meta.url).pathname;

/** Does its step, but not while `$HOME/wait` is there. */
const CLAUDE = `#!/bin/sh
cat >/dev/null
echo x >> "$HOME/started"
while [ -e "$HOME/wait" ]; do sleep 0.05; done
mkdir -p docs && echo "# Keys" > docs/keys.md
echo '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"I wrote docs/keys.md."}'
`;

const hasOld = (await new Deno.Command("git", {
  args: ["cat-file", "-e", `${OLD}^{commit}`],
  cwd: ROOT,
}).output().catch(() => ({ success: false }))).success && await isInstalled("npm");

let made: InstalledPackage | undefined;
Deno.test.beforeAll(async () => {
  if (!hasOld) return;
  made = await InstalledPackage.make();
  await installOld(made);
});
Deno.test.afterAll(() => made?.remove());

Deno.test({
  name: `agentx of ${OLD} is replaced, and its hooks, claims, questions and steps go on`,
  ignore: !hasOld,
  async fn() {
    const { folder, tarball } = made!;
    const [home, project] = [made!.emptyHome(), `${folder}/repository`];
    const path = `${folder}/own/bin:${home}/bin:${Deno.env.get("PATH")}`;
    const env = { HOME: home, PATH: path, AGENTX_TRUST: "1", CI: "true" };
    const run = (...argv: string[]) => made!.run(argv, { env, cwd: project });
    const agentx = async (line: string, ...more: string[]) => {
      const { code, out, err } = await run("agentx", ...line.split(" "), ...more);
      return { code, said: (out + err).replaceAll(/\s+/g, " ") };
    };
    const must = async (line: string, ...more: string[]) => {
      const { code, said } = await agentx(line, ...more);
      assertEquals(code, 0, `${line}: ${said}`);
      return said;
    };
    const git = async (...args: string[]) => {
      const { code, err } = await run("git", ...args);
      assertEquals(code, 0, `${args.join(" ")}: ${err}`);
    };
    Deno.mkdirSync(project);
    Deno.mkdirSync(`${home}/bin`);
    Deno.writeTextFileSync(`${home}/bin/claude`, CLAUDE, { mode: 0o755 });
    Deno.writeTextFileSync(`${home}/wait`, "");
    await git("config", "--global", "user.name", "t");
    await git("config", "--global", "user.email", "t@example.org");
    await git("init", "-q", "-b", "main");

    assertEquals(await must("version"), "agentx 0.1.0 ");
    await must("init");
    await must("config set --global agents.default.preset claude");
    await must("config set --global agents.default.env", JSON.stringify({ PATH: path }));
    await must("setup claude");
    await must("git-hooks install");
    await must("issue create Keys -l type:docs");
    await must("issue create Cache");
    await must("ready --claim reviewer --issue 2");
    await git("add", "--all");
    await git("commit", "-qm", "chore: begin (#1)");
    const child = new Deno.Command("agentx", {
      ...{ args: ["workflow", "run", "1"], env, cwd: project },
      ...{ stdin: "null", stdout: "null", stderr: "null" },
    }).spawn();
    while (!hasFile(`${home}/started`)) await new Promise((done) => setTimeout(done, 20));
    child.kill("SIGKILL");
    await child.status;
    Deno.removeSync(`${home}/wait`);
    const names = ["--from", "reviewer", "--to", "architect", "--topic", "The key"];
    await must("clarify ask --issue 2 --non-blocking", ...names, "Which key?");

    const own = ["--global", "--prefix", `${folder}/own`];
    await made!.must(["npm", "install", "--offline", ...own, tarball]);
    assertEquals(await must("version"), "agentx 0.2.0 ");
    const settings = JSON.parse(Deno.readTextFileSync(`${home}/.claude/settings.json`));
    const { command } = settings.hooks.SessionStart[0].hooks[0];
    const event = {
      session_id: "s",
      cwd: project,
      hook_event_name: "SessionStart",
      source: "startup",
    };
    const hook = await run("sh", "-c", `echo '${JSON.stringify(event)}' | { ${command}\n}`);
    assertEquals([hook.code, hook.err], [0, ""]);

    const taken = await agentx("ready --claim engineer --issue 2");
    assert(taken.code === 6 && taken.said.includes("claimed by reviewer"), taken.said);
    assert((await must("clarify list")).includes("CLR-2-001"));
    await must("answer CLR-2-001 --as architect", "The id of the user");
    assert((await must("clarify show CLR-2-001")).includes("The id of the user"));
    await must("workflow run 1");
    assert((await must("workflow 1")).includes("done write"));
    await must("workflow merge 1");
    assert(hasFile(`${project}/docs/keys.md`));

    const [check, doctor] = [await must("setup --check"), await must("doctor")];
    assert(check.includes("written by agentx 0.1.0 Run setup again"), check);
    assertEquals(doctor.split("written by agentx 0.1.0").length - 1, 3, doctor);
    await must("setup claude");
    await must("git-hooks install");
    for (const line of ["setup --check", "doctor"]) {
      const said = await must(line);
      assert(!said.includes("0.1.0"), said);
    }
  },
});

/** Builds the old version from its commit, and installs it as a user does. */
async function installOld(made: InstalledPackage): Promise<void> {
  const { folder } = made;
  const source = `${folder}/old`;
  const inRoot = (...args: string[]) => made.must(["git", "-C", ROOT, ...args]);
  await inRoot("worktree", "add", "--quiet", "--detach", source, OLD);
  try {
    await made.must(["sh", "-c", `cd ${source} && deno run -A .ci/npm.ts ${folder}/old-built`]);
  } finally {
    await inRoot("worktree", "remove", "--force", source);
  }
  await made.must(["npm", "pack", "--silent", "--pack-destination", folder, `${folder}/old-built`]);
  const packed = `${folder}/agentx-toolkit-0.1.0.tgz`;
  await made.must(["npm", "install", "--offline", "--global", "--prefix", `${folder}/own`, packed]);
}

function hasFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false; // not yet
  }
}
