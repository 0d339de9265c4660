/**
 * Claims between machines through GitHub's REST API.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { signal } from "../temp_workspace.ts";
import { CLAIM, claimPlace } from "./claim_place.ts";
import { FakeGitHub } from "./fake/server.ts";
import { removeFolder } from "../remove_folder.ts";

const CLIENTS = 8;

/** The clocks of the clients run so fast: a lease with the slack of clocks ends within two seconds. */
const SPEED = 60;

/** A machine with much to do may need so long. */
const LIMIT_MS = 150_000;

/** One client had the claim, by the clock of this machine. */
interface Held {
  index: number;
  from: number;
  until: number;
}

/** Lets the clients fight for one claim until it is enough; gives when each had it. */
async function fight(
  way: "guarded" | "forced",
  isEnough: (held: readonly Held[]) => boolean,
): Promise<Held[]> {
  await using github = await FakeGitHub.start();
  github.remaining = Infinity; // eight clients ask more often than a token may
  const repository = github.state.repository("acme/shop");
  github.state.token("writer", "ada");
  repository.permissions.set("ada", "write");
  github.fault = ({ method }) => {
    const chance = Math.random();
    if (method === "GET" || chance > 0.2) return undefined;
    const when = chance < 0.1 ? "before" : "after";
    return chance < 0.05 || chance > 0.15
      ? { kind: "drop", when }
      : { kind: "status", status: 502, when };
  };
  const folder = Deno.makeTempDirSync({ prefix: "agentx-claims-" });
  const beginMs = Date.now();
  const program = new URL("claimer.ts", import.meta.url).pathname;
  const clients = Array.from({ length: CLIENTS }, (_, index) => {
    const own = `${folder}/${index}`;
    Deno.mkdirSync(own);
    const words = [github.url, own, index, beginMs, SPEED, way].map(String);
    const args = ["run", "-A", "--no-check", "--quiet", program, ...words];
    return new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "null" }).spawn();
  });
  const held: Held[] = [];
  const end = () => {
    for (const client of clients) signal(client, "SIGKILL");
  };
  const timer = setTimeout(end, LIMIT_MS);
  try {
    await Promise.all(clients.map(async ({ stdout, status }) => {
      let text = "";
      for await (const part of stdout.pipeThrough(new TextDecoderStream())) {
        const lines = (text + part).split("\n");
        text = lines.pop()!;
        held.push(...lines.map((line) => JSON.parse(line)));
        held.sort((a, b) => a.from - b.from);
        if (isEnough(held)) end();
      }
      await status;
    }));
  } finally {
    clearTimeout(timer);
    removeFolder(folder);
  }
  return held;
}

/** How often two clients had the claim at one time. */
function overlaps(held: readonly Held[]): number {
  let last: Held | undefined;
  let count = 0;
  for (const each of held) {
    if (last !== undefined && last.index !== each.index && each.from < last.until) count++;
    if (last === undefined || each.until > last.until) last = each;
  }
  return count;
}

Deno.test("eight clients over leases that end all the time, with outages: never two owners", async () => {
  const ownersOf = (held: readonly Held[]) => new Set(held.map(({ index }) => index)).size;
  const held = await fight("guarded", (held) => held.length >= 6 && ownersOf(held) > 1);
  assertEquals(overlaps(held), 0);
  assert(held.length >= 6 && ownersOf(held) > 1, `${held.length} leases of ${ownersOf(held)}`);
});

Deno.test("without the precondition the oracle sees two owners", async () => {
  assert(overlaps(await fight("forced", (held) => overlaps(held) > 0)) > 0);
});

Deno.test("ready --claim sees a claim of another machine through GitHub, and takes it once it is released", async () => {
  const { ours, take, release } = await claimPlace();
  await using _ours = ours;
  assertEquals(await take(), undefined);
  const refused = await ours.temp.run(CLAIM);
  assertEquals(refused.code, 6);
  assert(refused.err.includes(", on box"), refused.err);
  await release();
  assertEquals((await ours.temp.run(CLAIM)).code, 0);
  assert((await take())?.machine.name !== "box");
  assertEquals((await ours.temp.run(["ready", "--release", "engineer"])).code, 0);
  assertEquals(await take(), undefined);
  assertEquals(ours.github.seen.filter(({ method }) => method === "DELETE"), []);
});

Deno.test("sync renews, and ends a claim that was made offline while another machine had the issue", async () => {
  const { ours, take } = await claimPlace();
  await using _ours = ours;
  ours.github.fault = () => ({ kind: "status", status: 503, when: "before" });
  const offline = await ours.temp.run(CLAIM);
  assertEquals(offline.code, 1);
  assert(offline.err.includes("--offline"), offline.err);
  assertEquals((await ours.temp.run([...CLAIM, "--offline"])).code, 0);
  ours.github.fault = () => undefined;
  await take();
  const { out } = await ours.temp.run(["sync"]);
  assert(out.includes("engineer has lost #1: engineer on box has it"), out);
  assertEquals(ours.temp.issue(1).assignee, null);
});

Deno.test("claims are this machine's alone, and that is said, without the right to write refs and without a commit", async () => {
  const { ours } = await claimPlace();
  await using _ours = ours;
  ours.github.state.token("writer", "ada", { contents: false });
  const noRight = await ours.temp.run(CLAIM);
  assertEquals(noRight.code, 0, noRight.err);
  assert(noRight.err.includes("this machine's alone"), noRight.err);
  ours.github.state.token("writer", "ada");
  ours.repository.refs.clear();
  const empty = await ours.temp.run(CLAIM);
  assertEquals(empty.code, 0, empty.err);
  assert(empty.err.includes("this machine's alone"), empty.err);
});
