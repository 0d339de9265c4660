/**
 * Two machines that claim one issue through GitHub.
 *
 * @module
 */

import { GitHubClient } from "../../lib/github/client.ts";
import { releaseClaim, takeClaim } from "../../lib/remote/claims.ts";
import { GitHubClaims } from "../../lib/remote/github_claims.ts";
import { TempGitHub } from "./temp_github.ts";

/** Claims it here. */
export const CLAIM: readonly string[] = ["ready", "--claim", "engineer", "--issue", "1"];

/** A workspace with issue 1, and another machine's way to the same claims. */
export async function claimPlace() {
  const ours = await TempGitHub.make();
  ours.github.state.issue(ours.repository, "ada", { title: "First" });
  await ours.sync();
  const folder = Deno.makeTempDirSync({ dir: ours.temp.user.path });
  const { url: base } = ours.github;
  const client = new GitHubClient({ base, token: "writer", name: "acme/shop" });
  const refs = new GitHubClaims({
    client: () => Promise.resolve(client),
    ...{ name: `${ours.host}/acme/shop`, folder, notify: () => {} },
  });
  const [{ uid }] = JSON.parse((await ours.temp.run(["issue", "list", "--json"])).out).issues;
  const machine = { id: "bob000000000", name: "box", login: "bob" };
  const untilMs = Date.now() + 600_000;
  const take = () => takeClaim(refs, { key: uid, issue: 1, agent: "engineer", machine, untilMs });
  const release = async () => await releaseClaim(refs, (await refs.read(uid))!);
  return { ours, take, release };
}
