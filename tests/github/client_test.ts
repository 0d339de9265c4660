/**
 * Requests to GitHub: pages, ETags, failures, and where the token goes.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { GitHubClient } from "../../lib/github/client.ts";
import { apiOf, targetFor, tokenFor } from "../../lib/github/target.ts";
import { refusal } from "../refusal.ts";
import { FakeGitHub, type Fault } from "./fake/server.ts";
import { TempGitHub } from "./temp_github.ts";

const ISSUES = "/repos/acme/shop/issues?state=all&per_page=2";

function clientOf(place: TempGitHub, timeoutMs = 30_000): GitHubClient {
  for (let number = 1; number <= 5; number++) {
    place.github.state.issue(place.repository, "ada", { title: `Issue ${number}` });
  }
  const { url: base } = place.github;
  return new GitHubClient({ base, token: "writer", name: "acme/shop", timeoutMs });
}

Deno.test("GitHubClient.list() follows the links to all pages, and knows an unchanged list", async () => {
  await using place = await TempGitHub.make();
  const client = clientOf(place);
  const { items, etag, isUnchanged } = await client.list(ISSUES);
  assertEquals([items.length, isUnchanged], [5, false]);
  assertEquals((await client.list(ISSUES, { etag })).isUnchanged, true);
  const { headers } = place.github.seen[0];
  assertEquals(headers["x-github-api-version"], "2026-03-10");
  assert(headers["user-agent"].startsWith("agentx/"));
});

const REPLIES: ReadonlyArray<[name: string, fault: Fault, said: string, isRefused?: true]> = [
  ["no JSON", { kind: "status", status: 200, when: "before", body: "<html>" }, "not JSON"],
  ["no list", { kind: "status", status: 200, when: "before", body: "{}" }, "not a list"],
  ["half a page", { kind: "half" }, "no whole answer"],
  ["a dropped connection", { kind: "drop", when: "before" }, "no whole answer"],
  ["silence", { kind: "silence" }, "within 0.3 s"],
  ["a failure of the server", { kind: "status", status: 503, when: "before" }, "answered 503"],
  ["a bad token", { kind: "status", status: 401, when: "before" }, "token is not valid", true],
  ["no right", { kind: "status", status: 403, when: "before" }, "may not read it", true],
  ["no repository", { kind: "status", status: 404, when: "before" }, "no such repository", true],
  ["issues switched off", { kind: "status", status: 410, when: "before" }, "switched off", true],
];

for (const [name, fault, said, isRefused] of REPLIES) {
  Deno.test(`GitHubClient.list() names ${name}`, async () => {
    await using place = await TempGitHub.make();
    const client = clientOf(place, fault.kind === "silence" ? 300 : undefined);
    place.github.fault = () => fault;
    const { details, message } = await refusal("SYNC_ERROR", () => client.list(ISSUES));
    assert(message.includes(said), message);
    assertEquals(details.isRefused, isRefused);
  });
}

Deno.test("GitHubClient.list() asks once more after a failure that passes", async () => {
  await using place = await TempGitHub.make();
  const client = clientOf(place);
  let failures = 0;
  place.github.fault = () => failures++ === 0 ? { kind: "half" } : undefined;
  assertEquals((await client.list(ISSUES)).items.length, 5);
});

Deno.test("the token follows neither a redirect nor a link to another server", async () => {
  await using other = await FakeGitHub.start();
  await using place = await TempGitHub.make();
  const client = clientOf(place);
  const away = `${other.url}/repos/acme/shop/issues`;
  const redirect = { location: away };
  const link = { link: `<${away}>; rel="next"` };
  for (const [status, headers] of [[301, redirect], [302, redirect], [200, link]] as const) {
    place.github.fault = () => ({ kind: "status", status, when: "before", headers, body: "[]" });
    const { message } = await refusal("SYNC_ERROR", () => client.list(ISSUES));
    assert(message.includes("another server"), message);
  }
  assertEquals(other.seen, []);
});

Deno.test("sync asks for nothing before the time that a rate limit names, and at once where that is past", async () => {
  await using place = await TempGitHub.make();
  const { github, temp } = place;
  const limitAt = (seconds: number) => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(seconds) };
    github.fault = () => ({ kind: "status", status: 403, when: "before", headers });
  };
  limitAt(Math.floor(Date.now() / 1_000) + 600);
  const limited = await temp.run(["sync"]);
  assert(limited.code === 1 && limited.err.includes("rate limit"), limited.err);
  const asked = github.seen.length;
  github.fault = () => undefined;
  assertEquals((await temp.run(["sync"])).code, 1);
  assertEquals(github.seen.length, asked);

  Deno.removeSync(`${temp.root}/.agentx/state/github.json`);
  limitAt(Math.floor(Date.now() / 1_000) - 600);
  assertEquals((await temp.run(["sync"])).code, 1);
  github.fault = () => undefined;
  await place.sync();
});

Deno.test("offline, sync says so and nothing here changes but the note of it", async () => {
  await using place = await TempGitHub.make();
  const { github, repository, temp } = place;
  github.state.issue(repository, "ada", { title: "Login" });
  await place.sync();
  const before = temp.snapshot();
  github.fault = () => ({ kind: "drop", when: "before" });
  const { code, err } = await temp.run(["sync"]);
  assertEquals(code, 1);
  assert(err.includes("no whole answer") && err.includes("agentx sync"), err);
  const after = temp.snapshot();
  const changed = Object.keys({ ...before, ...after }).filter((path) =>
    before[path] !== after[path] && !/^\/\.agentx\/log\//.test(path)
  );
  assertEquals(changed, ["/.agentx/state/github.json"]);
  const { findings } = await temp.json(["doctor"]);
  assert(
    findings.some(({ check, level }: Record<string, string>) =>
      check === "github" && level === "warn"
    ),
  );
  assertEquals((await temp.json(["issue", "list"])).issues.length, 1);
});

Deno.test("a page that fails in the middle leaves nothing half read; the next sync reads all", async () => {
  await using place = await TempGitHub.make();
  const { github, repository, temp } = place;
  for (let number = 1; number <= 150; number++) {
    github.state.issue(repository, "ada", { title: `Issue ${number}` });
  }
  github.fault = ({ query }) => query.includes("page=2") ? { kind: "half" } : undefined;
  assertEquals((await temp.run(["sync"])).code, 1);
  assertEquals(place.lines(), []);
  github.fault = () => undefined;
  assertEquals((await place.sync()).imported.length, 150);
});

Deno.test("tokenFor() takes the variables of the host alone", async () => {
  await using place = await TempGitHub.make();
  const { temp: { root } } = place;
  const tokenOf = (host: string) => tokenFor({ host, repository: "acme/shop" }, root);
  const path = Deno.env.get("PATH")!;
  try {
    Deno.env.set("PATH", "/nowhere");
    Deno.env.set("GH_ENTERPRISE_TOKEN", "enterprise");
    await refusal("SYNC_ERROR", () => tokenOf("github.com"));
    Deno.env.set("GITHUB_TOKEN", "com");
    assertEquals(await tokenOf("github.com"), "com");
    assertEquals(await tokenOf("acme.ghe.com"), "com");
    assertEquals(await tokenOf("ghe.example.com"), "enterprise");
    Deno.env.delete("GH_ENTERPRISE_TOKEN");
    await refusal("SYNC_ERROR", () => tokenOf("ghe.example.com"));
    // A gh that comes with the repository is not asked.
    Deno.env.set("PATH", `${root}/bin`);
    place.temp.write("bin/gh", "#!/bin/sh\necho stolen\n");
    Deno.chmodSync(`${root}/bin/gh`, 0o755);
    await refusal("SYNC_ERROR", () => tokenOf("ghe.example.com"));
  } finally {
    Deno.env.set("PATH", path);
  }
});

Deno.test("one sync asks gh for the token once for all that it reads and posts", async () => {
  await using place = await TempGitHub.make();
  const { path } = place.temp.user;
  Deno.mkdirSync(`${path}/bin`);
  Deno.writeTextFileSync(`${path}/bin/gh`, `#!/bin/sh\necho >>${path}/calls\necho writer\n`);
  Deno.chmodSync(`${path}/bin/gh`, 0o755);
  const before = Deno.env.get("PATH")!;
  Deno.env.delete("GH_ENTERPRISE_TOKEN");
  try {
    Deno.env.set("PATH", `${path}/bin:${before}`);
    await place.sync();
  } finally {
    Deno.env.set("PATH", before);
  }
  const calls = Deno.readTextFileSync(`${path}/calls`);
  assertEquals(calls, "\n\n", "and claims, with less time, once");
});

Deno.test("targetFor() takes origin on github.com, and on another host only where the user named it", async () => {
  await using place = await TempGitHub.make();
  const { root } = place.temp;
  Deno.env.delete("GH_HOST");
  const origin = (url: string) => {
    place.temp.write(".git/HEAD", "ref: refs/heads/main\n");
    for (const folder of ["objects", "refs"]) {
      Deno.mkdirSync(`${root}/.git/${folder}`, { recursive: true });
    }
    place.temp.write(".git/config", `[remote "origin"]\n\turl = ${url}\n`);
  };
  for (
    const url of [
      "git@github.com:acme/shop.git",
      "https://github.com/acme/shop",
      "ssh://git@github.com:22/acme/shop.git/",
    ]
  ) {
    origin(url);
    assertEquals(targetFor(null, root), { host: "github.com", repository: "acme/shop" });
  }
  for (const host of ["ghe.example.com", "evil.ghe.com"]) {
    origin(`https://${host}/acme/shop.git`);
    await refusal("INVALID_INPUT", () => targetFor(null, root));
    Deno.env.set("GH_HOST", host);
    assertEquals(targetFor(null, root), { host, repository: "acme/shop" });
    Deno.env.delete("GH_HOST");
  }
});

Deno.test("apiOf() knows github.com, its data residency and servers of one's own", () => {
  assertEquals(
    ["github.com", "acme.ghe.com", "ghe.example.com", "github.com.evil.example"].map(apiOf),
    [
      "https://api.github.com",
      "https://api.acme.ghe.com",
      "https://ghe.example.com/api/v3",
      "https://github.com.evil.example/api/v3",
    ],
  );
});

Deno.test("a repository's own settings send no token: what the human agreed to is asked", async () => {
  await using place = await TempGitHub.make({ isOn: false });
  const { github, temp } = place;
  const config = JSON.parse(temp.read(".agentx/config.json"));
  temp.write(".agentx/config.json", JSON.stringify({ ...config, mode: "github" }));
  const refused = await temp.run(["sync"]);
  assertEquals([refused.code, github.seen.length], [2, 0], refused.err);
  await place.turnOn();
  const stranger = { ...config, mode: "github", github: { repository: "eve/trap" } };
  temp.write(".agentx/config.json", JSON.stringify(stranger));
  await place.sync();
  assert(github.seen.length > 0 && !github.seen.some(({ path }) => path.includes("trap")));
});
