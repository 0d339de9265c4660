/**
 * A client that takes a claim through GitHub's REST API whenever nobody has it, as a process of its own:
 *
 *   deno run -A claimer.ts BASE FOLDER INDEX BEGIN_MS SPEED WAY
 *
 * Its clock runs SPEED times as fast, and differs from those of the others. It prints one JSON line for each time that it
 * had the claim: from when and until when, by the clock of the machine; somebody ends it. WAY `forced` writes without a precondition.
 *
 * @module
 */

import { GitHubClient } from "../../lib/github/client.ts";
import { takeClaim } from "../../lib/remote/claims.ts";
import { GitHubClaims } from "../../lib/remote/github_claims.ts";
import { sys } from "../../lib/sys/mod.ts";

/** No lease is longer, by the fast clock. */
const LEASE_MS = 60_000;

/** By the fast clock. */
const PAUSE_MS = 240_000;

/** Clocks of machines may differ by a minute. */
const SKEW_MS = 25_000;

const [base, folder, index, begin, speed, way] = Deno.args;
const [beginMs, times] = [begin, speed].map(Number);
const skewMs = (Number(index) % 3 - 1) * SKEW_MS;
sys.now = () => beginMs + (Date.now() - beginMs) * times + skewMs;
const realOf = (fastMs: number) => beginMs + (fastMs - skewMs - beginMs) / times;

/** Writes over whatever is there. */
class ForcedClient extends GitHubClient {
  override send(...[method, path, body]: Parameters<GitHubClient["send"]>) {
    return super.send(method, path, body && "force" in body ? { ...body, force: true } : body);
  }
}

const options = { base, token: "writer", name: "127.0.0.1/acme/shop", timeoutMs: 5_000 };
const client = way === "forced" ? new ForcedClient(options) : new GitHubClient(options);
const refs = new GitHubClaims({
  client: () => Promise.resolve(client),
  ...{ name: options.name, folder, notify: (message) => console.error(message) },
});
const machine = { id: `client00000${index}`, name: `client ${index}`, login: "ada" };
for (;;) {
  const untilMs = sys.now() + LEASE_MS * (0.2 + Math.random() * 0.8);
  const wanted = { key: "one", issue: 1, agent: "engineer", machine, untilMs };
  try {
    if (await takeClaim(refs, wanted) === undefined) {
      const from = Date.now();
      const until = realOf(untilMs);
      if (from < until) console.log(JSON.stringify({ index: Number(index), from, until }));
      const pauseMs = Math.random() * PAUSE_MS / times; // the others take it meanwhile
      await sys.wait(Math.max(0, until - from) + pauseMs);
      continue;
    }
  } catch (error) {
    if ((error as { code?: string }).code !== "SYNC_ERROR") throw error; // an outage
  }
  await sys.wait(Math.random() * 20);
}
