// Claims over a git remote beside a raw loop of `git push --force-with-lease` with flat jitter, in the same run: eight
// writers claim and release issues of a pool that makes them meet.

import { claimRef, type Machine, releaseClaim, takeClaim } from "../lib/remote/claims.ts";
import { GitClaims } from "../lib/remote/git_claims.ts";
import { GitRemote } from "../lib/remote/git_remote.ts";
import { report, target } from "./target.ts";

const WRITERS = 8;
const UPDATES = 200;
const ISSUES = 25;
const LEASE_MS = 600_000;

/** One writer with a clone of its own. */
interface Writer {
  /** Claims an issue; false while another writer has it. */
  claim(issue: number): Promise<boolean>;
  release(issue: number): Promise<void>;
}

interface Figures {
  /** Pairs of a claim and a release. */
  perSecond: number;
  /** From the wish to the claim, in milliseconds, sorted. */
  waits: number[];
}

async function git(
  cwd: string,
  args: readonly string[],
): Promise<{ isDone: boolean; out: string }> {
  const { success, stdout } = await new Deno.Command("git", {
    args: ["-c", "gc.auto=0", "-c", "maintenance.auto=false", ...args],
    cwd,
    env: {
      GIT_AUTHOR_NAME: "x",
      GIT_AUTHOR_EMAIL: "x",
      GIT_COMMITTER_NAME: "x",
      GIT_COMMITTER_EMAIL: "x",
    },
    stdout: "piped",
    stderr: "null",
  }).output();
  return { isDone: success, out: new TextDecoder().decode(stdout).trim() };
}

function refOf(issue: number): string {
  return claimRef(`issue${issue}`)!;
}

function ours(folder: string, hub: string, index: number): Writer {
  GitRemote.create(folder, { address: hub, format: "sha1" });
  const claims = new GitClaims(new GitRemote({ folder, root: "/nonexistent", name: "origin" }));
  const machine: Machine = { id: `writer00000${index}`, name: `${index}`, login: "bench" };
  return {
    async claim(issue) {
      await claims.fetchAll(); // as `ready --claim` does
      const wanted = { key: `issue${issue}`, issue, agent: "engineer", machine };
      const untilMs = Date.now() + LEASE_MS;
      return await takeClaim(claims, { ...wanted, untilMs }) === undefined;
    },
    async release(issue) {
      await releaseClaim(claims, (await claims.known(`issue${issue}`))!);
    },
  };
}

/** What a shell script would do: fetch, look, commit, push with a lease; wait a while where that fails. */
function raw(folder: string, hub: string, index: number): Writer {
  const held = new Map<number, string>();
  const write = async (issue: number, parent: string | undefined, what: string) => {
    const { out: tree } = await git(folder, ["mktree"]);
    const parents = parent === undefined ? [] : ["-p", parent];
    const message = `${what} ${index} ${crypto.randomUUID()}`;
    const { out: id } = await git(folder, ["commit-tree", tree, ...parents, "-m", message]);
    const lease = `--force-with-lease=${refOf(issue)}:${parent ?? ""}`;
    const { isDone } = await git(folder, ["push", "-q", lease, hub, `${id}:${refOf(issue)}`]);
    return isDone ? id : undefined;
  };
  const ready = Deno.mkdir(folder).then(() => git(folder, ["init", "-q", "--bare"]));
  return {
    async claim(issue) {
      await ready;
      const ref = refOf(issue);
      await git(folder, ["fetch", "-q", hub, `+${ref}:${ref}`]);
      const { out } = await git(folder, ["log", "-1", "--format=%H %s", ref]);
      const [parent, what] = out.split(" ");
      if (what === "held") return false;
      const id = await write(issue, parent || undefined, "held");
      if (id !== undefined) held.set(issue, id);
      return id !== undefined;
    },
    async release(issue) {
      while (await write(issue, held.get(issue), "free") === undefined) await jitter();
    },
  };
}

const jitter = () => new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 100));

async function measure(make: typeof ours, writers: number, updates: number): Promise<Figures> {
  const folder = Deno.makeTempDirSync({ prefix: "agentx-bench-" });
  try {
    const hub = `${folder}/hub.git`;
    await git(folder, ["init", "-q", "--bare", hub]);
    const all = Array.from(
      { length: writers },
      (_, index) => make(`${folder}/w${index}`, hub, index),
    );
    const waits: number[] = [];
    const began = performance.now();
    await Promise.all(all.map(async (writer) => {
      for (let left = updates / writers; left > 0; left--) {
        const issue = Math.floor(Math.random() * ISSUES);
        const wished = performance.now();
        while (!await writer.claim(issue)) await jitter();
        waits.push(performance.now() - wished);
        await writer.release(issue);
      }
    }));
    const perSecond = updates / ((performance.now() - began) / 1_000);
    return { perSecond, waits: waits.sort((a, b) => a - b) };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

let measured: Promise<{ ours: Figures; raw: Figures; fairMs: number }> | undefined;

/** Both, in one run, and the fair share: as many uncontended claims as there are writers. */
function figures() {
  return measured ??= (async () => {
    const { waits: alone } = await measure(ours, 1, 20);
    const fairMs = WRITERS * alone[alone.length >> 1];
    const peer = await measure(raw, WRITERS, UPDATES);
    return { ours: await measure(ours, WRITERS, UPDATES), raw: peer, fairMs };
  })();
}

const p95 = ({ waits }: Figures) => waits[Math.ceil(waits.length * 0.95) - 1];
const longest = ({ waits }: Figures) => waits.at(-1)!;

report(async () => {
  const { ours, raw, fairMs } = await figures();
  const row = (name: string, each: Figures) =>
    `  ${name.padEnd(24)} ${each.perSecond.toFixed(1).padStart(5)} a second, ` +
    `p95 ${p95(each).toFixed(0)} ms, longest ${longest(each).toFixed(0)} ms`;
  return [
    `claims over a git remote: ${WRITERS} writers, ${UPDATES} claims and releases of ${ISSUES} issues`,
    row("agentx", ours),
    row("raw git push, jitter", raw),
    `  fair share (${WRITERS} x one alone): ${fairMs.toFixed(0)} ms`,
  ].join("\n");
});

target({
  name: "claims over git: throughput beside a raw git push loop",
  limit: { atLeast: 0.7 },
  measure: async () => (await figures()).ours.perSecond / (await figures()).raw.perSecond,
});

target({
  name: "claims over git: 95th percentile of the wait, in fair shares",
  limit: { atMost: 8 },
  measure: async () => p95((await figures()).ours) / (await figures()).fairMs,
});

target({
  name: "claims over git: longest wait, in fair shares",
  limit: { atMost: 20 },
  measure: async () => longest((await figures()).ours) / (await figures()).fairMs,
});

target({
  name: "claims over git: 95th percentile beside the raw loop",
  limit: { atMost: 1 },
  measure: async () => p95((await figures()).ours) / p95((await figures()).raw),
});

target({
  name: "claims over git: longest wait beside the raw loop",
  limit: { atMost: 1 },
  measure: async () => longest((await figures()).ours) / longest((await figures()).raw),
});
