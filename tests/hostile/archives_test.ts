/**
 * A project with a state that its maker adopted, packed as an archive and unpacked elsewhere, with its `.git`
 * and without: for whoever unpacks it, its maker too, nothing of the state is believed (DESIGN 4, birth mark).
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { adopt, birthOf } from "../../lib/workspace/state_origin.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { sampleRecord } from "../clarify/samples.ts";
import { askWords } from "../gate/samples.ts";
import { isInstalled, run } from "../hostile_files/run_cases.ts";
import { TempUser } from "../temp_user.ts";
import { type Ran, TempWorkspace } from "../temp_workspace.ts";
import { removeFolder } from "../remove_folder.ts";

/** How it is packed and unpacked; what follows is left out. */
const ARCHIVES = {
  zip: {
    pack: (file: string, left: string[]) => ["zip", "-qry", file, ".", ...left.flatMap(excluded)],
    unpack: (file: string, folder: string) => ["unzip", "-q", file, "-d", folder],
  },
  tar: {
    pack: (file: string, left: string[]) => ["tar", "-czf", file, ...left.map(omitted), "."],
    unpack: (file: string, folder: string) => ["tar", "-xzpf", file, "-C", folder],
  },
};

const COMMANDS = [
  "clarify",
  "ready",
  "status",
  "inbox",
  "doctor",
  "hook start engineer 42",
  "hook finish engineer 42",
  "memory search notes",
  "clarify run",
  "clarify run CLR-42-001",
];

const ISSUE = ".agentx/state/clarifications/issue-42.json";

/** A project of somebody else: a question whose retry is left, a standing answer, and agents that leave a trace. */
async function packed(archive: keyof typeof ARCHIVES, left: string[]): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  const outside = `${temp.user.path}/trace`;
  const agent = { command: ["sh", "-c", `echo run >>${outside}; echo yes`] };
  const config = { agents: { architect: agent, engineer: agent }, clarify: {} };
  temp.write(".agentx/config.json", JSON.stringify(config));
  await temp.run([...askWords({ session: "s1" }), "--no-wait"]);
  await temp.run(["answer", "1", "c", "--always"]);
  const clarifications = [
    sampleRecord({ status: "stale", staleAfter: "2999-01-01T00:00:00.000Z" }),
  ];
  temp.write(ISSUE, JSON.stringify({ issueNumber: 42, clarifications }));
  assertEquals(birthOf(temp.root).isOurs, true);
  git(temp.root, "init", "-q");
  git(temp.root, "add", ".agentx/config.json", ".agentx/workflows");
  git(temp.root, "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "Begin");
  run(...inFolder(temp.root, ARCHIVES[archive].pack(`${temp.user.path}/made`, left)));
  return temp;
}

/** Where it is unpacked. */
class Unpacked implements Disposable {
  readonly folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "agentx-test-" }));
  readonly root = `${this.folder}/project`;

  constructor(archive: keyof typeof ARCHIVES, of: TempWorkspace) {
    Deno.mkdirSync(this.root);
    const made = `${of.user.path}/made`;
    run(...ARCHIVES[archive].unpack(archive === "zip" ? `${made}.zip` : made, this.root));
  }

  async run(words: readonly string[]): Promise<Ran> {
    const io = new FakeIo();
    const code = await main(["--root", this.root, ...words], io);
    return { code, out: io.out, err: io.err };
  }

  ledger(): string {
    return Deno.readTextFileSync(`${this.root}/${ISSUE}`);
  }

  [Symbol.dispose](): void {
    removeFolder(this.folder);
  }
}

for (const archive of ["zip", "tar"] as const) {
  const ignore = !(isInstalled(archive) && isInstalled("git"));
  for (const [name, left] of [["its .git", []], ["no .git", [".git"]]] as const) {
    for (const reader of ["a stranger", "its maker"]) {
      Deno.test({
        name: `${archive} with ${name}, unpacked by ${reader}: nothing of its state is believed`,
        ignore,
        fn: () => believesNothing(archive, { left: [...left], isMaker: reader === "its maker" }),
      });
    }
  }
}

async function believesNothing(
  archive: keyof typeof ARCHIVES,
  { left, isMaker }: { left: string[]; isMaker: boolean },
): Promise<void> {
  using temp = await packed(archive, left);
  using unpacked = new Unpacked(archive, temp);
  using _ = isMaker ? undefined : new TempUser({ trustsAll: true });
  const before = unpacked.ledger();
  assertEquals(birthOf(unpacked.root).isOurs, false);
  for (const words of COMMANDS) await unpacked.run(words.split(" "));
  assertEquals([unpacked.ledger(), hasRun(temp)], [before, false]);
  const asked = await unpacked.run([...askWords({ session: "s2" }), "--no-wait"]);
  assertEquals([asked.code, asked.out.includes("standing answer")], [7, false], asked.out);
  adopt(unpacked.root);
  await unpacked.run(["clarify", "run", "CLR-42-001"]);
  assert(hasRun(temp), "adopted, it counts: what was tried before could have run something");
}

function hasRun(temp: TempWorkspace): boolean {
  return Array.from(Deno.readDirSync(temp.user.path), ({ name }) => name).includes("trace");
}

function git(root: string, ...words: string[]): void {
  run("git", "-C", root, ...words);
}

/** `zip` and `tar` pack what is in the folder that they are started in. */
function inFolder(folder: string, argv: string[]): [string, ...string[]] {
  return ["env", "-C", folder, ...argv];
}

function excluded(path: string): string[] {
  return ["-x", `${path}/*`];
}

function omitted(path: string): string {
  return `--exclude=./${path}`;
}
